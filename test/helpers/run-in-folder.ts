/**
 * A run in a temporary folder, driven by the real shell: observe, effects, reconcile and stores work on real
 * files and real git. Two things are fake: the clock (`Date`, `performance`) only moves on request, and the
 * launcher starts no processes. A runner is an entry in `processes` that claims its launch, writes its exit
 * record and reacts to signals like a real one.
 */

import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { vi } from 'vitest';
import type { World } from '../../src/core/orchestrator.ts';
import { fold } from '../../src/core/policy/evolve.ts';
import { isAgentStep } from '../../src/core/policy/pipeline/look-up-steps.ts';
import { keepAnswer } from '../../src/core/run/effects/ask-and-resolve-questions.ts';
import { performEffect } from '../../src/core/run/effects/perform-effect.ts';
import { newEnvironmentFolder } from '../../src/core/run/launch/environment-variable-store.ts';
import { emptyMemory, reconcile } from '../../src/core/run/launch/reconcile-desired-launch.ts';
import { observe } from '../../src/core/run/observe-run.ts';
import { newRunKey } from '../../src/core/run/record/hmac-key.ts';
import { signed } from '../../src/core/run/requests/decision-proof.ts';
import type { RunContext } from '../../src/core/run/run-context.ts';
import { openJournal, readEvents } from '../../src/core/run/run-store.ts';
import { type DureError, dureError } from '../../src/errors.ts';
import type { Crp, Vcr } from '../../src/formats/crp-and-vcr.ts';
import type { RunEvent } from '../../src/formats/events/events.ts';
import { parseLog } from '../../src/formats/events/parse-event-log.ts';
import type { ExamOutput } from '../../src/formats/exam/exam-output.ts';
import type { ExamUnit } from '../../src/formats/exam/exam-units-and-faults.ts';
import { diskFault } from '../../src/formats/file-system/temporary-disk-errors.ts';
import type { Exit, ExitRecord } from '../../src/formats/launch.ts';
import { projectFiles, runFiles } from '../../src/formats/layout.ts';
import type {
  DecisionKind,
  Feedback,
  PersonRequest,
  RequestName,
} from '../../src/formats/requests-and-feedback.ts';
import type { RunState, Setup, Step } from '../../src/formats/state.ts';
import { contributionsOf } from '../../src/plugins/load-contributions.ts';
import { openRepository } from '../../src/workspace/git/open-repository.ts';
import { repositorySettingsFingerprints } from '../../src/workspace/git/repository-settings-fingerprints.ts';
import { createProjectFolders } from '../../src/workspace/project/create-folders-and-config.ts';
import { readConfig } from '../../src/workspace/project/read-and-write-config.ts';
import { BUILT_IN_BACKENDS, BUILT_IN_PLUGINS } from './built-in-plugins.ts';
import { addRunner, type Process, RUNNER_TOKEN, removeRunners } from './fake-runners.ts';
import { git, newRepository, signIn } from './git-repositories.ts';
import { judgedCriterion } from './sample-criteria.ts';
import { examWith } from './sample-exam.ts';
import { startedEvent } from './sample-values.ts';

export type { Process };

const START = Date.parse('2026-01-31T12:00:00.000Z');
const ID = 'run-20260131-120000';

const PLUGINS = await contributionsOf(BUILT_IN_PLUGINS, { backends: BUILT_IN_BACKENDS });

/** On a memory file system if possible: Dure flushes every file it writes. */
const SCRATCH = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** How often work is repeated after a disk error. A longer series is an error of the test. */
const MAX_ATTEMPTS = 1000;

let template: string | null = null;
/** A project with one commit, created once. */
async function templateProject(): Promise<string> {
  if (template) return template;
  const root = await mkdtemp(join(SCRATCH, 'dure-template-'));
  await newRepository(root, { 'README.md': '# A project\n' });
  signIn(root);
  await createProjectFolders(root);
  template = root;
  return root;
}
export const removeTemplate = (): void => {
  if (template) rmSync(template, { recursive: true, force: true });
  template = null;
};

/** Valid content by path in the run; other files are free text. */
const VALID: Readonly<Record<string, unknown>> = {
  'verifier/test-config.json': {
    test_framework: 'custom',
    test_command: 'sh verifier/tests/a.sh',
    test_directory: 'verifier/tests',
    timeout_ms: 30_000,
    coverage: false,
    not_claimed: { 'AC-1': 'nothing can' },
  },
  'verifier/results.json': { summary: 'read' },
};

/** What the exam of the current tests shows about the only criterion. */
const MOVED: ExamUnit = {
  id: 'u1',
  file: 'src/a.js',
  lines: null,
  base_lines: { first: 1, last: 1 },
  at: 1,
  status: 'untested',
  moved: true,
  killers: [],
};

export function sampleExam({ base, launch, tests }: RunState, how: string): ExamOutput {
  const judged: Pick<ExamOutput['criteria'][number], 'status' | 'reason' | 'failed'> =
    how === 'hollow'
      ? { status: 'not-claimed', reason: 'its test passes without the change too', failed: 'base' }
      : { status: 'passes', reason: null };
  return {
    tree: tests!.tree,
    tests_tree: tests!.tests_tree,
    base,
    duration_ms: 0,
    change: how === 'moved' ? examWith([MOVED]) : null,
    ...(how === 'unfinished' && { runs: { launch, hash: '0'.repeat(64) } }),
    criteria: [judgedCriterion({ id: 'AC-1', kind: 'behaviour', text: 'it works', ...judged })],
  };
}

/** The error with which the next start fails. */
interface StartFailure {
  failure: DureError | null;
}

export class RunInFolder {
  readonly processes = new Map<number, Process>();
  /** The launch of every runner that claimed one, in order. */
  readonly claimedLaunches: number[] = [];
  /** Started runners that have not claimed their launch yet. */
  readonly #unclaimed: { launch: number; role: string }[];
  readonly #startFailure: StartFailure;
  #clock = START;
  #read: { log: string; events: readonly RunEvent[]; state: RunState } | null = null;

  readonly root: string;
  readonly context: RunContext;

  private constructor(
    root: string,
    context: RunContext,
    unclaimed: { launch: number; role: string }[],
    startFailure: StartFailure,
  ) {
    this.root = root;
    this.context = context;
    this.#unclaimed = unclaimed;
    this.#startFailure = startFailure;
  }

  /** A run that was started but is not driven yet. */
  static async begin(setup: Setup): Promise<RunInFolder> {
    const from = await templateProject();
    const root = await realpath(await mkdtemp(join(SCRATCH, 'dure-run-')));
    cpSync(from, root, { recursive: true });
    const project = projectFiles(root);
    const files = runFiles(project.run(ID));
    const folders = setup.pipeline.map(step => join(files.dir, step.folder));
    for (const dir of [...folders, files.launches, files.crps, files.vcrs, files.requests, files.feedback])
      mkdirSync(dir, { recursive: true });
    writeFileSync(files.raw, '# Briefing\n');
    const base = git(root, 'rev-parse', 'HEAD');
    const unclaimed: { launch: number; role: string }[] = [];
    const startFailure: StartFailure = { failure: null };
    const context: RunContext = {
      project,
      files,
      options: {
        base,
        base_name: 'HEAD',
        branch: 'main',
        backend: 'rehearsal',
        cassette: 'default',
        budget_usd: setup.budget_usd,
        environment: await newEnvironmentFolder(files),
        launcher: 'process',
        take_recommendations: setup.take_recommendations,
        shadow: false,
      },
      config: await readConfig(project, []),
      repo: await openRepository(root, project.shadow),
      launcher: {
        name: 'process',
        open: async () => {},
        start: async launch => {
          const { failure } = startFailure;
          startFailure.failure = null;
          if (failure) throw failure;
          unclaimed.push(launch);
        },
        attach: () => null,
      },
      roles: PLUGINS.roles,
      verdicts: PLUGINS.verdicts,
      backends: PLUGINS.backends,
      words: { verdicts: PLUGINS.verdicts.map(v => v.verdict), shapes: {} },
    };
    const run = new RunInFolder(root, context, unclaimed, startFailure);
    if (setup.prepare !== null) run.configure(setup.prepare);
    run.clock = 0;
    const key = (await newRunKey(root)).id;
    const journal = await openJournal(files);
    const { options, repo } = context;
    const repository = await repositorySettingsFingerprints(repo, project, ID);
    await journal.append(startedEvent({ at: run.now, run_id: ID, base, repository, options, setup, key }));
    return run;
  }

  /** Milliseconds since the run was started. */
  get clock(): number {
    return this.#clock - START;
  }
  set clock(ms: number) {
    // The monotonic clock advances as well, where it is fake.
    vi.advanceTimersByTime(Math.max(0, START + ms - this.#clock));
    this.#clock = START + ms;
    vi.setSystemTime(this.#clock);
  }
  get now(): string {
    return new Date(this.#clock).toISOString();
  }

  get log(): string {
    return readFileSync(this.context.files.events, 'utf8');
  }
  get events(): readonly RunEvent[] {
    return this.#recorded().events;
  }
  /** The fold of the complete lines of the log. */
  get state(): RunState {
    return this.#recorded().state;
  }
  /** Read again only if the log has changed, because the agents check it on every tick. */
  #recorded() {
    const { log } = this;
    if (this.#read?.log !== log) {
      const { events } = parseLog(log);
      this.#read = { log, events, state: fold(events) };
    }
    return this.#read;
  }
  /** From state.json. */
  get saved(): unknown {
    return JSON.parse(readFileSync(this.context.files.state, 'utf8'));
  }

  /**
   * What a driver opens. The previous driver counts as dead, so its lock is ignored although this process is
   * alive.
   */
  async driver() {
    const { context } = this;
    rmSync(join(this.root, '.git/dure-worktrees.lock'), { force: true });
    const journal = await openJournal(context.files);
    const last = (await readEvents(context.files)).at(-1);
    if (last) await keepAnswer(context, journal.state!, last);
    const memory = emptyMemory();
    const world: World = {
      observe: s => observe(context.files, s, context.words),
      perform: (s, effect) => performEffect(context, s, effect),
      reconcile: (s, wanted) => reconcile(context, s, wanted, memory),
    };
    const publish = (event: RunEvent, state: RunState) => keepAnswer(context, state, event);
    const untilItWorks = async <T>(work: () => Promise<T>): Promise<T> => {
      for (let attempts = 1; ; attempts += 1)
        try {
          return await work();
        } catch (error) {
          if (!diskFault(error) || attempts === MAX_ATTEMPTS) throw error;
        }
    };
    return { journal, world, untilItWorks, publish };
  }

  /** Started runners claim their launch; one that finds it claimed or withdrawn exits. False if none was started. */
  claim(): boolean {
    const { files } = this.context;
    const started = this.#unclaimed.splice(0);
    for (const { launch, role } of started) {
      if (existsSync(files.claim(launch)) || !existsSync(files.launch(launch))) continue;
      const { step } = JSON.parse(readFileSync(files.launch(launch), 'utf8')) as { step: string };
      const process: Process = { launch, role, step, alive: true, cost: 0 };
      this.processes.set(launch, process);
      this.claimedLaunches.push(launch);
      this.#json(files.claim(launch), {
        launch,
        runner: addRunner(this, process),
        claimed_at: this.now,
      });
    }
    return started.length > 0;
  }

  exit(launch: number, how: Partial<Exit> & { cost?: number | null } = {}): void {
    const process = this.processes.get(launch);
    if (!process?.alive) return;
    const { cost = process.cost, ...rest } = how;
    process.alive = false;
    const exit: ExitRecord = {
      launch,
      code: 0,
      signal: null,
      outcome: 'ok',
      kind: null,
      message: '',
      retry_at: null,
      session: null,
      question: null,
      usage: {
        input_tokens: 0,
        output_tokens: 0,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
        cost_usd: cost,
      },
      session_cost_usd: null,
      ended_at: this.now,
      token: RUNNER_TOKEN,
      ...rest,
    };
    this.#json(this.context.files.exit(launch), exit);
  }

  /** Launches whose runner was started but has not claimed them yet. */
  get starting(): number[] {
    return this.#unclaimed.map(({ launch }) => launch);
  }
  /** The launcher reports an error the next time it starts an agent. */
  failNextStart(why: string): void {
    this.#startFailure.failure = dureError('E_TMUX', { why });
  }
  /** What the API refuses, or null when it accepts requests again. */
  delay(launch: number, reason: string | null): void {
    this.#json(this.context.files.delay(launch), { reason });
  }
  /** Changes `workspace.setup` in the configuration. */
  configure(setup: string): void {
    this.#json(join(this.root, '.dure/config/global.json'), { workspace: { setup } });
  }

  /** Kills the runner and its agent: there is no exit record. */
  kill(launch: number): void {
    const process = this.processes.get(launch);
    if (process) process.alive = false;
  }

  /** A file that an agent writes, by path in the run; `value` is JSON or text, by default valid content. */
  write(path: string, value?: unknown): void {
    const text =
      path.endsWith('.json') && typeof value !== 'string'
        ? JSON.stringify(value ?? VALID[path])
        : String(value ?? `${path}\n`);
    const file = join(this.context.files.dir, path);
    this.#file(
      path === 'verifier/tests' ? join(file, 'a.sh') : path === 'builder/output' ? join(file, 'a.txt') : file,
      text,
    );
  }
  /** A file that exists and is invalid. */
  writeInvalid(path: string): void {
    this.write(path, path.endsWith('.json') ? '{' : '');
  }

  ask(id: string, text: string): void {
    this.#file(this.context.files.crp(id), text);
  }
  question(id: string): Crp {
    return JSON.parse(readFileSync(this.context.files.crp(id), 'utf8')) as Crp;
  }

  get answers(): Vcr[] {
    const { vcrs } = this.context.files;
    return readdirSync(vcrs)
      .filter(name => name.endsWith('.json'))
      .map(name => JSON.parse(readFileSync(join(vcrs, name), 'utf8')) as Vcr);
  }
  answer(crp_id: string, decision: string, rationale = ''): void {
    const numbers = this.answers.map(({ vcr_id }) => Number(vcr_id.slice('vcr-'.length)));
    const vcr_id = `vcr-${String(Math.max(0, ...numbers) + 1).padStart(3, '0')}`;
    const created_at = this.now;
    const vcr: Vcr = { vcr_id, crp_id, created_at, decision, rationale, applies_to_future: false };
    this.#json(this.context.files.vcr(vcr_id), this.#signed('answer', vcr));
  }

  /** A user request that exists but is not recorded yet. */
  pending<N extends RequestName>(name: N): PersonRequest<N> | null {
    const file = this.context.files.request(name);
    if (!existsSync(file)) return null;
    const request = JSON.parse(readFileSync(file, 'utf8')) as PersonRequest<N>;
    return this.state.requests_done[name] === request.asked_at ? null : request;
  }
  request<N extends RequestName>(name: N, request: PersonRequest<N>): void {
    this.#json(this.context.files.request(name), this.#signed(name, request));
  }
  get hasFeedback(): boolean {
    return existsSync(this.context.files.feedbackOf(this.state.feedbacks + 1));
  }
  giveFeedback(feedback: Feedback): void {
    this.#json(this.context.files.feedbackOf(this.state.feedbacks + 1), this.#signed('feedback', feedback));
  }
  /** Creates or removes one of the user's files where the merge would write. */
  blockMerge(blocks: boolean): void {
    const file = join(this.root, 'a.txt');
    if (blocks) writeFileSync(file, 'of the person\n');
    else if (git(this.root, 'ls-files', 'a.txt') === '') rmSync(file, { force: true });
    else git(this.root, 'checkout', '--quiet', 'HEAD', '--', 'a.txt');
  }
  /** Commits a file to the branch. Returns the commit. */
  commitToBranch(path: string, text: string): string {
    writeFileSync(join(this.root, path), text);
    git(this.root, 'add', path);
    git(this.root, 'commit', '--quiet', '-m', 'of a colleague');
    return git(this.root, 'rev-parse', 'HEAD');
  }
  /** Moves the repository away, or back. */
  hideRepository(hides: boolean): void {
    const [there, away] = [join(this.root, '.git'), join(this.root, '.git-away')];
    if (hides) renameSync(there, away);
    else renameSync(away, there);
  }

  remove(): void {
    removeRunners(this);
    rmSync(this.root, { recursive: true, force: true, maxRetries: 20 });
    rmSync(this.context.options.environment!, { recursive: true, force: true });
  }

  /** As Dure writes it for a person. */
  #signed<T extends object>(kind: DecisionKind, content: T): T {
    const nonce = randomBytes(16).toString('hex');
    return signed(this.state, kind, content, { who: 'Ann', through: 'terminal', nonce });
  }
  #json(file: string, value: unknown): void {
    this.#file(file, JSON.stringify(value));
  }
  #file(file: string, text: string): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    const seconds = this.#clock / 1000;
    utimesSync(file, seconds, seconds);
  }
}

/** Dure's own steps have no flag; their output replaces it. */
export const flagOf = (step: Step): string =>
  isAgentStep(step) ? step.flag : (step.outputs[0] ?? `${step.folder}/done.flag`);

export const sampleQuestion = (id: string, role: string, text: string): Crp => ({
  crp_id: id,
  created_by: role,
  type: 'clarification',
  question: text,
  options: [
    { id: 'A', label: 'This' },
    { id: 'B', label: 'That' },
  ],
  recommendation: 'B',
  status: 'pending',
});
