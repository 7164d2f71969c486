import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestProject, testProject } from '../helpers/test-project.ts';

const TEST = "require('node:test')('adds', () => {});\n";

let project: TestProject;
beforeEach(async () => {
  project = await testProject({
    'package.json': '{ "name": "sample", "scripts": { "test": "node --test test/" } }',
    'test/a.test.js': TEST,
  });
  await project.dure(['init', '--yes', '--backend', 'rehearsal', '--allow-bypass']);
  await set('workspace.setup', 'node -e ""');
  await set('checks', '[{"name":"test","command":"node --test test/a.test.js"}]');
});
afterEach(() => project.remove());

const set = async (key: string, value: string) =>
  expect(await project.dure(['config', 'set', key, value])).toMatchObject({ code: 0 });

interface Found {
  name: string;
  status: string;
  seen: string;
  fix: string | null;
}

async function doctor(env: Record<string, string | undefined> = {}, ...flags: string[]) {
  const { code, json } = await project.dureJson(['doctor', ...flags], { env });
  const findings = json['findings'] as Found[];
  const of = (name: string) => findings.find(one => one.name === name);
  return { code, error: json.error, findings, of };
}

/** A PATH with these programs only. */
async function pathWith(...programs: string[]): Promise<string> {
  const folder = await mkdtemp(join(project.parentFolder, 'bin-'));
  for (const name of programs) {
    const program = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    await symlink(program, join(folder, name));
  }
  return folder;
}

async function fakeClaude(script: string): Promise<string> {
  const folder = join(project.parentFolder, 'claude');
  await mkdir(folder);
  await writeFile(join(folder, 'claude'), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, 'claude'), 0o755);
  return [folder, process.env['PATH']].join(delimiter);
}

describe('dure doctor', () => {
  it('finds no problem if a run would work, and leaves nothing behind; with --quick, skips the set-up', async () => {
    const { code, findings, of } = await doctor();
    expect(findings.filter(({ status }) => status === 'problem')).toEqual([]);
    expect(code).toBe(0);
    expect(of('set-up')).toMatchObject({ status: 'ok', seen: 'works on base: node -e ""' });
    expect(of('check:test')).toMatchObject({
      status: 'ok',
      seen: 'passes on base: node --test test/a.test.js (1 passed)',
    });
    expect(of('base')).toMatchObject({ status: 'ok', seen: expect.stringContaining('main') });
    expect(await project.git('status', '--porcelain')).toBe('?? .dure/\n');
    const quick = await doctor({}, '--quick');
    expect(quick.code).toBe(0);
    expect(quick.findings.map(({ name }) => name)).not.toContain('set-up');
  });

  it('reports a backend that is not installed, is not logged in, or does not run', async () => {
    await set('backend', 'claude');
    const missing = await doctor({ PATH: await pathWith('git', 'sh') }, '--quick');
    expect(missing).toMatchObject({ code: 1, error: { code: 'E_DOCTOR' } });
    expect(missing.error!.message).toContain('claude');
    expect(missing.of('claude')).toMatchObject({
      status: 'problem',
      seen: 'claude was not found on PATH.',
      fix: expect.stringContaining('npm install -g @anthropic-ai/claude-code'),
    });
    const notLoggedIn = 'case $1 in --version) echo 9.9.9;; *) echo \'{"loggedIn":false}\'; exit 1;; esac';
    expect((await doctor({ PATH: await fakeClaude(notLoggedIn) }, '--quick')).of('claude')).toMatchObject({
      status: 'problem',
      seen: 'not logged in (9.9.9)',
      fix: expect.stringContaining('claude auth login'),
    });
    await writeFile(join(project.parentFolder, 'claude/claude'), '#!/bin/sh\nexit 1\n');
    const PATH = [join(project.parentFolder, 'claude'), process.env['PATH']].join(delimiter);
    expect((await doctor({ PATH }, '--quick')).of('claude')).toMatchObject({ status: 'problem' });
  });

  it('reports missing consent and an invalid configuration', async () => {
    await set('backend', 'claude');
    await project.dure(['init', '--no-allow-bypass']);
    const { code, of } = await doctor({ IS_SANDBOX: undefined }, '--quick');
    expect(code).toBe(1);
    expect(of('consent')).toMatchObject({
      status: 'problem',
      fix: expect.stringContaining('--allow-bypass'),
    });
    await project.write('.dure/config/global.json', '{ "max_iterations": 0 }');
    expect((await doctor({}, '--quick')).of('settings')).toMatchObject({
      status: 'problem',
      seen: expect.stringContaining('max_iterations'),
    });
  });

  it('reports what the machine lacks: tmux, a sandbox, a git user name', async () => {
    const { code, of } = await doctor(
      {
        PATH: await pathWith('git', 'sh'),
        DURE_SANDBOX: 'none',
        GIT_AUTHOR_NAME: undefined,
        GIT_AUTHOR_EMAIL: undefined,
      },
      '--quick',
    );
    expect(code).toBe(0);
    expect(of('tmux')).toMatchObject({ status: 'warning', fix: 'Install tmux.' });
    expect(of('sandbox')).toMatchObject({
      status: 'warning',
      seen: expect.stringContaining('DURE_SANDBOX is none'),
    });
    expect(of('identity')).toMatchObject({ status: 'warning', fix: expect.stringContaining('user.email') });
    const gone = await doctor({ PATH: await pathWith() }, '--quick');
    expect(gone.code).toBe(1);
  });

  it('reports a set-up that fails on base, with the end of its output, and does not run the checks', async () => {
    await set('workspace.setup', 'echo the registry is down && exit 3');
    const { code, of } = await doctor();
    expect(code).toBe(1);
    expect(of('set-up')).toMatchObject({
      status: 'problem',
      seen: expect.stringContaining('the registry is down'),
      fix: expect.stringContaining('workspace.setup'),
    });
    expect(of('check:test')).toBeUndefined();
  });

  it('shows the beginning and the end of the output of a failing set-up, in whole lines', async () => {
    const long = "for (let n = 1; n <= 200; n += 1) console.log('detail ' + n + ' ' + 'x'.repeat(60))";
    await project.write('fails.js', `console.log('the lockfile is missing');\n${long};\nprocess.exit(1);\n`);
    await project.git('add', 'fails.js');
    await project.git('commit', '--quiet', '--message', 'fails');
    await set('workspace.setup', 'node fails.js');
    const shown = (await doctor()).of('set-up')!.seen.split('\n');
    expect(shown).toContain('the lockfile is missing');
    expect(shown.filter(line => / lines omitted /.test(line))).toHaveLength(1);
    const details = shown.filter(line => line.includes('xxx'));
    expect(details.at(-1)).toBe(`detail 200 ${'x'.repeat(60)}`);
    for (const line of details) expect(line).toMatch(/^detail \d+ x{60}$/);
  });

  it('reports that a build fails on base and would be skipped in every run, and runs the checks without it', async () => {
    await set('workspace.setup', 'node -e "" && npm run build');
    const { code, of } = await doctor();
    expect(code).toBe(0);
    expect(of('set-up')).toMatchObject({ status: 'warning', seen: expect.stringContaining('npm run build') });
    expect(of('check:test')).toMatchObject({ status: 'ok' });
  });

  it('warns of Python requirements that are unavailable and would be missing in every run', async () => {
    await project.write('requirements.txt', 'dure-no-such-package==1\n');
    await project.git('add', 'requirements.txt');
    await project.git('commit', '--quiet', '--message', 'requirements');
    await set(
      'workspace.setup',
      'python3 -m venv .venv && .venv/bin/python -m pip install -r requirements.txt',
    );
    const offline = { PIP_INDEX_URL: 'http://127.0.0.1:9/simple', PIP_RETRIES: '0' };
    // The second time, the set-up reuses what it prepared.
    for (const _ of [1, 2]) {
      const { code, of } = await doctor(offline);
      expect(code).toBe(0);
      expect(of('set-up')).toMatchObject({
        status: 'warning',
        seen: expect.stringContaining('not available: dure-no-such-package==1'),
      });
    }
  });

  it('reports checks that fail or cannot run on base, and a tool that would read .dure', async () => {
    await project.write('test/a.test.js', TEST.replace('{}', '{ throw new Error("red") }'));
    await project.git('commit', '--quiet', '--all', '--message', 'red');
    await project.write('test/a.test.js', TEST);
    await project.write('package.json', '{ "scripts": { "test": "node --test" } }');
    const checks = [
      { name: 'test', command: 'node --test test/a.test.js' },
      { name: 'lint', command: 'no-such-linter' },
    ];
    await set('checks', JSON.stringify(checks));
    const { code, of } = await doctor();
    expect(of('check:test')).toMatchObject({
      status: 'warning',
      seen: expect.stringContaining('(1 failed)'),
    });
    expect(of('check:lint')).toMatchObject({
      status: 'warning',
      seen: expect.stringContaining('cannot run'),
    });
    expect(of('ignore-line:node --test')).toMatchObject({
      status: 'warning',
      fix: expect.stringContaining('package.json'),
    });
    expect(code).toBe(0);
  });

  it('suggests, as init does, a configuration file for a tool that has none', async () => {
    await project.write('package.json', '{ "devDependencies": { "vitest": "4" } }');
    expect((await doctor({}, '--quick')).of('ignore-line:vitest')?.fix).toMatch(
      /^Create vitest\.config\.mjs with: import /,
    );
    expect((await project.dure(['init'])).stdout).toMatch(/create\s+vitest\.config\.mjs with:/);
    await project.write('vitest.config.mjs', 'export default {};');
    expect((await doctor({}, '--quick')).of('ignore-line:vitest')?.fix).toMatch(
      /^Add to vitest\.config\.mjs: /,
    );
  });

  it('looks for the programs of filters and MCP servers from the top of the project, whichever folder it is called in', async () => {
    await project.write('tools/own', '#!/bin/sh\ncat\n');
    await chmod(join(project.root, 'tools/own'), 0o755);
    await project.write('.gitattributes', '*.raw filter=own\n');
    await project.write('a.raw', 'x');
    await project.write('.mcp.json', '{"mcpServers":{"a":{"command":"tools/own"}}}');
    await project.git('add', '.gitattributes', 'a.raw', '.mcp.json', 'tools');
    await project.git('commit', '--quiet', '--message', 'tools');
    await project.git('config', 'filter.own.clean', 'tools/own');
    await set('rules.mcp_servers', '["a"]');
    const { json } = await project.dureJson(['doctor', '--quick'], { cwd: join(project.root, 'test') });
    for (const name of ['filter:own', 'mcp-server:a'])
      expect(json['findings']).toContainEqual(expect.objectContaining({ name, status: 'ok' }));
  });

  it('reports a submodule that is not checked out, a filter whose program is missing, and rules that prompts do not quote', async () => {
    await project.write('sub/x.txt', 'x\n');
    await project.git('-C', 'sub', 'init', '--quiet');
    await project.git('-C', 'sub', 'add', '.');
    await project.git('-C', 'sub', 'commit', '--quiet', '--message', 'sub');
    await project.write('.gitmodules', '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n');
    await project.write('.gitattributes', '*.bin filter=lfs\n*.raw filter=other\n');
    await project.write('a.bin', 'x');
    await project.write('a.raw', 'x');
    await project.write('CLAUDE.md', 'see @~/mine.md\n');
    await project.git('add', '.gitmodules', 'sub', '.gitattributes', 'a.bin', 'a.raw', 'CLAUDE.md');
    await project.git('commit', '--quiet', '--message', 'all');
    await project.git('config', 'filter.other.clean', 'no-such-filter --clean');
    const before = await doctor({}, '--quick');
    expect(before.of('submodules')).toMatchObject({ status: 'ok', seen: 'checked out: sub' });
    await project.git('config', 'filter.other.clean', 'cat -');
    await rm(join(project.root, 'sub'), { recursive: true });
    await mkdir(join(project.root, 'sub'));
    const after = await doctor({}, '--quick');
    expect(after.code).toBe(0);
    expect(after.of('submodules')).toMatchObject({
      status: 'warning',
      seen: 'not checked out, so these folders are empty in a run: sub',
      fix: 'git submodule update --init --recursive',
    });
    expect(before.code).toBe(1);
    expect(before.of('filter:lfs')).toMatchObject({
      status: 'warning',
      fix: expect.stringContaining('git lfs'),
    });
    expect(before.of('filter:other')).toMatchObject({
      status: 'problem',
      seen: expect.stringContaining('no-such-filter'),
    });
    expect(after.of('filter:other')).toMatchObject({ status: 'ok' });
    expect(after.of('rules')).toMatchObject({
      status: 'warning',
      seen: expect.stringContaining('~/mine.md'),
    });
    // A run starts too, and says what it lacks, as its pack will.
    const start = ['start', 'x', '--detach', '--launcher', 'process', '--accept-commands'];
    const { code, json } = await project.dureJson(start);
    expect({ code, missing: json['missing_files'] }).toEqual({
      code: 0,
      missing: { submodules: ['sub'], filters: [{ name: 'lfs', files: 1 }] },
    });
    await project.dure(['stop']);
    const status = (await project.dureJson(['status'])).json as { setup?: { missing_files?: unknown } };
    expect(status.setup?.missing_files).toEqual(json['missing_files']);
  });

  it('reports a configured MCP server or skill that base lacks, and a server whose program is missing', async () => {
    await project.write(
      '.mcp.json',
      '{"mcpServers":{"a":{"command":"sh"},"b":{"command":"no-such-server"}}}',
    );
    await project.git('add', '.mcp.json');
    await project.git('commit', '--quiet', '--message', 'servers');
    await project.dure(['config', 'set', 'rules.mcp_servers', '["a","b"]']);
    const listed = await doctor({}, '--quick');
    expect(listed.of('mcp-server:a')).toMatchObject({ status: 'ok' });
    expect(listed.of('mcp-server:b')).toMatchObject({
      status: 'warning',
      seen: expect.stringContaining('no-such-server was not found'),
    });
    for (const [setting, name] of [
      ['mcp_servers', 'c'],
      ['skills', 'gone'],
    ]) {
      await project.dure(['config', 'set', `rules.${setting}`, `["${name}"]`]);
      const { code, of } = await doctor({}, '--quick');
      expect(code).toBe(1);
      expect(of('rules')).toMatchObject({
        status: 'problem',
        seen: expect.stringContaining(`rules.${setting} lists ${name}`),
      });
      await project.dure(['config', 'set', `rules.${setting}`, '[]']);
    }
  });
});

describe('dure init', () => {
  it('reports what the quick checks find, and says how to run the others', async () => {
    const env = { PATH: await pathWith('git', 'sh'), DURE_SANDBOX: 'none' };
    const { stdout } = await project.dure(['init', '--yes', '--backend', 'claude'], { env });
    expect(stdout).toContain('claude: claude was not found on PATH.');
    expect(stdout).toContain('DURE_SANDBOX is none');
    expect(stdout).toContain('dure doctor');
    const { json } = await project.dureJson(['init', '--yes'], { env });
    expect((json['findings'] as Found[]).find(({ name }) => name === 'claude')).toMatchObject({
      status: 'problem',
    });
  });
});
