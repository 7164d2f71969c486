/**
 * Damaged files of a run. Derived files are rebuilt, and the run ends in the same merge. A damaged log stops the run; a
 * person decides how it is recovered.
 */
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keepSealedAsBranch, recoverableOf, rewindLog } from '../../src/core/run/recover-run.ts';
import { openQuestion, requestApproval } from '../../src/core/run/requests.ts';
import { readState, runStatus } from '../../src/core/run/run-store.ts';
import { verifyRun } from '../../src/core/run/verify-run.ts';
import { driveRun } from '../../src/daemon/drive-run.ts';
import type { RunEvent } from '../../src/formats/events.ts';
import { type ProjectFiles, projectFiles, type RunFiles, runFiles } from '../../src/formats/layout.ts';
import type { RunState } from '../../src/formats/state.ts';
import { runIndex } from '../../src/server/run-index.ts';
import { asks, builds, cassette } from './agent-moves.ts';
import { git, type Play, type Stage, stage } from './scratch-project.ts';

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
let set: Stage;
let ready: Play;
let asking: Play;
let building: Play;

const drive = (
  project: ProjectFiles,
  files: RunFiles,
  onEvent?: (event: RunEvent) => void,
  signal?: AbortSignal,
) =>
  driveRun(project, files, set.plugins, {
    signal: signal ?? new AbortController().signal,
    untilRest: true,
    ...(onEvent && { onEvent }),
  });

beforeAll(async () => {
  set = await stage({ onTestFinished: work => void ended.push(work as () => Promise<void>) });
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
}, 180_000);
afterAll(async () => {
  for (const work of ended) await work();
}, 60_000);

let copies = 0;
/** A copy of the project, in which one file of the run is damaged. */
async function damaged(play: Play, name: string, how: HarmName): Promise<Copy> {
  copies += 1;
  const root = join(dirname(set.root), `copy-${copies}`);
  await cp(set.root, root, { recursive: true, verbatimSymlinks: true });
  const project = projectFiles(root);
  const files = runFiles(project.run(play.runId));
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

describe('a run that waits for its approval', () => {
  test.each<[string, HarmName[]]>([
    ['state.json', ['cut in half', 'empty', 'garbage', 'deleted', 'a folder']],
    ['driver.json', ['a folder']],
    ['delivered.json', ['garbage', 'a folder']],
    ['mrp/evidence.json', ['garbage', 'deleted']],
    ['mrp/summary.md', ['a folder']],
    ['mrp', ['deleted']],
    ['verifier/test-output.json', ['garbage']],
    ['gatekeeper/verdict.json', ['garbage']],
    ['launches', ['deleted']],
    ['sealed', ['deleted']],
    ['prompts', ['deleted']],
    ['logs', ['deleted']],
    ['briefing', ['deleted']],
    ['builder/output', ['deleted']],
  ])(
    'ends in the same merge with %s damaged',
    async (name, harms) => {
      for (const how of harms) {
        const copy = await damaged(ready, name, how);
        expect((await runStatus(copy.files))?.state.phase, how).toBe('ready_for_merge');
        let state = await copy.approve((await readState(copy.files))!);
        // A damaged pack is created again, and a person has to see it before it is approved.
        if (state.phase === 'ready_for_merge') state = await copy.approve(state);
        expect(state.phase, how).toBe('completed');
        expect(await merged(copy)).toBe('hello\n');
      }
    },
    300_000,
  );

  test.each<[HarmName, number]>([
    ['cut in half', 1],
    ['cut by 40 bytes', 1],
    ['extended', 1],
    ['changed', 0],
    ['empty', 0],
    ['deleted', 0],
    ['a folder', 0],
  ])(
    'is not shown as ready when its log is damaged (%s), and can be recovered',
    async (how, atLeast) => {
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
      if (atLeast === 0)
        return expect(rewindLog(copy.files)).rejects.toMatchObject({ code: 'E_LOG_CORRUPT' });
      await rewindLog(copy.files);
      expect(existsSync(join(copy.files.damaged(1), 'events.log'))).toBe(true);
      const state = await copy.drive();
      expect(state.phase, await questionIn(copy, state)).toBe('ready_for_merge');
      expect((await copy.approve(state)).phase).toBe('completed');
      expect(await merged(copy)).toBe('hello\n');
    },
    300_000,
  );
});

test.each<[string, HarmName, string]>([
  ['events.log', 'changed', 'log'],
  ['events.log', 'cut by 40 bytes', 'log'],
  ['state.json', 'garbage', 'state'],
  ['mrp/summary.md', 'extended', 'pack'],
  ['sealed', 'deleted', 'bundles'],
  ['briefing', 'deleted', ''],
])(
  'verify names what is damaged: %s %s',
  async (name, how, check) => {
    const copy = await damaged(ready, name, how);
    const checks = await verifyRun(copy.project, copy.files);
    const faulty = checks.filter(({ fault }) => fault !== null).map(one => one.check);
    expect(faulty.includes(check as never) || (check === '' && faulty.length === 0), faulty.join()).toBe(
      true,
    );
    expect(faulty).not.toContain('seals');
    git(copy.root, 'update-ref', '-d', `refs/heads/dure/${ready.runId}`);
    const { sealed } = (await readState(copy.files))!;
    const id = git(copy.root, 'rev-parse', `${sealed['build']!.commit}:greeting.txt`);
    await rm(join(copy.root, '.git/objects', id.slice(0, 2), id.slice(2)));
    const again = await verifyRun(copy.project, copy.files);
    expect(again.find(one => one.check === 'seals')?.fault).toContain('build');
  },
  300_000,
);

test.each<HarmName>(['garbage', 'empty', 'deleted'])(
  'a question whose file is damaged (%s) is read from the log',
  async how => {
    const copy = await damaged(asking, 'crp/crp-001.json', how);
    const state = (await readState(copy.files))!;
    expect(await openQuestion(copy.files, state)).toMatchObject({ question: 'Which greeting?' });
    expect((await copy.drive()).phase).toBe('waiting_human');
  },
  300_000,
);

test.each<[string, HarmName[]]>([
  ['json', ['garbage']],
  ['claim.json', ['garbage', 'empty']],
  ['exit.json', ['cut in half', 'garbage']],
])(
  'a run continues when launches/N.%s of its current launch is damaged',
  async (name, harms) => {
    const { launch } = await building.state();
    for (const how of harms) {
      const copy = await damaged(building, `launches/${launch}.${name}`, how);
      const state = await copy.drive();
      expect(state.phase, await questionIn(copy, state)).toBe('ready_for_merge');
    }
  },
  300_000,
);
