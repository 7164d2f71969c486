import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { demoBriefing, demoProject } from '../../src/agents/rehearsal/cassettes/demo-files.ts';
import { leaderOf } from '../../src/daemon/leader-election.ts';
import { projectFiles } from '../../src/formats/layout.ts';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';

const PATIENCE_MS = 300_000;
const run = promisify(execFile);

let dir: string;
let env: NodeJS.ProcessEnv;
const projects: string[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'dure script '));
  const [script, command] = [join(dir, 'lib', 'dure'), join(dir, 'bin', 'dure')];
  for (const file of [script, command]) await mkdir(dirname(file));
  await symlink(join(packageRoot, 'bin', 'run.js'), script);
  await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`, { mode: 0o755 });
  env = { ...process.env, PATH: [dirname(command), process.env['PATH']].join(delimiter) };
});
afterAll(async () => {
  for (const root of projects) {
    await run('dure', ['stop'], { cwd: root, env }).catch(() => {});
    // The leader writes to the project folder when it exits after the last run, so the folder must still exist.
    await vi.waitFor(async () => expect(await leaderOf(projectFiles(root))).toBeNull(), PATIENCE_MS);
  }
  await rm(dir, { recursive: true, force: true, maxRetries: 20 });
});

async function project(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const root = join(dir, name);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=A Person', '-c', 'user.email=person@example.org', ...args], { cwd: root });
  await git('init', '--quiet', '--initial-branch=main');
  await git('config', 'user.name', 'Ann');
  await git('config', 'user.email', 'ann@example.org');
  await git('add', '--all');
  await git('commit', '--quiet', '--message=Begin');
  projects.push(root);
  await run('dure', ['init', '--yes', '--backend', 'rehearsal', '--json'], { cwd: root, env });
  return root;
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the script from the documentation. */
const ci = (cwd: string, ...args: string[]): Promise<Ended> =>
  run(join(packageRoot, 'examples', 'ci.sh'), [...args, '--launcher', 'process'], { cwd, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Ended) => error,
  );

test('examples/ci.sh takes a briefing through a question, a fix and a pack to a merge', async () => {
  const root = await project('blog', demoProject);
  const { code, stdout, stderr } = await ci(root, demoBriefing, '--cassette', 'demo');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    phase: 'completed',
    verdict: { verdict: 'PASS' },
    tests: { machine: 'pass' },
  });
  const { stdout: subject } = await run('git', ['log', '-1', '--format=%s'], { cwd: root });
  expect(subject).toContain('Addresses for posts');
  expect(await readFile(join(root, 'src', 'slugify.js'), 'utf8')).toContain('slugify');
});

test('examples/ci.sh leaves the result on its own branch when HEAD is detached', async () => {
  const root = await project('job', { 'README.md': '# Nothing yet\n' });
  await run('git', ['checkout', '--quiet', '--detach'], { cwd: root });
  const { code, stdout, stderr } = await ci(root, 'Leave a note');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { run_id, phase } = JSON.parse(stdout) as { run_id: string; phase: string };
  expect(phase).toBe('completed');
  const { stdout: files } = await run('git', ['ls-tree', '--name-only', `dure/${run_id}`], { cwd: root });
  expect(files).toContain('REHEARSAL.md');
});

test('examples/ci.sh exits with the status of the first failed command and prints its error', async () => {
  const root = await project('empty', { 'README.md': '# Nothing yet\n' });
  const { code, stdout, stderr } = await ci(root, '  ');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(JSON.parse(stderr).error.code).toBe('E_BRIEFING_EMPTY');
});

test('examples/ci.sh exits with 3 on a question without a recommendation', async () => {
  const root = await project('stuck', { 'README.md': '# Nothing yet\n' });
  const cassette = join(dir, 'stuck.cassette.json');
  const fails = [{ print: 'I cannot.\n' }, { exit: 1 }];
  await writeFile(cassette, JSON.stringify({ title: 'a refiner that fails', parts: { refiner: [fails] } }));
  const { code, stderr } = await ci(root, 'Do something', '--cassette', cassette);
  expect(code).toBe(3);
  expect(JSON.parse(stderr).error.code).toBe('E_NO_ANSWER');
  const { stdout } = await run('dure', ['stop', '--json'], { cwd: root, env });
  expect(
    JSON.parse(await run('dure', ['status', '--json'], { cwd: root, env }).then(r => r.stdout)).phase,
  ).toBe('stopped');
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, phase: 'stopped' });
});
