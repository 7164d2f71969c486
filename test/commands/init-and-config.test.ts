import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findSandbox } from '../../src/process/sandbox/find-sandbox.ts';
import { type TestProject, testProject } from '../helpers/test-project.ts';

const sandbox = await findSandbox(process.env);

let project: TestProject;
beforeEach(async () => {
  project = await testProject();
});
afterEach(() => project.remove());

describe('dure init', () => {
  it('writes the five configuration files, grants no consent, and is idempotent', async () => {
    const first = await project.dureJson(['init', '--yes']);
    expect(first).toMatchObject({ code: 0, json: { ok: true, allow_bypass: false, backend: 'claude' } });
    expect(first.json['written']).toEqual(['global', 'refiner', 'builder', 'verifier', 'gatekeeper']);
    const before = await readFile(project.files.configOf('global'), 'utf8');
    const second = await project.dureJson(['init', '--yes']);
    expect(second.json['written']).toEqual([]);
    expect(await readFile(project.files.configOf('global'), 'utf8')).toBe(before);
  });

  it("exempts its files from the project's EditorConfig, and keeps an .editorconfig that is already there", async () => {
    await project.write('.editorconfig', 'root = true\n[*]\nindent_size = 4\n');
    await project.dure(['init', '--yes']);
    const own = `${project.files.dure}/.editorconfig`;
    expect(await readFile(own, 'utf8')).toBe('root = true\n');
    expect(await project.git('status', '--porcelain', '--untracked-files=all', '.dure')).toContain(
      '?? .dure/.editorconfig',
    );
    await project.write('.dure/.editorconfig', 'root = true\n[*.json]\nindent_size = 2\n');
    await project.dure(['init', '--yes']);
    expect(await readFile(own, 'utf8')).toContain('indent_size = 2');
  });

  it('with --yes, enables the agent sandbox where it works, says so, and keeps an existing setting', async () => {
    const works = sandbox.kind !== 'none';
    const init = (env: Record<string, string | undefined>, ...more: string[]) =>
      project.dureJson(['init', '--yes', ...more], { env: { IS_SANDBOX: undefined, ...env } });
    for (const [env, ...flags] of [
      [{ DURE_SANDBOX: 'none' }],
      [{ IS_SANDBOX: '1' }],
      [{}, '--backend', 'rehearsal'],
    ] as const) {
      expect((await init(env, ...flags)).json['sandbox']).toBe('off');
      await rm(project.files.dure, { recursive: true });
    }
    const { stdout } = await project.dure(['init', '--yes'], { env: { IS_SANDBOX: undefined } });
    expect(stdout).toContain(works ? 'sandbox.mode is standard' : 'sandbox.mode is off');
    await project.dure(['config', 'set', 'sandbox.mode', 'off']);
    expect((await init({})).json['sandbox']).toBe('off');
  });

  it.skipIf(sandbox.kind === 'none')(
    'enables the agent sandbox if an earlier init could not check whether one works',
    async () => {
      const init = (env: Record<string, string | undefined>) =>
        project.spawnDure(['init', '--yes'], { env: { IS_SANDBOX: undefined, ...env } });
      // The check needs a temporary folder.
      expect((await init({ TMPDIR: '/proc/self/exe/tmp' })).stderr).toContain('E_DISK');
      expect((await init({})).stdout).toContain('sandbox.mode is standard');
    },
  );

  it('stores consent, keeps it, and revokes it', async () => {
    expect((await project.dureJson(['init', '--allow-bypass'])).json['allow_bypass']).toBe(true);
    expect((await project.dureJson(['init'])).json['allow_bypass']).toBe(true);
    expect((await project.dureJson(['init', '--no-allow-bypass'])).json['allow_bypass']).toBe(false);
  });

  it('uses the project that contains the current folder', async () => {
    await project.dure(['init', '--yes']);
    await project.write('packages/web/index.js', '');
    const { json } = await project.dureJson(['init', '--backend', 'rehearsal'], {
      cwd: `${project.root}/packages/web`,
    });
    expect(json).toMatchObject({ project: project.root, backend: 'rehearsal' });
  });

  it('in the worktree of a run, uses the project of the run', async () => {
    await project.dure(['init', '--yes']);
    const worktree = '.dure/runs/run-20260131-142233/builder/output';
    await project.write(`${worktree}/.dure/config/global.json`, '{}');
    const { json } = await project.dureJson(['init'], { cwd: `${project.root}/${worktree}` });
    expect(json).toMatchObject({ project: project.root });
  });

  it('does not create a missing project folder', async () => {
    const folder = `${project.parentFolder}/typo`;
    const { json } = await project.dureJson(['init', '--yes', '--project', folder]);
    expect(json.error?.code).toBe('E_FILE_MISSING');
    expect(existsSync(folder)).toBe(false);
  });

  it('in a package, sets up the whole repository and records the package', async () => {
    await project.write('packages/a/package.json', '{}');
    await project.write('packages/a/src/index.js', '');
    const inside = { cwd: `${project.root}/packages/a/src` };
    const { json, code } = await project.dureJson(['init', '--yes'], inside);
    expect({ code, project: json['project'] }).toEqual({ code: 0, project: project.root });
    expect((await project.dure(['config', 'get', 'workspace.directory'])).stdout).toBe('packages/a\n');
    expect(existsSync(`${project.root}/packages/a/.dure`)).toBe(false);
    for (const cwd of [project.root, inside.cwd, `${project.root}/packages`])
      expect((await project.dureJson(['status'], { cwd })).json.error?.code).toBe('E_NO_RUNS');
  });

  it('in a package that is already set up, keeps the package as the project', async () => {
    const own = `${project.root}/packages/a`;
    await project.write('packages/a/.dure/config/global.json', '{}');
    const { json } = await project.dureJson(['init', '--yes'], { cwd: own });
    expect(json['project']).toBe(own);
    expect(existsSync(`${project.root}/.dure`)).toBe(false);
  });

  it('proposes the command that installs the dependencies, writes it on request, and keeps existing settings', async () => {
    await project.write('package.json', '{}');
    await project.write('package-lock.json', '{}');
    const asked = await project.dureJson(['init']);
    const proposal = { setting: 'workspace.setup', value: 'npm ci', because: 'package-lock.json' };
    expect(asked.json['proposals']).toEqual([{ ...proposal, written: false }]);
    const told = await project.dureJson(['init', '--yes']);
    expect(told.json['proposals']).toEqual([{ ...proposal, written: true }]);
    expect((await project.dure(['config', 'get', 'workspace.setup'])).stdout).toBe('npm ci\n');
    await project.dure(['config', 'set', 'workspace.setup', 'make']);
    expect((await project.dureJson(['init', '--yes'])).json['proposals']).toEqual([]);
    expect((await project.dure(['config', 'get', 'workspace.setup'])).stdout).toBe('make\n');
  });

  it("proposes the project's own checks, writes them on request, and keeps existing ones", async () => {
    await project.write('package.json', '{ "scripts": { "test": "node --test", "lint": "eslint ." } }');
    const found = [
      { name: 'test', command: 'npm test' },
      { name: 'lint', command: 'npm run lint' },
    ];
    const of = (proposals: unknown) =>
      (proposals as { setting: string }[]).filter(({ setting }) => setting === 'checks');
    const told = await project.dureJson(['init', '--yes']);
    expect(of(told.json['proposals'])).toMatchObject([{ value: found, written: true }]);
    const kept = found.map(check => ({ ...check, timeout_ms: 600_000 }));
    expect(JSON.parse((await project.dure(['config', 'get', 'checks'])).stdout)).toEqual(kept);
    await project.dure(['config', 'set', 'checks', JSON.stringify(found.slice(1))]);
    const again = await project.dureJson(['init', '--yes']);
    expect(of(again.json['proposals'])).toEqual([]);
  });

  it('rejects an unknown backend, and writes nothing', async () => {
    const { code, json } = await project.dureJson(['init', '--backend', 'abacus']);
    expect(code).toBe(2);
    expect(json.error?.code).toBe('E_BACKEND_UNKNOWN');
    expect((await project.dure(['status'])).stderr).toContain('E_NOT_A_PROJECT');
  });
});

describe('dure config', () => {
  beforeEach(() => project.dure(['init', '--yes']));

  it('shows a setting with its default, and a whole file', async () => {
    expect((await project.dure(['config', 'get', 'builder.model'])).stdout).toBe('sonnet\n');
    expect((await project.dureJson(['config', 'get', 'timeouts'])).json['value']).toMatchObject({
      builder: 600_000,
    });
    expect((await project.dureJson(['config', 'get', 'gatekeeper'])).json['value']).toMatchObject({
      max_iterations: 3,
    });
  });

  it('changes one setting and nothing else', async () => {
    const before = JSON.parse(await readFile(project.files.configOf('builder'), 'utf8'));
    const { code } = await project.dure(['config', 'set', 'builder.style.prefer_libraries', '["zod"]']);
    expect(code).toBe(0);
    const after = JSON.parse(await readFile(project.files.configOf('builder'), 'utf8'));
    expect(after).toEqual({ ...before, style: { ...before.style, prefer_libraries: ['zod'] } });
  });

  it('reports every error with its file and key, and does not write invalid values', async () => {
    const refused = await project.dure(['config', 'set', 'builder.modle', 'opus']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('Unknown setting builder.modle.');
    await project.write('.dure/config/global.json', '{"max_iterations": "three", "web_prt": 1}');
    const { code, json } = await project.dureJson(['config', 'check']);
    expect(code).toBe(2);
    expect(json.error?.message).toContain('global.json: max_iterations: expected number');
    expect(json.error?.message).toContain('unknown key web_prt');
  });
});
