/**
 * An in-memory world for the orchestrator: a disk that survives power failures, processes that outlive the driver,
 * and a clock that only moves on request. It follows the rules of the real world: a launch is claimed once, flags are
 * cleared before a start, a straggler gets a grace period, and written files persist. Each `await` of the real shell
 * is a `breath` here, at which the power may fail.
 */

import { createHash } from 'node:crypto';
import verdictsPlugin from '../../plugins/verdicts/src/index.ts';
import type { World } from '../../src/core/orchestrator.ts';
import { isStraggler, type Launch } from '../../src/core/policy/desired.ts';
import { evolve, fold } from '../../src/core/policy/evolve.ts';
import { initialState } from '../../src/core/policy/initial-state.ts';
import type { Observation } from '../../src/core/policy/observation.ts';
import { effectOfAnswer, ownQuestion } from '../../src/core/policy/own-questions.ts';
import { currentStep, firstTreeStep, isAgentStep, sealedResult } from '../../src/core/policy/pipeline.ts';
import type { Effect } from '../../src/core/policy/transition.ts';
import { answeredBy } from '../../src/core/policy/transition.ts';
import { ceiling } from '../../src/core/policy/verdict-ceiling.ts';
import type { Journal } from '../../src/core/run/run-store.ts';
import { summarizeRun } from '../../src/core/run-summary.ts';
import { isCostComplete, spentUsd } from '../../src/core/usage-tracker.ts';
import type { ChecksOutput } from '../../src/formats/checks.ts';
import { type Crp, crpFile, question, type Vcr } from '../../src/formats/consultation.ts';
import { FIRST_CHAIN, formatEvent, parseLog } from '../../src/formats/event-log.ts';
import type { EventOf, RunEvent } from '../../src/formats/events.ts';
import { parseFormat } from '../../src/formats/file.ts';
import type { Exit } from '../../src/formats/launch.ts';
import type { Feedback, PersonRequest } from '../../src/formats/request.ts';
import { problemsOf } from '../../src/formats/schema-problems.ts';
import type { RunState, Setup, Step } from '../../src/formats/state.ts';
import type { TestOutput } from '../../src/formats/tests.ts';
import type { Verdict } from '../../src/formats/verdict.ts';
import type { VerdictHandler } from '../../src/index.ts';

const HANDLERS: readonly VerdictHandler[] = (await verdictsPlugin()).verdicts;
const START = Date.parse('2026-01-31T12:00:00.000Z');
const SETTLE_MS = 3000;
const GRACE_MS = 10_000;

const digests = new Map<string, string>();
/** As long as a git object id. Cached, because thousands of runs use the same few. */
export function digest(text: string): string {
  const known = digests.get(text) ?? createHash('sha1').update(text).digest('hex');
  digests.set(text, known);
  return known;
}
export const BASE = digest('base');

export class PowerCut extends Error {}

export interface Process {
  readonly launch: number;
  readonly role: string;
  readonly step: string;
  alive: boolean;
  /** The cost it reports, however it ends. */
  cost: number | null;
  /** Why its requests are delayed. */
  delay?: string | null;
  /** Null for a process that was killed together with its runner. */
  exit: Exit | null;
}

interface Written {
  readonly at: number;
  readonly value: unknown;
  /** What is wrong with it; null if nothing is. */
  readonly problem: string | null;
}

/** Everything that outlives the driver. */
export interface Disk {
  clock: number;
  log: string;
  state: RunState | null;
  /** The fold of the complete lines of the log, for the tests. */
  truth: RunState;
  readonly events: RunEvent[];
  readonly files: Map<string, Written>;
  readonly crps: Map<string, string>;
  readonly vcrs: Vcr[];
  readonly requests: { [N in 'stop' | 'approve' | 'retry' | 'extend']?: PersonRequest<N> };
  readonly feedbacks: Feedback[];
  readonly records: Set<number>;
  /** Started runners that have not claimed their launch yet. */
  readonly born: Launch[];
  readonly processes: Map<number, Process>;
  /** The launch of every runner that claimed one, in order. A duplicate means that it was started twice. */
  readonly taken: number[];
  /** The currently configured `workspace.setup`. */
  configured: string | null;
  /** Errors that Dure's next effects will throw. */
  readonly mishaps: { start: string[]; trespass: string[]; pack: string[]; merge: string[] };
}

export const iso = (disk: Disk): string => new Date(START + disk.clock).toISOString();

/** A run that was started and not driven yet. */
export function newDisk(setup: Setup): Disk {
  const started: EventOf<'run.started'> = {
    at: new Date(START).toISOString(),
    type: 'run.started',
    run_id: 'run-20260131-120000',
    base: BASE,
    setup,
  };
  const state = initialState(started);
  return {
    clock: 0,
    log: `${formatEvent(started, 1, FIRST_CHAIN).line}\n`,
    state,
    truth: state,
    events: [started],
    files: new Map(),
    crps: new Map(),
    vcrs: [],
    requests: {},
    feedbacks: [],
    records: new Set(),
    born: [],
    processes: new Map(),
    taken: [],
    configured: setup.prepare,
    mishaps: { start: [], trespass: [], pack: [], merge: [] },
  };
}

export type Breath = () => Promise<void>;

/** Opens the log as a driver does: an incomplete last line is dropped; other damage is an error. */
export async function openJournal(disk: Disk, breath: Breath): Promise<Journal> {
  const log = parseLog(disk.log);
  if (log.broken) throw new Error(`line ${log.broken.line}: ${log.broken.why}`);
  disk.log = disk.log.slice(0, disk.log.lastIndexOf('\n') + 1);
  let { chain } = log;
  let state = fold(log.events);
  disk.state = state;
  await breath();
  return {
    get state() {
      return state;
    },
    async append(event) {
      await breath();
      const next = evolve(state, event);
      const { line, chain: link } = formatEvent(event, next.seq, chain);
      const before = disk.log;
      disk.log = before + line.slice(0, line.length / 2);
      await breath();
      disk.log = `${before}${line}\n`;
      disk.events.push(event);
      happened(disk, event);
      disk.truth = next;
      await breath();
      chain = link;
      state = next;
      disk.state = next;
      await breath();
      return next;
    },
  };
}

/** An error is removed once it is recorded: an effect that is repeated after a power failure fails again. */
function happened({ mishaps }: Disk, event: RunEvent): void {
  const why =
    event.type === 'agent.failed' ? event.message : event.type === 'approval.refused' ? event.reason : null;
  for (const waiting of Object.values(mishaps)) if (waiting[0] === why) waiting.shift();
  if (event.type === 'crp.created' && event.why === 'pack') mishaps.pack.shift();
}

export function openWorld(disk: Disk, breath: Breath): World {
  const started = new Set<number>();
  const unwanted = new Map<number, number>();

  return {
    async observe(s) {
      await breath();
      return look(disk, s);
    },

    async establish(s, due) {
      await breath();
      const event = await deed(disk, s, due);
      await breath();
      return event;
    },

    async reconcile(s, wanted) {
      await breath();
      const others = s.open.filter(o => o.launch !== wanted?.launch);
      for (const other of others) {
        endStraggler(s, other);
        await breath();
      }
      if (!wanted || (wanted.notBefore !== null && Date.parse(wanted.notBefore) > START + disk.clock))
        return null;
      if (s.since !== null || disk.processes.has(wanted.launch)) return null;
      if (others.some(other => other.step === wanted.step.name) || started.has(wanted.launch)) return null;
      started.add(wanted.launch);
      if (!disk.records.has(wanted.launch)) {
        clear(disk, wanted.step, s.resume !== null);
        await breath();
        disk.records.add(wanted.launch);
        await breath();
      }
      const mishap = disk.mishaps.start[0];
      if (mishap !== undefined) return failure(disk, s, 'permission', mishap);
      disk.born.push(wanted);
      await breath();
      return null;
    },
  };

  function endStraggler(s: RunState, open: RunState['open'][number]) {
    const since = unwanted.get(open.launch) ?? disk.clock;
    unwanted.set(open.launch, since);
    if (isStraggler(s, open) && disk.clock - since < GRACE_MS) return;
    exits(disk, open.launch, { outcome: 'stopped', message: 'stopped' });
  }
}

/** Started runners claim their launch; a second one finds it claimed and exits. */
export function claim(disk: Disk): boolean {
  const { born } = disk;
  for (const { launch, step } of born) {
    if (disk.processes.has(launch)) continue;
    disk.taken.push(launch);
    disk.processes.set(launch, {
      launch,
      role: step.role,
      step: step.name,
      alive: true,
      cost: 0,
      exit: null,
    });
  }
  return born.splice(0).length > 0;
}

export function exits(disk: Disk, launch: number, how: Partial<Exit> & { cost?: number | null } = {}): void {
  const process = disk.processes.get(launch);
  if (!process?.alive) return;
  const { cost = process.cost, ...rest } = how;
  process.alive = false;
  process.exit = {
    launch,
    code: 0,
    signal: null,
    outcome: 'ok',
    kind: null,
    message: '',
    retry_at: null,
    session: null,
    question: null,
    usage: usageOf(cost),
    session_cost_usd: null,
    ended_at: iso(disk),
    ...rest,
  };
}

export function dies(disk: Disk, launch: number): void {
  const process = disk.processes.get(launch);
  if (process) process.alive = false;
}

const usageOf = (cost_usd: number | null): Exit['usage'] => ({
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  cost_usd,
});

export function writes(disk: Disk, path: string, value: unknown = null, problem: string | null = null): void {
  disk.files.set(path, { at: disk.clock, value, problem });
}

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

export function answers(disk: Disk, crp: string, decision: string, rationale = '', unattended = false): void {
  const vcr_id = `vcr-${String(disk.vcrs.length + 1).padStart(3, '0')}`;
  disk.vcrs.push({
    vcr_id,
    crp_id: crp,
    created_at: iso(disk),
    decision,
    rationale,
    applies_to_future: false,
    ...(unattended && { unattended: true as const }),
  });
}

export const optionsOf = (disk: Disk, crp: string): string[] =>
  crpFile.shape.parse(JSON.parse(disk.crps.get(crp)!)).options.map(option => option.id);

export const recommends = (disk: Disk, crp: string): boolean =>
  crpFile.shape.parse(JSON.parse(disk.crps.get(crp)!)).recommendation !== undefined;

function look(disk: Disk, s: RunState): Observation {
  const step = currentStep(s);
  const value = (path: string) => {
    const file = disk.files.get(path);
    return file && file.problem === null ? file.value : null;
  };
  const fresh = <W extends { asked_at: string }>(name: string, wish: W | undefined): W | null =>
    wish && s.wishes_done[name] !== wish.asked_at ? wish : null;
  const during = <W extends { asked_at: string }>(wish: W | null): W | null =>
    wish && s.since && wish.asked_at >= s.since ? wish : null;
  const flag = isAgentStep(step) ? disk.files.get(step.flag) : undefined;
  return {
    at: iso(disk),
    claimed: disk.processes.has(s.launch),
    flag: flag !== undefined,
    settled: flag !== undefined && disk.clock - flag.at > SETTLE_MS,
    error: (value(`${step.folder}/error.flag`) as string | null) ?? null,
    outputs: problemOfOutputs(disk, step),
    delay: disk.processes.get(s.launch)?.delay ?? null,
    verdict: value('gatekeeper/verdict.json') as Verdict | null,
    checks: step.yields === 'checks' ? (value('verifier/checks.json') as ChecksOutput | null) : null,
    proof: step.yields === 'proof' ? (value('verifier/test-output.json') as TestOutput | null) : null,
    exits: s.open.flatMap(({ launch }) => ended(disk, launch)),
    ...questions(disk, s),
    answers: s.waiting ? [...disk.vcrs] : [],
    stop: fresh('stop', disk.requests.stop),
    approve: fresh('approve', disk.requests.approve),
    retry: during(fresh('retry', disk.requests.retry)),
    extend: during(fresh('extend', disk.requests.extend)),
    feedback: s.phase === 'ready_for_merge' ? (disk.feedbacks[s.feedbacks] ?? null) : null,
    changedPack: [],
    links: [],
  };
}

function problemOfOutputs(disk: Disk, step: Step): string | null {
  const problems = step.outputs.flatMap(output => {
    const file = disk.files.get(output);
    if (!file) return [`${output} is missing`];
    return file.problem === null ? [] : [`${output} is not valid: ${file.problem}`];
  });
  return problems.join('\n') || null;
}

function ended(disk: Disk, launch: number): Observation['exits'] {
  const process = disk.processes.get(launch);
  if (!process || process.alive) return [];
  if (process.exit) return [{ launch, exit: process.exit, lost: false }];
  const message = 'the agent and its runner were killed';
  const lost: Disk = { ...disk, processes: new Map([[launch, { ...process, alive: true }]]) };
  exits(lost, launch, {
    outcome: 'error',
    kind: 'crash',
    message,
    code: null,
    signal: 'SIGKILL',
    cost: null,
  });
  return [{ launch, exit: lost.processes.get(launch)!.exit!, lost: true }];
}

function questions(disk: Disk, s: RunState): Pick<Observation, 'questions' | 'badQuestion'> {
  const found: Observation['questions'][number][] = [];
  let badQuestion: Observation['badQuestion'] = null;
  for (const [file, text] of [...disk.crps].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const hash = digest(text);
    if (s.known[file] === hash) continue;
    const read = parseFormat(crpFile, text);
    if (read.is === 'invalid') badQuestion ??= { file, hash, problem: read.problem };
    else if (read.is === 'value' && read.value.created_by !== 'dure')
      found.push({ file, hash, crp: read.value });
  }
  return { questions: found, badQuestion };
}

/** Dure's own steps have no flag; their output replaces it. */
export const flagOf = (step: Step): string =>
  isAgentStep(step) ? step.flag : (step.outputs[0] ?? `${step.folder}/done.flag`);

function clear(disk: Disk, step: Step, goesOn: boolean): void {
  const own = goesOn ? [] : isAgentStep(step) ? step.clears : step.outputs;
  const flags = [flagOf(step), `${step.folder}/done.flag`, `${step.folder}/error.flag`];
  for (const path of [...flags, ...own]) disk.files.delete(path);
}

async function deed(disk: Disk, s: RunState, due: Effect): Promise<RunEvent | null> {
  switch (due.due) {
    case 'seal':
      return seal(disk, s);
    case 'judge':
      return judge(disk, s, due.verdict);
    case 'ask':
      return ask(disk, s, due);
    case 'recommend': {
      const { recommendation } = crpFile.shape.parse(JSON.parse(disk.crps.get(due.crp)!));
      if (!recommendation) return null;
      const given = disk.vcrs.find(vcr => vcr.crp_id === due.crp);
      if (!given) answers(disk, due.crp, recommendation, 'The recommendation, taken by --yes.', true);
      const vcr = given ?? disk.vcrs.at(-1)!;
      return answered(disk, s, vcr);
    }
    case 'set-up':
      return answered(disk, s, due.vcr);
    case 'pack':
      return pack(disk, s);
    case 'merge':
      return merge(disk, s, due.request);
  }
}

const failure = (
  disk: Disk,
  s: RunState,
  kind: EventOf<'agent.failed'>['kind'],
  message: string,
): RunEvent => {
  const step = currentStep(s);
  return {
    at: iso(disk),
    type: 'agent.failed',
    agent: step.role,
    step: step.name,
    launch: s.launch,
    kind,
    message,
  };
};

function seal(disk: Disk, s: RunState): RunEvent {
  const stray = disk.mishaps.trespass[0];
  if (stray !== undefined) return failure(disk, s, 'validation', stray);
  const step = currentStep(s);
  const content =
    step.yields === 'tree' ? disk.files.get('builder/output')?.value : [...disk.files.keys()].join();
  const tree = content === undefined ? BASE : digest(String(content));
  if (step.name === firstTreeStep(s.setup).name && tree === (sealedResult(s)?.tree ?? BASE))
    return failure(disk, s, 'validation', 'nothing was changed in builder/output');
  return {
    at: iso(disk),
    type: 'agent.completed',
    agent: step.role,
    step: step.name,
    launch: s.launch,
    duration_ms: Date.parse(iso(disk)) - Date.parse(s.since ?? iso(disk)),
    commit: digest(`${step.name} ${s.launch} ${tree}`),
    tree,
  };
}

const answered = (disk: Disk, s: RunState, vcr: Vcr): RunEvent => ({
  ...answeredBy(s, vcr, iso(disk)),
  ...(effectOfAnswer(s, vcr)?.effect === 'setup' && { prepare: disk.configured }),
});

async function judge(disk: Disk, s: RunState, verdict: Verdict): Promise<RunEvent> {
  const ofThisBuild = s.tests !== null && s.tests.tree === sealedResult(s)?.tree;
  const output = ofThisBuild ? (disk.files.get('verifier/test-output.json')?.value as TestOutput) : null;
  const {
    verdict: ruled,
    lowered,
    back_to,
  } = ceiling(verdict.verdict, output, s.setup.criteria, verdict.fault);
  const handler = HANDLERS.find(h => h.verdict === ruled);
  if (!handler) return failure(disk, s, 'validation', `nothing handles the verdict ${ruled}`);
  const outcome = await handler.outcome({ ...verdict, verdict: ruled }, summarizeRun(s));
  const step = currentStep(s);
  return {
    at: iso(disk),
    type: 'verdict.given',
    agent: step.role,
    step: step.name,
    launch: s.launch,
    verdict: ruled,
    claimed: verdict.verdict,
    lowered,
    reason: verdict.reason,
    issues: verdict.issues ?? [],
    next: outcome.next === 'rework' && outcome.minor ? 'fix' : outcome.next,
    ...(outcome.next === 'rework' && { back_to }),
  };
}

function pack(disk: Disk, s: RunState): RunEvent {
  const mishap = disk.mishaps.pack[0];
  if (mishap !== undefined) return ask(disk, s, { due: 'ask', from: 'dure', why: 'pack', message: mishap });
  return {
    at: iso(disk),
    type: 'mrp.created',
    ...sealedResult(s)!,
    cost_usd: isCostComplete(s) ? spentUsd(s) : null,
  };
}

function ask(disk: Disk, s: RunState, due: Extract<Effect, { due: 'ask' }>): RunEvent {
  const id = `crp-${String(s.next_crp).padStart(3, '0')}`;
  const agent = currentStep(s).role;
  const put = (crp: Crp) => {
    const text = JSON.stringify(crp);
    disk.crps.set(crp.crp_id, text);
    return digest(text);
  };
  const asked = (by: string, crp_id: string, hash: string, text: string): EventOf<'crp.created'> => ({
    ...{
      at: iso(disk),
      type: 'crp.created',
      crp_id,
      agent: by,
      hash,
      seen_as: crp_id,
      why: 'question',
      question: text,
    },
  });
  if (due.from === 'dure') {
    const crp = ownQuestion(s, id, due.why, due.message, s.updated_at);
    return { ...asked('dure', id, put(crp), crp.question), why: due.why };
  }
  if (due.from === 'file') {
    if (!(due.file in s.known)) return asked(agent, due.file, due.hash, due.crp.question);
    const hash = put({ ...due.crp, crp_id: id });
    return { ...asked(agent, id, hash, due.crp.question), seen_as: due.file, seen_hash: due.hash };
  }
  const read = question.safeParse(disk.processes.get(s.launch)?.exit?.question);
  if (!read.success)
    return failure(disk, s, 'validation', `consult_human was asked badly: ${problemsOf(read.error)}`);
  const crp: Crp = { crp_id: id, created_by: agent, status: 'pending', ...read.data };
  return asked(agent, id, put(crp), crp.question);
}

function merge(disk: Disk, s: RunState, request: PersonRequest<'approve'>): RunEvent {
  const refused = (reason: string): RunEvent => ({
    at: iso(disk),
    type: 'approval.refused',
    reason,
    asked_at: request.asked_at,
  });
  const mrp = s.mrp!;
  if (request.tree !== mrp.tree) return refused('the approval was for another tree than the pack has');
  const mishap = disk.mishaps.merge[0];
  if (mishap !== undefined) return refused(mishap);
  return { at: iso(disk), type: 'run.completed', how: request.how, merged: true, into: 'main', ...mrp };
}
