/**
 * Damages every file of a run and of its project in every way. Each read-only command then prints its result
 * or an error that says what to do, and a run that cannot be approved is never shown as ready.
 * `DURE_DAMAGE_SEED` selects other cases, `DURE_DAMAGE=all` tests all of them.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, lstatSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestChanges } from '../../src/core/run/requests/request-changes.ts';
import { requestApproval } from '../../src/core/run/requests/write-requests.ts';
import { readState } from '../../src/core/run/run-store.ts';
import { driveRun } from '../../src/daemon/drive-run.ts';
import type { DureError } from '../../src/errors.ts';
import { type ProjectFiles, projectFiles, type RunFiles, runFiles } from '../../src/formats/layout.ts';
import type { RunState } from '../../src/formats/state.ts';
import { serverFiles } from '../../src/server/server-files.ts';
import { git } from '../helpers/git-repositories.ts';
import { runInProcess } from '../helpers/run-in-process.ts';
import { asks, builds, cassette } from './agent-moves.ts';
import { HARMS } from './file-damage.ts';
import { type ScratchProject, scratchProject, type TestRun } from './scratch-project.ts';

const seed = Number(process.env['DURE_DAMAGE_SEED'] ?? 40_970);
const all = process.env['DURE_DAMAGE'] === 'all';
const CASES = all ? Number.POSITIVE_INFINITY : 120;
const APPROVED = all ? Number.POSITIVE_INFINITY : 5;

/** Arguments for every file name in the layout that has variable parts. */
type Named<F> = {
  [K in keyof F as F[K] extends (...args: never[]) => string ? K : never]: F[K] extends (
    ...args: infer A
  ) => string
    ? readonly A[]
    : never;
};
const OF_RUN: Named<RunFiles> = {
  doneOf: [['builder']],
  errorOf: [['builder']],
  logOf: [['builder']],
  resultsOf: [],
  reviewOf: [],
  crp: [['crp-001']],
  vcr: [['vcr-001']],
  prompt: [['builder']],
  promptOf: [['builder', 2]],
  stream: [['builder', 2]],
  screen: [['builder', 2]],
  launch: [[2]],
  claim: [[2]],
  exit: [[2]],
  delay: [[2]],
  setupJob: [[2]],
  proofJob: [[5]],
  examJob: [[5]],
  examRuns: [[5]],
  checksJob: [[5]],
  consult: [[2]],
  sealBundle: [['build', 2]],
  damaged: [[1]],
  feedbackOf: [[1]],
  unusedFeedback: [[1, '0a1b2c3d']],
  packOf: [[1]],
  request: ['stop', 'approve', 'rebase', 'exam', 'retry', 'extend'].map(name => [name]),
};
const OF_PROJECT: Named<ProjectFiles> = {
  configOf: [['global'], ['builder']],
  run: [['run-20200101-000000']],
};

function pathsOf<F extends object>(files: F, named: Named<F>): string[] {
  const args = named as Record<string, readonly unknown[][]>;
  return Object.entries(files).flatMap(([name, of]) =>
    typeof of === 'string' ? [of] : (args[name] ?? []).map(each => of(...each)),
  );
}

const COMMANDS = [
  ['inbox'],
  ['review', 'RUN'],
  ['review', 'RUN', '--diff'],
  ['review', 'RUN', '--pack', '1'],
  ['verify', 'RUN'],
  ['logs', 'RUN'],
  ['logs', 'RUN', '--agent', 'builder'],
  ['history'],
  ['history', '--state', 'ready_for_merge'],
  ['recover', '--list'],
  ['clean', '--dry-run'],
  ['config', 'check'],
];

let set: ScratchProject;
let ready: TestRun;
let another: TestRun;
let paths: string[];
const ended: (() => Promise<void>)[] = [];

/** Its owner is changed below, so no other test file can use it. */
let stateHome: string;
const sharedState = process.env['XDG_STATE_HOME'];

beforeAll(async () => {
  stateHome = await mkdtemp(join(tmpdir(), 'dure-damage-state-'));
  process.env['XDG_STATE_HOME'] = stateHome;
  console.log(`DURE_DAMAGE_SEED=${seed}`);
  set = await scratchProject({ onTestFinished: work => void ended.push(work as () => Promise<void>) });
  const moves = [[asks('crp-001', 'builder')], builds('hello\n'), builds('hello\nagain\n')];
  another = await set.start(cassette({ builder: moves }));
  expect((await another.drive()).phase).toBe('waiting_human');
  ready = await set.start(cassette({ builder: moves }));
  await ready.drive();
  await ready.answer('A');
  await ready.drive();
  await requestChanges({ ...ready, state: await ready.state() }, 'Say it again.');
  expect((await ready.drive()).phase).toBe('ready_for_merge');
  const { dir, terms: _, ...server } = serverFiles(set.project);
  paths = [
    ...pathsOf(ready.files, OF_RUN).filter(path => path !== ready.files.dir),
    ...pathsOf(set.project, OF_PROJECT).filter(path => ![set.root, set.project.dure].includes(path)),
    ...[dir, ...pathsOf(server, { term: [[1]] })],
    join(ready.files.worktree, '.git'),
    ...['check.sh', 'vcr-001.txt'].map(name => join(ready.files.mrp, name)),
    ...['evidence.json', 'summary.md'].map(name => join(ready.files.packOf(1), name)),
  ];
});
afterAll(async () => {
  for (const work of ended) await work();
  if (sharedState === undefined) delete process.env['XDG_STATE_HOME'];
  else process.env['XDG_STATE_HOME'] = sharedState;
  rmSync(stateHome, { recursive: true, force: true, maxRetries: 20 });
});

interface Case {
  readonly path: string;
  readonly harm: string;
  /** Determined by the seed. */
  readonly order: number;
}

const casesOf = (of: readonly string[]): Case[] =>
  of
    .flatMap(path => Object.keys(HARMS).map(harm => ({ path, harm })))
    .map(one => ({
      ...one,
      order: createHash('sha256')
        .update(`${seed} ${relative(set.root, one.path).replace(ready.runId, '')} ${one.harm}`)
        .digest()
        .readUInt32BE(),
    }))
    .sort((a, b) => a.order - b.order);

const titleOf = ({ path, harm }: Case) => `${relative(set.root, path)} ${harm}`;

/** Damages a copy at the same path while `work` runs. False if the damage does not apply. */
async function harmed({ path, harm }: Case, work: () => Promise<void>): Promise<boolean> {
  const aside = join(dirname(set.root), 'aside');
  const exists = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (exists) {
    renameSync(path, aside);
    cpSync(aside, path, { recursive: true, verbatimSymlinks: true });
  }
  try {
    const applies = HARMS[harm]!(path, path.replace(ready.runId, another.runId));
    if (applies) await work();
    return applies;
  } finally {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false) chmodSync(path, 0o700);
    rmSync(path, { recursive: true, force: true });
    if (exists) renameSync(aside, path);
  }
}

interface Answer {
  readonly phase?: string;
  readonly error?: { code: string; message: string; suggestions: string[] };
}

async function called(args: readonly string[]): Promise<Answer> {
  const { stdout } = await runInProcess({
    args: [...args.map(arg => (arg === 'RUN' ? ready.runId : arg)), '--json'],
    cwd: set.root,
    // Another user cannot read the configuration of git in the home of root.
    env: { ...process.env, HOME: dirname(set.root) },
    input: '',
  });
  return JSON.parse(stdout) as Answer;
}

/** Tries the cases, and then reports everything that went wrong. */
async function tryAll(cases: readonly Case[], most: number, work: (one: Case) => Promise<boolean>) {
  const wrong: string[] = [];
  let tried = 0;
  for (const one of cases) {
    if (tried >= most) break;
    try {
      if (await work(one)) tried += 1;
    } catch (error) {
      wrong.push(`${titleOf(one)}: ${(error as Error).message}`);
    }
  }
  expect(wrong).toEqual([]);
}

/** The error names the run, the file or its folder, and says what to do. */
function expectAdvice({ error }: Answer, one: Case, command: string): void {
  const title = `${titleOf(one)}: ${command}`;
  if (!error) return;
  expect(error.code, `${title}: ${error.message}`).toMatch(/^E_(?!BUG|COMMAND)/);
  expect(error.message, title).not.toMatch(/E[A-Z]{4,}:|undefined|\[object/);
  expect(error.suggestions.length, title).toBeGreaterThan(0);
  const names = [ready.runId, basename(one.path), basename(dirname(one.path)), set.root];
  expect(
    names.some(name => error.message.includes(name)),
    `${title}: ${error.message}`,
  ).toBe(true);
}

/** A run is shown as ready only with its log; no other file is needed for that. */
function expectPhase(answer: Answer, one: Case): void {
  const { files } = ready;
  if (one.path === files.events) expect(answer.phase, titleOf(one)).toBe('interrupted');
  else if (one.path.startsWith(files.dir)) expect(answer.phase, titleOf(one)).toBe('ready_for_merge');
}

/** Each of these once caused a stack trace, wrong advice or a wrong state. */
const KNOWN: (readonly [path: (files: RunFiles) => string, harm: string, ...command: string[]])[] = [
  [files => files.summary, 'unreadable', 'review', 'RUN'],
  [files => files.mrp, 'unreadable', 'verify', 'RUN'],
  [files => files.packOf(1), 'missing', 'review', 'RUN', '--pack', '1'],
  [files => files.feedbackOf(1), 'another shape', 'review', 'RUN', '--pack', '1'],
  [files => files.stream('builder', 2), 'a folder', 'logs', 'RUN', '--agent', 'builder'],
  [files => files.stream('builder', 2), 'a pipe', 'logs', 'RUN', '--agent', 'builder'],
  [files => files.origin, 'random bytes', 'history'],
  [files => files.state, 'of another run', 'inbox'],
  [files => files.events, 'of another run', 'logs', 'RUN'],
  [() => set.project.runs, 'random bytes', 'history'],
  [() => set.project.run('run-20200101-000000'), 'random bytes', 'history', '--state', 'completed'],
  [() => set.project.config, 'a link', 'config', 'check'],
];

test('in every known case of damage, the affected command prints a result or useful advice', async () => {
  for (const [at, harm, ...command] of KNOWN) {
    const one = { path: at(ready.files), harm, order: 0 };
    const applies = await asOwner(one, () =>
      harmed(one, async () => {
        expectPhase(await called(['status', 'RUN']), one);
        const answer = await called(command);
        expectAdvice(answer, one, command.join(' '));
        if (command.includes('--pack')) expect(answer.error?.suggestions.join()).not.toContain('approve');
      }),
    );
    expect(applies, titleOf(one)).toBe(true);
  }
});

test('every read-only command prints a result or useful advice, and only a run that can be approved is shown as ready', async () => {
  // These determine the state of a run; the others are selected by the seed.
  const central = [ready.files.state, ready.files.events, ready.files.driver];
  const cases = [...casesOf(central), ...casesOf(paths.filter(path => !central.includes(path)))];
  await tryAll(cases, CASES, one =>
    asOwner(one, () =>
      harmed(one, async () => {
        const status = await called(['status', 'RUN']);
        expectAdvice(status, one, 'status');
        expectPhase(status, one);
        const others = all ? COMMANDS : [COMMANDS[one.order % COMMANDS.length]!];
        for (const command of others) expectAdvice(await called(command), one, command.join(' '));
      }),
    ),
  );
  expect(await called(['verify', 'RUN'])).toMatchObject({ ok: true });
  expect(await called(['status', 'RUN'])).toMatchObject({ phase: 'ready_for_merge' });
}, 3_600_000);

/** Dure writes nothing through a link: the error names it, and says that it has to be moved away. */
async function approveOnceReachable(files: RunFiles, state: RunState, harmedPath: string): Promise<void> {
  const refused = await requestApproval(files, state, { how: 'merge' }).then(
    () => null,
    (error: DureError) => error,
  );
  if (!refused) return;
  expect(refused.code, refused.message).toBe('E_DISK');
  expect(refused.message).toContain(`${basename(harmedPath)} is a symbolic link`);
  rmSync(harmedPath);
  await requestApproval(files, state, { how: 'merge' });
}

test('a run that is shown as ready can be approved; if its pack was damaged, a new one has to be viewed first', async () => {
  const known = [ready.files.logs, ready.files.requests].map(path => ({
    path,
    harm: 'random bytes',
    order: 0,
  }));
  const copies = casesOf(paths.filter(path => path.startsWith(ready.files.dir)));
  await tryAll([...known, ...copies], APPROVED, async one => {
    if (one.path === ready.files.events || one.harm === 'unreadable') return false;
    const root = join(dirname(set.root), 'copy');
    rmSync(root, { recursive: true, force: true });
    await cp(set.root, root, { recursive: true, verbatimSymlinks: true });
    const project = projectFiles(root);
    const files = runFiles(project.run(ready.runId));
    git(root, 'worktree', 'repair', files.worktree);
    const path = join(root, relative(set.root, one.path));
    if (!HARMS[one.harm]!(path, path.replace(ready.runId, another.runId))) return false;
    let state = (await readState(files))!;
    for (let looks = 0; state.phase === 'ready_for_merge' && looks < 2; looks += 1) {
      await approveOnceReachable(files, state, path);
      const signal = new AbortController().signal;
      state = await driveRun(project, files, set.plugins, { signal, untilIdle: true });
    }
    expect(state.phase, `${titleOf(one)}: ${state.reason}`).toBe('completed');
    expect(readFileSync(join(root, 'greeting.txt'), 'utf8')).toBe('hello\nagain\n');
    return true;
  });
}, 3_600_000);

const NOBODY = 65_534;

/** Root can read everything, so what is unreadable is tried as another user who owns the project. */
async function asOwner({ harm }: Case, work: () => Promise<boolean>): Promise<boolean> {
  if (harm !== 'unreadable' || process.getuid?.() !== 0) return work();
  const { getuid } = process;
  const folders = [dirname(set.root), stateHome];
  const give = (uid: number) => execFileSync('chown', ['-R', `${uid}`, ...folders]);
  give(NOBODY);
  process.seteuid!(NOBODY);
  process.getuid = () => NOBODY;
  try {
    return await work();
  } finally {
    process.getuid = getuid;
    process.seteuid!(0);
    give(0);
  }
}
