/** An error names what was wrong and the next step that helps, whichever part of Dure noticed it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { replaceJson } from '../../src/formats/read-and-write-files.ts';
import { identityOf } from '../../src/process/identity.ts';
import { openRepository } from '../../src/workspace/git/open-repository.ts';
import { writeBundle } from '../../src/workspace/pack/write-git-bundle.ts';
import { type TestProject, testProject } from '../helpers/test-project.ts';
import { ASKED, prepareRun, STARTED } from './prepared-runs.ts';

const ASKING = 'run-20260131-142201';
const DRIVEN = 'run-20260131-142202';
let project: TestProject;
beforeAll(async () => {
  project = await testProject();
  await project.dure(['init', '--yes', '--backend', 'rehearsal']);
  const asking = await prepareRun(project, ASKING, ASKED);
  await replaceJson(asking.files.crp('crp-001'), {
    crp_id: 'crp-001',
    created_by: 'refiner',
    type: 'clarification',
    question: 'Which database?',
    options: [{ id: 'sqlite', label: 'SQLite' }],
    status: 'pending',
  });
  const { files } = await prepareRun(project, DRIVEN, STARTED);
  // It is ended together with the project.
  const driver = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], { stdio: 'ignore' });
  await once(driver, 'spawn');
  await replaceJson(files.driver, { process: identityOf(driver.pid!), since: new Date().toISOString() });
});
afterAll(() => project.remove());

const errorOf = async (...args: string[]) => {
  const { code, json } = await project.dureJson(args);
  const { error } = json;
  return { exit: code, code: error!.code, message: error!.message, advice: error!.suggestions.join('\n') };
};

test.each([
  [['history', '-n', '0'], 'history'],
  [['wait', '--timeout', 'abc'], 'wait'],
  [['wait', '--for', 'foo'], 'wait'],
  [['completion', 'tcsh'], 'completion'],
  [['start', 'x', '--port'], 'start'],
  [['reject', '-m'], 'reject'],
])('%j is a usage error that points to the help of the command', async (args, command) => {
  const error = await errorOf(...args);
  expect(error).toMatchObject({ exit: 2, code: 'E_USAGE', advice: `See \`dure ${command} --help\`.` });
  expect(error.message).not.toContain('Parsing');
});

test('when config set rejects a value, the error does not blame the config files, which are valid', async () => {
  const error = await errorOf('config', 'set', 'budget_usd', '-3');
  expect(error).toMatchObject({
    code: 'E_CONFIG_VALUE',
    advice: expect.stringContaining('Nothing was changed'),
  });
  await project.write('.dure/config/refiner.json', '{"nope": 1}');
  expect((await errorOf('config', 'set', 'budget_usd', '-3')).advice).toContain('Fix the files');
  await project.write('.dure/config/refiner.json', '{}');
});

test('clean on a run with a driver suggests stopping the run, not --force, which would not remove it', async () => {
  const { code, advice } = await errorOf('clean', DRIVEN, '--yes');
  expect({ code, advice }).toEqual({
    code: 'E_KEPT',
    advice: expect.stringContaining(`dure stop ${DRIVEN}`),
  });
  expect(advice).not.toContain('--force');
});

test('--yes is only suggested if there is a recommendation', async () => {
  const { code, advice } = await errorOf('answer', ASKING, '--yes');
  expect({ code, advice }).toEqual({
    code: 'E_NO_ANSWER',
    advice: 'Answer with `dure answer --decision ID`.',
  });
});

test('writing a bundle to a folder that does not exist is reported as a file error, not a git error', async () => {
  const repo = await openRepository(project.root, project.files.shadow);
  const file = join(project.parentFolder, 'none/x.bundle');
  await expect(writeBundle(repo, 'HEAD', [], file)).rejects.toMatchObject({
    code: 'E_DISK',
    message: `${file} could not be written: its folder does not exist.`,
    suggestions: ['Create the folder, then try again.'],
  });
});

test('without tmux, a run with --launcher tmux is refused before it is created', async () => {
  const bin = join(project.parentFolder, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'tmux'), '#!/bin/sh\nexit 127\n', { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env['PATH']}` };
  const runs = async () => {
    const { json } = await project.dureJson(['history']);
    return (json['runs'] as { run_id: string }[]).map(({ run_id }) => run_id);
  };
  const before = await runs();
  const { json } = await project.dureJson(['start', 'x', '--launcher', 'tmux'], { env });
  expect(json.error).toMatchObject({ code: 'E_TMUX' });
  expect(await runs()).toEqual(before);
});

test('review of a run with an open question and no pack suggests answering the question', async () => {
  expect((await errorOf('review', ASKING)).advice).toBe(`Answer its question: \`dure answer ${ASKING}\`.`);
});

test.each([
  ['start', 'x', '--budget', ''],
  ['start', 'x', '--backend', ''],
  ['start', 'x', '--base', ''],
  ['start', '--file', ''],
  ['clean', '--older-than', ''],
  ['status', ''],
  ['plugins', 'install', ''],
])('an empty value is shown as "" in the error: %j %j %j', async (...args) => {
  expect((await errorOf(...args)).message).toContain('""');
});

test('a run without a log is named by its id', async () => {
  const empty = 'run-20260131-142203';
  await mkdir(project.files.run(empty));
  for (const args of [['status'], ['status', empty]])
    expect(await errorOf(...args)).toMatchObject({
      code: 'E_RUN_NOT_FOUND',
      message: `Run ${empty} not found.`,
    });
  await rm(project.files.run(empty), { recursive: true });
});

test('approve refuses a --tree value that is not a tree id before it reports any other problem', async () => {
  expect(await errorOf('approve', ASKING, '--tree', 'zzz')).toMatchObject({
    exit: 2,
    code: 'E_TREE',
    message: 'zzz is not the id of a tree.',
  });
});
