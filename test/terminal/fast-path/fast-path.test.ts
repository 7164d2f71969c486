/** The fast path prints exactly what the command prints. */

import { execFile } from 'node:child_process';
import { cp, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunFiles, runFiles } from '../../../src/formats/layout.ts';
import { replaceJson } from '../../../src/formats/read-and-write-files.ts';
import { packageRoot } from '../../../src/process/package-paths-and-version.ts';
import { ASKED, COMPLETED, prepareRun } from '../../commands/prepared-runs.ts';
import { type RunOptions, type TestProject, testProject } from '../../helpers/test-project.ts';

const RUN = 'run-20260131-142201';
let project: TestProject;
let files: RunFiles;
beforeAll(async () => {
  project = await testProject();
  await project.spawnDure(['init', '--yes']);
  await prepareRun(project, 'run-20260131-142200', ASKED);
  await prepareRun(project, RUN, COMPLETED);
  files = runFiles(project.files.run(RUN));
});
afterAll(() => project.remove());

/** The age of a run that is not over changes between two calls. */
const untimed = (end: Awaited<ReturnType<TestProject['spawnDure']>>) => ({
  ...end,
  stdout: end.stdout.replace(/"duration_ms": \d+/g, '"duration_ms": 0'),
});

async function alike(args: readonly string[], options: RunOptions = {}) {
  const fast = await project.spawnDure(args, options);
  const slow = await project.spawnDure(args, { ...options, env: { ...options.env, DURE_NO_FAST: '1' } });
  expect(untimed(fast)).toEqual(untimed(slow));
  return fast;
}

it.each([
  [['--version']],
  [['__complete', '--', 'wait', '--for', '']],
  [['status', '--json']],
  [['status', 'run-20260131-142200', '--json']],
])('dure %j prints the same with and without the fast path', async args => {
  expect(await alike(args)).toMatchObject({ code: 0, stdout: expect.stringMatching(/./) });
});

it.each([
  ['an unknown run', ['status', 'run-20200101-000000', '--json']],
  ['an unknown flag', ['status', '--json', '--jason']],
])('%s causes the same error with and without the fast path', async (_, args) => {
  expect((await alike(args)).code).not.toBe(0);
});

it('outside a project, status --json causes the same error with and without the fast path', async () => {
  expect((await alike(['status', '--json'], { cwd: project.parentFolder })).code).toBe(2);
});

it('the fast path and the programs that run in panes need no packages', async () => {
  const alone = join(project.parentFolder, 'alone');
  for (const name of ['bin', 'dist', 'package.json', 'oclif.manifest.json'])
    await cp(join(packageRoot, name), join(alone, name), { recursive: true });
  const run = (args: readonly string[]) =>
    promisify(execFile)(process.execPath, args, { cwd: project.root, env: project.env }).then(
      ({ stdout }) => stdout,
      ({ stderr }) => stderr as string,
    );
  const dure = (...args: string[]) => run([join(alone, 'bin/run.js'), ...args]);
  expect(await dure('--version')).toMatch(/^dure\//);
  expect(JSON.parse(await dure('status', '--json'))).toMatchObject({ ok: true, phase: 'completed' });
  expect(await dure('__complete', '--', 'sta')).toContain('start');
  expect(await dure('history')).toContain("Cannot find package '@oclif/core'");
  for (const name of ['runner', 'consult', 'rehearse'])
    expect(await run([join(alone, 'dist', `${name}.cjs`)])).not.toContain('Cannot find');
});

it.each<[string, (files: RunFiles) => Promise<unknown>]>([
  ['a truncated state.json', f => writeFile(f.state, '{ "run_id":')],
  ['no state.json', f => rm(f.state)],
  ['a state.json that is a link', f => symlink('/etc/hostname', f.state)],
  ['plugin problems', f => writeFile(f.pluginProblems, '{"plugin":"p","problem":"it fell over"}\n')],
])('status --json prints the same output with and without the fast path for %s', async (_, damage) => {
  await damage(files);
  await alike(['status', RUN, '--json']);
});

it("a plugin's hook runs for every command", async () => {
  const plugin = join(project.parentFolder, 'hooked');
  const manifest = { name: 'hooked', version: '1.0.0', oclif: { hooks: { init: './init.js' } } };
  await replaceJson(join(plugin, 'package.json'), manifest);
  await writeFile(join(plugin, 'init.js'), `module.exports = async () => { console.error('hooked') };\n`);
  await replaceJson(join(plugin, 'oclif.manifest.json'), { version: '1.0.0', commands: {} });
  await project.spawnDure(['plugins', 'link', '--no-install', plugin]);
  for (const args of [['--version'], ['status', '--json']])
    expect((await alike(args)).stderr).toContain('hooked');
});
