/** What is answered by a short way, or from cached code, is byte for byte what the long way says. */
import { readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownIdentity } from '../../src/agents/identity.ts';
import { replaceJson } from '../../src/formats/file.ts';
import { type RunFiles, runFiles } from '../../src/formats/layout.ts';
import { ASKED, COMPLETED, FAILED, prepareRun, READY, STARTED, STOPPED } from '../commands/prepared.ts';
import { type RunOptions, type TestProject, testProject } from '../helpers/project.ts';

let project: TestProject;
beforeAll(async () => {
  project = await testProject();
  await project.dure(['init', '--yes']);
});
afterAll(() => project.remove());

const LONG = { DURE_NO_FAST: '1', NODE_DISABLE_COMPILE_CACHE: '1' };

/** The short way, the long way with and without cached code. Gives what all three said. */
async function alike(args: readonly string[], options: RunOptions = {}) {
  const short = await project.dure(args, options);
  const cached = await project.dure(args, { ...options, env: { ...options.env, DURE_NO_FAST: '1' } });
  const long = await project.dure(args, { ...options, env: { ...options.env, ...LONG } });
  expect(short).toEqual(long);
  expect(cached).toEqual(long);
  return short;
}

let second = 0;
const nextId = () => `run-20260131-1422${String(second++).padStart(2, '0')}`;

async function runOf(events: Parameters<typeof prepareRun>[2]): Promise<{ id: string; files: RunFiles }> {
  const id = nextId();
  const { files } = await prepareRun(project, id, events);
  return { id, files };
}

describe('status --json', () => {
  it.each([
    ['at work, with nobody to drive it', STARTED],
    ['waiting for an answer', ASKED],
    ['ready', READY],
    ['completed', COMPLETED],
    ['failed', FAILED],
    ['stopped', STOPPED],
  ])('is the same for a run that is %s', async (_, events) => {
    const { id } = await runOf(events);
    const { code, stdout } = await alike(['status', id, '--json']);
    expect({ code, run: JSON.parse(stdout).run_id }).toEqual({ code: 0, run: id });
    await alike(['status', '--json', id]);
    await alike(['status', '--json']);
  });

  it('is the same for a run that is driven', async () => {
    const { id, files } = await runOf(STARTED);
    await replaceJson(files.driver, { process: ownIdentity(), since: '2026-01-31T14:22:00.000Z' });
    const { stdout } = await alike(['status', id, '--json']);
    await rm(files.driver);
    expect(JSON.parse(stdout)).toMatchObject({ driven: true, phase: 'refine' });
  });

  it.each<[string, (files: RunFiles) => Promise<unknown>]>([
    ['cut short', async f => writeFile(f.state, (await readFile(f.state, 'utf8')).slice(0, 300))],
    ['empty', f => writeFile(f.state, '')],
    ['of another type', f => writeFile(f.state, '[]\n')],
    ['with a key that nobody knows', f => edited(f, s => ({ ...s, mood: 'good' }))],
    ['without a key', f => edited(f, ({ setup: _, ...s }) => s)],
    [
      'with a wrong value deep inside',
      f => edited(f, s => ({ ...s, agents: { builder: { status: 'lazy' } } })),
    ],
    ['with a day that is none', f => edited(f, s => ({ ...s, updated_at: '2026-02-30T10:00:00.000Z' }))],
    ['with a time of another zone', f => edited(f, s => ({ ...s, updated_at: '2026-02-03T10:00:00+09:00' }))],
    [
      'in other spaces',
      async f => writeFile(f.state, JSON.stringify(JSON.parse(await readFile(f.state, 'utf8')))),
    ],
    [
      'with a key twice',
      async f => writeFile(f.state, (await readFile(f.state, 'utf8')).replace('{', '{"run_id":"x",')),
    ],
    [
      'with __proto__',
      async f =>
        writeFile(
          f.state,
          (await readFile(f.state, 'utf8')).replace('"known": {', '"known": {\n    "__proto__": "x",'),
        ),
    ],
    [
      'that is a link',
      async f => {
        await rm(f.state);
        await symlink('/etc/hostname', f.state);
      },
    ],
    ['that is not there', f => rm(f.state)],
    ['beside a driver.json that is broken', f => writeFile(f.driver, '{')],
    [
      'beside complaints of plugins',
      f => writeFile(f.pluginProblems, '{"plugin":"p","problem":"it fell over"}\n'),
    ],
    [
      'beside an origin',
      f =>
        replaceJson(f.origin, {
          from: '.orchestral/x',
          phase: 'done',
          brought_at: '2026-01-31T14:22:00.000Z',
          left: [],
        }),
    ],
  ])('is the same for a state %s', async (_, damage) => {
    const { id, files } = await runOf(COMPLETED);
    await damage(files);
    await alike(['status', id, '--json']);
    await rm(files.dir, { recursive: true, force: true });
  });

  it.each([
    ['a run that is not there', ['status', 'run-20200101-000000', '--json']],
    ['no run id at all', ['status', 'nonsense', '--json']],
    ['a flag that nobody knows', ['status', '--json', '--jason']],
    ['too many arguments', ['status', 'run-20260131-142200', 'run-20260131-142201', '--json']],
    ['help', ['status', '--json', '--help']],
    ['an end of flags', ['status', '--', '--json']],
  ])('is the same for %s', async (_, args) => {
    await alike(args);
  });

  it('is the same outside of a project', async () => {
    expect((await alike(['status', '--json'], { cwd: project.beside })).code).toBe(2);
  });
});

const edited = async (files: RunFiles, change: (state: Record<string, unknown>) => object) =>
  replaceJson(files.state, change(JSON.parse(await readFile(files.state, 'utf8'))));

describe('the rest', () => {
  const calls = [
    ['--version'],
    ['-V'],
    ['--version', 'status'],
    ['__complete', '--', ''],
    ['__complete', '--', 'status', ''],
    ['__complete', '--', 'wait', '--for', ''],
    ['__complete', '--', 'start', '--file', ''],
    ['__complete'],
    ['--help'],
    ['history'],
    ['history', '-n', '3'],
    ['history', '--limit', '2'],
    ['history', '--limit', '0'],
    ['history', '--state', 'failed'],
    ['logs'],
    ['logs', '--json'],
    ['logs', 'nonsense'],
    ['config', 'get'],
    ['completion', 'zsh'],
    ['not-a-command'],
  ];
  it.each(calls.map(args => [args.join(' '), args] as const))('%s is the same', async (_, args) => {
    const { stdout, stderr } = await alike(args);
    expect(stdout + stderr).not.toBe('');
  });

  it('characters of every script survive the way through cached code', async () => {
    const { id } = await runOf(COMPLETED);
    await writeFile(runFiles(project.files.run(id)).raw, 'Größe, 크기 → 🙂\n');
    const { stdout } = await alike(['status', id]);
    expect(stdout).toContain('Größe, 크기 → 🙂');
    expect(stdout).toContain(' · ');
    expect((await alike(['status', id], { env: { LANG: 'ko_KR.UTF-8' } })).stdout).toMatch(/[가-힣]/);
  });

  it('a plugin that hooks into every command is heard by every command', async () => {
    const plugin = join(project.beside, 'hooked');
    await replaceJson(join(plugin, 'package.json'), {
      name: 'hooked',
      version: '1.0.0',
      oclif: { hooks: { init: './init.js' } },
    });
    await writeFile(join(plugin, 'init.js'), `module.exports = async () => { console.error('hooked') };\n`);
    await replaceJson(join(plugin, 'oclif.manifest.json'), { version: '1.0.0', commands: {} });
    await project.dure(['plugins', 'link', '--no-install', plugin]);
    for (const args of [['--version'], ['status', '--json']])
      expect((await alike(args)).stderr).toContain('hooked');
    await project.dure(['plugins', 'uninstall', 'hooked']);
  });
});

describe('cached code', () => {
  const folder = () => join(project.env['HOME']!, '.cache/dure/v8');
  const cached = async () => Promise.all((await readdir(folder())).map(name => join(folder(), name)));

  it('is kept for its owner alone, and replaced when it is torn', async () => {
    const before = await project.dure(['completion', 'bash']);
    const [file] = await cached();
    expect((await stat(folder())).mode & 0o777).toBe(0o700);
    expect((await stat(file!)).mode & 0o777).toBe(0o600);
    const whole = await readFile(file!);
    for (const torn of [
      Buffer.alloc(0),
      whole.subarray(0, whole.length >> 1),
      whole.fill(0, 4096, 8192),
      Buffer.alloc(whole.length),
    ]) {
      await writeFile(file!, torn);
      expect(await project.dure(['completion', 'bash'])).toEqual(before);
      expect((await stat(file!)).size).toBeGreaterThan(100_000);
    }
  });

  it('may be out of reach, or made by several at once', async () => {
    const before = await project.dure(['completion', 'bash']);
    const file = join(project.beside, 'a-file');
    await writeFile(file, '');
    expect(await project.dure(['completion', 'bash'], { env: { DURE_CACHE_DIR: file } })).toEqual(before);
    const env = { DURE_CACHE_DIR: join(project.beside, 'fresh') };
    const all = await Promise.all(
      Array.from({ length: 6 }, () => project.dure(['completion', 'bash'], { env })),
    );
    for (const one of all) expect(one).toEqual(before);
    expect(await readdir(join(env.DURE_CACHE_DIR, 'v8'))).toHaveLength(1);
  });
});
