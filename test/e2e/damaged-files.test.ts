/**
 * Damaged files of a run. Derived files are rebuilt, and the run ends in the same merge. A damaged log stops the run; a
 * person decides how it is recovered.
 */
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  keepSealedAsBranch,
  recoverableOf,
  rewindLog,
} from '../../src/core/run/record/recover-damaged-run.ts';
import { verifyRun } from '../../src/core/run/record/verify-integrity.ts';
import { openQuestion, writeAnswer } from '../../src/core/run/requests/write-answer.ts';
import { requestApproval } from '../../src/core/run/requests/write-requests.ts';
import { readState, runStatus } from '../../src/core/run/run-store.ts';
import { driveRun } from '../../src/daemon/drive-run.ts';
import type { RunEvent } from '../../src/formats/events/events.ts';
import { type ProjectFiles, projectFiles, type RunFiles, runFiles } from '../../src/formats/layout.ts';
import type { RunState } from '../../src/formats/state.ts';
import { ownIdentity } from '../../src/process/identity.ts';
import { runIndex } from '../../src/server/runs/run-index.ts';
import { git } from '../helpers/git-repositories.ts';
import { asks, builds, cassette } from './agent-moves.ts';
import { type ScratchProject, scratchProject, type TestRun } from './scratch-project.ts';

type Harm = (file: string) => Promise<void>;
const HARMS = {
  'cut in half': async file => truncate(file, Math.floor((await stat(file)).size / 2)),
  'cut by 40 bytes': async file => truncate(file, (await stat(file)).size - 40),
  empty: file => writeFile(file, ''),
  garbage: file => writeFile(file, '{'),
  deleted: file => rm(file, { recursive: true }),
  'a folder': async file => {
    await rm(file, { recursive: true, force: true });
    await mkdir(file);
  },
  changed: async file => {
    const bytes = await readFile(file);
    bytes[200] = bytes[200]! ^ 1;
    await writeFile(file, bytes);
  },
  extended: file => appendFile(file, 'what\n'),
  /** Its pid has been reused, by this process. */
  'of a dead process': file =>
    writeFile(
      file,
      JSON.stringify({ process: { ...ownIdentity(), started: '1' }, since: '2026-01-31T14:22:07.000Z' }),
    ),
} satisfies Record<string, Harm>;
type HarmName = keyof typeof HARMS;

interface Copy {
  readonly root: string;
  readonly project: ProjectFiles;
  readonly files: RunFiles;
  drive(): Promise<RunState>;
  approve(state: RunState): Promise<RunState>;
}

const ended: (() => Promise<void>)[] = [];
let set: ScratchProject;
let ready: TestRun;
let asking: TestRun;
let building: TestRun;

const drive = (
  project: ProjectFiles,
  files: RunFiles,
  onEvent?: (event: RunEvent) => void,
  signal?: AbortSignal,
) =>
  driveRun(project, files, set.plugins, {
    signal: signal ?? new AbortController().signal,
    untilIdle: true,
    ...(onEvent && { onEvent }),
  });

beforeAll(async () => {
  set = await scratchProject({ onTestFinished: work => void ended.push(work as () => Promise<void>) });
  ready = await set.start(cassette());
  expect((await ready.drive()).phase).toBe('ready_for_merge');
  asking = await set.start(cassette({ builder: [[asks('crp-001', 'builder')], builds('hello\n')] }));
  expect((await asking.drive()).phase).toBe('waiting_human');
  building = await set.start(cassette());
  const leaving = new AbortController();
  const at = await drive(
    set.project,
    building.files,
    event => {
      if (event.type === 'agent.started' && event.step === 'build') leaving.abort();
    },
    leaving.signal,
  );
  expect(at).toMatchObject({ phase: 'interrupted', interrupted_from: 'build' });
  while (!existsSync(building.files.exit(at.launch))) await pause(50);
});
afterAll(async () => {
  for (const work of ended) await work();
});

let copies = 0;
/** A copy of the project, in which one file of the run is damaged. */
async function damaged(run: TestRun, name: string, how: HarmName): Promise<Copy> {
  copies += 1;
  const root = join(dirname(set.root), `copy-${copies}`);
  await cp(set.root, root, { recursive: true, verbatimSymlinks: true });
  const project = projectFiles(root);
  const files = runFiles(project.run(run.runId));
  git(root, 'worktree', 'repair', files.worktree);
  await HARMS[how](join(files.dir, name));
  return {
    root,
    project,
    files,
    drive: () => drive(project, files),
    async approve(state) {
      await requestApproval(files, state, { how: 'merge' });
      return drive(project, files);
    },
  };
}

/** For the message of a failed test. */
const questionIn = async ({ files }: Copy, { pending_crp: crp }: RunState) =>
  crp === null ? '' : readFile(files.crp(crp), 'utf8');

const merged = (copy: Copy) => readFile(join(copy.root, 'greeting.txt'), 'utf8');

describe('a run that waits for approval', () => {
  test.each<[string, HarmName[]]>([
    ['state.json', ['cut in half', 'empty', 'garbage', 'deleted', 'a folder']],
    ['driver.json', ['empty', 'garbage', 'a folder', 'of a dead process']],
    ['delivered.json', ['garbage', 'a folder']],
    ['mrp/evidence.json', ['garbage', 'deleted']],
    ['mrp/summary.md', ['a folder']],
    ['mrp', ['deleted']],
    ['verifier/test-output.json', ['garbage']],
    ['gatekeeper/verdict.json', ['garbage']],
    ['verifier', ['deleted']],
    ['gatekeeper', ['deleted']],
    ['builder/output/.git', ['garbage', 'deleted']],
    ['../../../.git/worktrees', ['deleted']],
    ['launches', ['deleted']],
    ['sealed', ['deleted']],
    ['prompts', ['deleted']],
    ['logs', ['deleted']],
    ['briefing', ['deleted']],
    ['builder/output', ['deleted']],
  ])('ends in the same merge as an undamaged run, even with %s damaged', async (name, harms) => {
    for (const how of harms) {
      const copy = await damaged(ready, name, how);
      expect((await runStatus(copy.files))?.state.phase, how).toBe('ready_for_merge');
      let state = await copy.approve((await readState(copy.files))!);
      // A damaged pack is created again, and a person has to see it before it is approved.
      if (state.phase === 'ready_for_merge') state = await copy.approve(state);
      expect(state.phase, how).toBe('completed');
      expect(await merged(copy)).toBe('hello\n');
    }
  });

  test.each<[HarmName, number]>([
    ['cut in half', 1],
    ['cut by 40 bytes', 1],
    ['extended', 1],
    ['changed', 0],
    ['empty', 0],
    ['deleted', 0],
    ['a folder', 0],
  ])('is not shown as ready when its log is damaged (%s), and can be recovered', async (how, atLeast) => {
    const copy = await damaged(ready, 'events.log', how);
    const status = await runStatus(copy.files);
    expect(status).toMatchObject({
      state: { phase: 'interrupted', reason: expect.stringContaining('damaged') },
    });
    expect(status?.damage).not.toBeNull();
    const index = runIndex(copy.project);
    await index.refresh();
    expect(index.get(ready.runId)?.row).toMatchObject({
      phase: 'interrupted',
      wants: null,
      problem: expect.stringContaining('events.log'),
    });
    await expect(copy.drive()).rejects.toMatchObject({ code: 'E_LOG_CORRUPT' });

    const left = await recoverableOf(copy.project, copy.files);
    expect(left.sealed).toMatchObject({ step: 'build' });
    expect(left.intact).toBeGreaterThanOrEqual(atLeast);
    const { branch } = await keepSealedAsBranch(copy.project, copy.files);
    expect(git(copy.root, 'show', `${branch}:greeting.txt`)).toBe('hello');
    if (atLeast === 0) return expect(rewindLog(copy.files)).rejects.toMatchObject({ code: 'E_LOG_CORRUPT' });
    await rewindLog(copy.files);
    expect(existsSync(join(copy.files.damaged(1), 'events.log'))).toBe(true);
    const state = await copy.drive();
    expect(state.phase, await questionIn(copy, state)).toBe('ready_for_merge');
    expect((await copy.approve(state)).phase).toBe('completed');
    expect(await merged(copy)).toBe('hello\n');
  });
});

test('a torn last line is dropped, even without state.json, and the run ends in the same merge as an undamaged one', async () => {
  const copy = await damaged(ready, 'state.json', 'deleted');
  await appendFile(copy.files.events, '2026-01-31T14:22:07.000Z [INFO] run.comp');
  expect((await runStatus(copy.files))?.state.phase).toBe('ready_for_merge');
  expect((await copy.approve((await readState(copy.files))!)).phase).toBe('completed');
  expect(await merged(copy)).toBe('hello\n');
});

test('a run with half a log and no state.json continues from the complete lines that remain, and ends in the same merge as an undamaged one', async () => {
  const copy = await damaged(ready, 'state.json', 'deleted');
  const lines = (await readFile(copy.files.events, 'utf8')).split('\n');
  const half = lines.slice(0, Math.floor(lines.length / 2));
  await writeFile(copy.files.events, `${half.join('\n')}\n`);
  let state = await copy.drive();
  // The launches that the log has lost have already been claimed, so a person may be asked.
  for (let asked = 0; state.phase === 'waiting_human' && asked < 3; asked += 1) {
    const crp = await openQuestion(copy.files, state);
    await writeAnswer(copy.files, state, crp, { decision: crp.recommendation ?? crp.options[0]!.id });
    state = await copy.drive();
  }
  expect(state.phase, await questionIn(copy, state)).toBe('ready_for_merge');
  expect((await copy.approve(state)).phase).toBe('completed');
  expect(await merged(copy)).toBe('hello\n');
});

test('an answer is quoted in later prompts even if its file was damaged after it was used', async () => {
  const copy = await damaged(asking, 'delivered.json', 'deleted');
  const waiting = (await readState(copy.files))!;
  const crp = await openQuestion(copy.files, waiting);
  const { vcr_id } = await writeAnswer(copy.files, waiting, crp, {
    decision: 'A',
    rationale: 'Short is better.',
  });
  const leaving = new AbortController();
  await drive(
    copy.project,
    copy.files,
    event => {
      if (event.type === 'vcr.created') leaving.abort();
    },
    leaving.signal,
  );
  await rm(copy.files.vcr(vcr_id));
  const state = await copy.drive();
  expect(state.phase, await questionIn(copy, state)).toBe('ready_for_merge');
  expect(await readFile(copy.files.prompt('builder'), 'utf8')).toContain('Short is better.');
});

test('a run continues after TMPDIR is removed, as happens when a login session ends', async () => {
  const copy = await damaged(building, 'delivered.json', 'deleted');
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = join(copy.root, 'ended-session');
  try {
    const state = await copy.drive();
    expect(state.phase, await questionIn(copy, state)).toBe('ready_for_merge');
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
});

test('files that a killed process was writing are removed by the next driver', async () => {
  const copy = await damaged(ready, 'delivered.json', 'deleted');
  const { dir, launches, vcrs } = copy.files;
  await mkdir(vcrs, { recursive: true });
  const left = [
    join(dir, 'state.json.2768091233'),
    join(dir, 'driver.json.4711'),
    join(launches, '3.claim.json.4711.0a1b2c3d'),
  ];
  const [young, another] = [join(dir, 'state.json.123'), join(vcrs, 'vcr-001.json')];
  for (const file of [...left, young, another]) await writeFile(file, '{');
  for (const file of [...left, another]) await utimes(file, 1, 1);
  expect((await copy.drive()).phase).toBe('ready_for_merge');
  expect([...left, young, another].filter(existsSync)).toEqual([young, another]);
});

test.each<[string, HarmName, string]>([
  ['events.log', 'changed', 'log'],
  ['events.log', 'cut by 40 bytes', 'log'],
  ['state.json', 'garbage', 'state'],
  ['mrp/summary.md', 'extended', 'pack'],
  ['sealed', 'deleted', 'bundles'],
  ['briefing', 'deleted', ''],
])('verify names what is damaged: %s %s', async (name, how, check) => {
  const copy = await damaged(ready, name, how);
  const { checks } = await verifyRun(copy.project, copy.files);
  const faulty = checks.filter(({ fault }) => fault !== null).map(one => one.check);
  expect(faulty.includes(check as never) || (check === '' && faulty.length === 0), faulty.join()).toBe(true);
  expect(faulty).not.toContain('seals');
  git(copy.root, 'update-ref', '-d', `refs/heads/dure/${ready.runId}`);
  const { sealed } = (await readState(copy.files))!;
  const id = git(copy.root, 'rev-parse', `${sealed['build']!.commit}:greeting.txt`);
  await rm(join(copy.root, '.git/objects', id.slice(0, 2), id.slice(2)));
  const { checks: again } = await verifyRun(copy.project, copy.files);
  expect(again.find(one => one.check === 'seals')?.fault).toContain('build');
});

test.each<HarmName>(['garbage', 'empty', 'deleted'])(
  'a question whose file is damaged (%s) is read from the log',
  async how => {
    const copy = await damaged(asking, 'crp/crp-001.json', how);
    const state = (await readState(copy.files))!;
    expect(await openQuestion(copy.files, state)).toMatchObject({ question: 'Which greeting?' });
    expect((await copy.drive()).phase).toBe('waiting_human');
  },
);

test.each<[string, HarmName[]]>([
  ['json', ['garbage']],
  ['claim.json', ['garbage', 'empty']],
  ['exit.json', ['cut in half', 'garbage']],
])('a run continues when launches/N.%s of its current launch is damaged', async (name, harms) => {
  const { launch } = await building.state();
  for (const how of harms) {
    const copy = await damaged(building, `launches/${launch}.${name}`, how);
    const state = await copy.drive();
    expect(state.phase, await questionIn(copy, state)).toBe('ready_for_merge');
  }
});
