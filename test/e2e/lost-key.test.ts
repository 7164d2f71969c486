/**
 * The key of a run is missing: nothing continues by itself, and `dure recover` continues the run. A log that names no
 * key is damaged.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { verifyRun } from '../../src/core/run/record/verify-integrity.ts';
import { readEvents } from '../../src/core/run/run-store.ts';
import { type RunFiles, runFiles } from '../../src/formats/layout.ts';
import { chainWithoutKey, logText, withoutKey } from '../helpers/log-text.ts';
import { endProcesses, type TestProject, testProject } from '../helpers/test-project.ts';
import { asks, builds, cassette } from './agent-moves.ts';

const asking = cassette({ builder: [[asks('crp-001', 'builder'), { exit: 0 }], builds('hello\n')] });
const START = ['start', 'Write greeting.txt', '--launcher', 'process', '--detach', '--no-browser'];
const UNTIL = ['--for', 'human', '--timeout', '300'];

let project: TestProject;
beforeEach(async () => {
  project = await testProject();
  onTestFinished(() => project.remove());
  await project.dure(['init', '--yes', '--backend', 'rehearsal']);
  await project.write('.dure/rehearsal.cassette.json', JSON.stringify(asking));
});

async function started(): Promise<{ id: string; files: RunFiles }> {
  const id = String((await project.dureJson(START)).json['run_id']);
  return { id, files: runFiles(project.files.run(id)) };
}

const loseKey = () => rm(join(project.env['HOME']!, '.local/state/dure'), { recursive: true });

async function reaches(id: string, phase: string): Promise<void> {
  const { json } = await project.dureJson(['wait', id, ...UNTIL]);
  expect(json, JSON.stringify(json)).toMatchObject({ phase });
}

/** The run accepts no decision and does not continue; the error names the commands that help. */
async function expectNoKey(...args: string[]): Promise<void> {
  const { json } = await project.dureJson(args);
  expect(json.error?.code, JSON.stringify(json)).toBe('E_KEY');
  const id = args[1]!;
  for (const way of [`dure recover ${id} --how rekey`, `as branch dure/${id}`, `dure clean ${id} --force`])
    expect(json.error!.suggestions.join('\n')).toContain(way);
}

const rekey = async (id: string) => {
  const { code, stderr } = await project.dure(['recover', id, '--how', 'rekey']);
  expect(code, stderr).toBe(0);
};

async function faults(files: RunFiles) {
  const env = { ...process.env };
  Object.assign(process.env, { HOME: project.env['HOME'], XDG_STATE_HOME: '' });
  try {
    return (await verifyRun(project.files, files)).checks.filter(({ fault }) => fault !== null);
  } finally {
    process.env = env;
  }
}

test('a run whose key is lost twice continues with a new key each time; its answers count, and its pack warns that the key was missing', async () => {
  const { id, files } = await started();
  await reaches(id, 'waiting_human');
  await loseKey();
  await expectNoKey('answer', id, '--decision', 'A');
  await expectNoKey('recover', id);
  await rekey(id);
  expect(
    (await project.dure(['answer', id, '--decision', 'A', '--rationale', 'because of the key'])).code,
  ).toBe(0);
  await reaches(id, 'ready_for_merge');
  const warning =
    /Warning: the first \d+ events of this run were not checked.*Its key was not on this machine/;
  expect(await readFile(files.summary, 'utf8')).toMatch(warning);

  await loseKey();
  await expectNoKey('approve', id);
  await rekey(id);
  await reaches(id, 'ready_for_merge');
  const log = () => readFile(files.events, 'utf8');
  await expect.poll(async () => (await log()).split(' mrp.created ').length).toBe(3);
  const summary = await readFile(files.summary, 'utf8');
  expect(summary).toMatch(warning);
  expect(summary).toContain('because of the key');
  expect(await faults(files)).toEqual([]);
  const approved = await project.dure(['approve', id]);
  expect(approved.code, approved.stderr).toBe(0);
  expect(await readFile(join(project.root, 'greeting.txt'), 'utf8')).toBe('hello\n');
  expect(await readFile(join(files.damaged(2), 'events.log'), 'utf8')).toContain('mrp.created');
});

test('a log that was replaced by one that names no key counts as damaged, and no decision counts', async () => {
  const { id, files } = await started();
  await reaches(id, 'waiting_human');
  await endProcesses(project.files);
  await writeFile(files.events, logText(withoutKey(await readEvents(files)), chainWithoutKey));
  await rm(files.state);
  const answer = { crp_id: 'crp-001', decision: 'B', rationale: 'forged', applies_to_future: false };
  const vcr = { vcr_id: 'vcr-001', created_at: new Date().toISOString(), ...answer };
  await writeFile(files.vcr('vcr-001'), JSON.stringify(vcr));

  for (const [code, ...args] of [
    ['E_RUN_DAMAGED', 'recover', id],
    ['E_RUN_DAMAGED', 'recover', id, '--how', 'rekey'],
    ['E_RUN_DAMAGED', 'recover', id, '--how', 'rewind'],
    ['E_LOG_CORRUPT', 'answer', id, '--decision', 'A'],
  ]) {
    const { json } = await project.dureJson(args);
    expect(json.error, JSON.stringify(json)).toMatchObject({
      code,
      message: expect.stringContaining('names no key'),
    });
  }
  const { json } = await project.dureJson(['recover', id, '--how', 'rewind']);
  expect(json.error).toMatchObject({
    message: expect.stringContaining('No event is intact.'),
    suggestions: [expect.stringContaining('copy of events.log'), expect.stringContaining('briefing/raw.md')],
  });
  expect(await readFile(files.events, 'utf8')).not.toContain('vcr.created');
});

test("without the run's key, the result can be kept as a branch and the run can be removed", async () => {
  await project.write('.dure/rehearsal.cassette.json', JSON.stringify(cassette()));
  const { id, files } = await started();
  await reaches(id, 'ready_for_merge');
  await loseKey();
  await expectNoKey('reject', id, '--feedback', 'Be warmer');
  expect((await project.dure(['recover', id, '--how', 'branch'])).code).toBe(0);
  expect(await project.git('show', `dure/${id}:greeting.txt`)).toBe('hello\n');
  await endProcesses(project.files);
  const cleaned = await project.dure(['clean', id, '--force', '--yes']);
  expect(cleaned.code, cleaned.stderr).toBe(0);
  expect(existsSync(files.dir)).toBe(false);
});

test('a new run is refused at once if the leader would not find its key, and no run is created', async () => {
  const { id } = await started();
  await reaches(id, 'waiting_human');
  const other = { XDG_STATE_HOME: join(project.parentFolder, 'other') };
  const { json } = await project.dureJson(START, { env: other });
  expect(json.error, JSON.stringify(json)).toMatchObject({
    code: 'E_OTHER_STATE_FOLDER',
    message: expect.stringContaining(join(other.XDG_STATE_HOME, 'dure')),
    suggestions: expect.arrayContaining([expect.stringMatching(/`kill \d+`/)]),
  });
  expect(await readdir(project.files.runs)).toEqual([id]);
});
