/**
 * Replays a transcript: commands, `----`, and the events that followed. The commands are described in `COMMANDS`;
 * after each one a second passes and Dure observes until nothing changes.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { drive } from '../../src/core/orchestrator.ts';
import { desired } from '../../src/core/policy/desired-launch.ts';
import { currentStep } from '../../src/core/policy/pipeline/look-up-steps.ts';
import type { Crp } from '../../src/formats/crp-and-vcr.ts';
import type { RunEvent } from '../../src/formats/events/events.ts';
import type { Exit } from '../../src/formats/launch.ts';
import type { Setup } from '../../src/formats/state.ts';
import type { TestOutput } from '../../src/formats/test-config-and-results.ts';
import { flagOf, type Process, RunInFolder, sampleExam, sampleQuestion } from './run-in-folder.ts';
import { setupWith } from './sample-setup.ts';

interface Replay {
  readonly run: RunInFolder;
  driver: Awaited<ReturnType<RunInFolder['driver']>> | null;
  holdsStarts: boolean;
  readonly lines: string[];
}

/** The transcript with the events of each block replaced by the new ones. */
export async function replay(text: string): Promise<string> {
  const [head, ...blocks] = text.trimEnd().split(/\n\n+/);
  const lines = head!.split('\n');
  const settings = lines.filter(line => line.startsWith('setup ')).flatMap(line => line.split(' ').slice(1));
  const run = await RunInFolder.begin(setupWith(Object.assign({}, ...settings.map(setting))));
  const replay: Replay = { run, driver: null, holdsStarts: false, lines: [] };
  const written = [head!];
  try {
    for (const block of blocks) {
      const [commands = ''] = block.split(/^----$/m);
      replay.lines.length = 0;
      for (const line of commands.trim().split('\n')) {
        if (line.startsWith('#')) continue;
        await execute(replay, line);
      }
      written.push([commands.trim(), '----', ...replay.lines, statusLine(replay)].join('\n'));
    }
  } finally {
    run.remove();
  }
  return `${written.join('\n\n')}\n`;
}

const SETTINGS: Record<string, (value: string) => Partial<Setup>> = {
  iterations: value => ({ max_iterations: Number(value) }),
  'minor-fixes': value => ({ max_minor_fixes: Number(value) }),
  consultations: value => ({ max_consultations: Number(value) }),
  attempts: value => ({ retry: { attempts: Number(value), kinds: ['crash', 'timeout', 'validation'] } }),
  on: value => ({ timeout_action: value as Setup['timeout_action'] }),
  budget: value => ({ budget_usd: Number(value) }),
  prepare: value => ({ prepare: value }),
  yes: () => ({ take_recommendations: true }),
};

function setting(word: string): Partial<Setup> {
  const [name = '', value = ''] = word.split('=');
  const known = SETTINGS[name];
  if (!known) throw new Error(`no such setting: ${word}`);
  return known(value);
}

async function execute(replay: Replay, line: string): Promise<void> {
  const [name = '', ...words] = line.trim().split(' ');
  const command = COMMANDS[name];
  if (!command) throw new Error(`no such command: ${line}`);
  replay.run.clock += 1000;
  await command(replay, words);
  await withinRealTime(line, driveUntilIdle(replay));
}

const HANGS_MS = 60_000;

/** The clock of the run stands still, so nothing else reports what a run that hangs is waiting for. */
async function withinRealTime<T>(line: string, work: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const limit = pause(HANGS_MS, null, { signal: ended.signal }).then(() => {
    throw new Error(`the run hangs after "${line}": ${process.getActiveResourcesInfo().join(', ')}`);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    ended.abort();
    limit.catch(() => {});
  }
}

const MAX_ROUNDS = 1000;

/** Observes until neither the log nor the world changes. */
async function driveUntilIdle(replay: Replay): Promise<void> {
  const { run, driver } = replay;
  if (!replay.holdsStarts) run.claim();
  if (!driver) return;
  for (let moved = true, rounds = 0; moved; rounds += 1) {
    if (rounds === MAX_ROUNDS) throw new Error(`the run does not come to rest: ${JSON.stringify(run.state)}`);
    const before = run.events.length;
    const alive = aliveProcesses(run).length;
    await drive({
      ...driver,
      wakes: once(),
      async publish(event, state) {
        await driver.publish(event, state);
        replay.lines.push(eventText(run, event));
      },
    });
    if (!replay.holdsStarts) run.claim();
    moved =
      run.events.length > before || aliveProcesses(run).length !== alive || countUnrecordedExits(run) > 0;
  }
}

async function* once(): AsyncIterable<void> {
  yield;
}

const aliveProcesses = (run: RunInFolder): Process[] =>
  [...run.processes.values()].filter(process => process.alive);
/** Launches that have ended but are not recorded as ended. */
const countUnrecordedExits = (run: RunInFolder): number =>
  run.state.open.filter(o => !run.processes.get(o.launch)?.alive).length;

async function start(replay: Replay): Promise<void> {
  replay.driver = await replay.run.driver();
}

/** The process of a command: `#3` as its last word, else the newest one. */
function processOf({ run }: Replay, words: string[]): Process {
  const given = words.at(-1)?.startsWith('#')
    ? Number(words.pop()!.slice(1))
    : aliveProcesses(run).at(-1)?.launch;
  const process = given === undefined ? undefined : run.processes.get(given);
  if (!process) throw new Error('no agent is running');
  return process;
}

const stepOf = (run: RunInFolder, { step }: Process) =>
  run.state.setup.pipeline.find(one => one.name === step)!;

/** An agent writes all outputs of its step. */
function writeOutputs(run: RunInFolder, process: Process): void {
  const step = stepOf(run, process);
  for (const output of step.outputs) run.write(output);
  if (step.yields === 'tree') run.write('builder/output', `written by launch ${process.launch}\n`);
}

function exit(replay: Replay, process: Process, how: Partial<Exit> & { cost?: number | null } = {}): void {
  replay.run.exit(process.launch, { cost: 0.1, ...how });
}

const COMMANDS: Record<string, (replay: Replay, words: string[]) => void | Promise<void>> = {
  /** Dure starts or resumes driving the run. */
  drive: start,
  /** The agent writes its outputs and its flag, and succeeds. */
  done(replay, words) {
    const process = processOf(replay, words);
    writeOutputs(replay.run, process);
    replay.run.write(flagOf(stepOf(replay.run, process)));
    exit(replay, process, costOf(words));
  },
  /** The same, but the process continues for a while. */
  flag(replay, words) {
    const process = processOf(replay, words);
    writeOutputs(replay.run, process);
    replay.run.write(flagOf(stepOf(replay.run, process)));
  },
  /** Writes only the flag. */
  'bare-flag'(replay, words) {
    replay.run.write(flagOf(stepOf(replay.run, processOf(replay, words))));
  },
  /** Writes the agent's outputs, without the flag. */
  leaves(replay, words) {
    writeOutputs(replay.run, processOf(replay, words));
  },
  /** `writes FILE`, optionally followed by its content. */
  writes({ run }, [file = '', ...content]) {
    run.write(file, content.join(' ') || undefined);
  },
  'error-flag'(replay, words) {
    const process = processOf(replay, words);
    replay.run.write(`${stepOf(replay.run, process).folder}/error.flag`, words.join(' '));
    exit(replay, process, { code: 1, outcome: 'error', kind: 'crash', message: 'exit code 1' });
  },
  exits(replay, words) {
    const process = processOf(replay, words);
    const [code = '0', ...message] = words;
    if (code === '0') return exit(replay, process);
    const kind = (
      message[0] === 'permission' || message[0] === 'resource' ? message.shift() : 'crash'
    ) as Exit['kind'];
    exit(replay, process, {
      code: Number(code),
      outcome: 'error',
      kind,
      message: message.join(' ') || `exit code ${code}`,
    });
  },
  /** The agent and its runner are killed: there is no exit record. */
  dies(replay, words) {
    replay.run.kill(processOf(replay, words).launch);
  },
  /** `verdict FAIL some reason`; with `tests-wrong` after the verdict the tests are at fault. */
  verdict(replay, words) {
    const process = processOf(replay, words);
    const [verdict = '', ...reason] = words;
    const wrong = reason[0] === 'tests-wrong' && reason.shift() !== undefined;
    const value = {
      verdict,
      reason: reason.join(' ') || 'as reviewed',
      issues: [],
      ...(wrong && { fault: 'tests' }),
    };
    replay.run.write('gatekeeper/verdict.json', value);
    exit(replay, process);
  },
  /**
   * `tests pass`, `tests pass 0/10 covered=60`, `tests fail 1/10 a b` (one of ten failed; names), `tests
   * could-not-run WHY`, `tests could-not-run setup WHY`.
   */
  tests(replay, words) {
    const process = processOf(replay, words);
    const { run } = replay;
    const [machine = '', counts = '0/10', ...more] = words;
    const [failed = 0, total = 0] = counts.split('/').map(Number);
    const couldNot = machine === 'could-not-run';
    const covered = more.find(word => word.startsWith('covered='))?.slice('covered='.length);
    const output: TestOutput = {
      exit_code: machine === 'pass' ? 0 : couldNot ? 127 : 1,
      stdout: '',
      stderr: '',
      duration_ms: 0,
      executed_at: run.now,
      ...(!couldNot && { test_results: { total, passed: total - failed, failed, skipped: 0 } }),
      machine: machine as TestOutput['machine'],
      ...(couldNot && counts === 'setup' && { back_to: 'setup' }),
      ...(couldNot && { problem: [...(counts === 'setup' ? [] : [counts]), ...more].join(' ') }),
      ...(covered !== undefined && { changed_coverage: Number(covered) }),
      failures: machine === 'fail' ? more : [],
      command: 'npx vitest run',
      tree: run.state.sealed['build']!.tree,
      tests_tree: run.state.sealed['generate']!.tree,
    };
    run.write('verifier/test-output.json', output);
    exit(replay, process, { cost: 0 });
  },
  /**
   * `exam hollow`: the test of the only criterion also passes without the change. `exam unfinished`: the time ran
   * out. `exam moved`: the only undefended line has moved.
   */
  exam(replay, words) {
    const process = processOf(replay, words);
    replay.run.write('verifier/exam.json', sampleExam(replay.run.state, words[0] ?? 'ok'));
    exit(replay, process, { cost: 0 });
  },
  /** The Refiner ends its briefing with one acceptance criterion, and succeeds. */
  criteria(replay, words) {
    const process = processOf(replay, words);
    writeOutputs(replay.run, process);
    replay.run.write('briefing/refined.md', '## Acceptance criteria\n- AC-1: it works\n');
    replay.run.write(flagOf(stepOf(replay.run, process)));
    exit(replay, process);
  },
  /** The agent asks with a file and exits. `crp crp-001 bad` is an invalid file. */
  crp(replay, words) {
    const process = processOf(replay, words);
    writeQuestion(replay, process, words);
    exit(replay, process);
  },
  /** The agent asks with a file and keeps running. */
  'crp-and-stays'(replay, words) {
    writeQuestion(replay, processOf(replay, words), words);
  },
  /** The agent asks through consult_human; the session waits for the answer. */
  consult(replay, words) {
    const process = processOf(replay, words);
    const { crp_id, created_by, status, ...question } = sampleQuestion(
      'crp-000',
      process.role,
      words.join(' '),
    );
    exit(replay, process, {
      outcome: 'deferred',
      message: 'waits for an answer',
      session: `s${process.launch}`,
      question,
    });
  },
  /** `answer A some words`: the user answers the open question. */
  answer({ run }, [decision = '', ...rationale]) {
    run.answer(run.state.pending_crp!, decision, rationale.join(' '));
  },
  /** Prints the context of the open question, its recommendation and its options. */
  context({ run, lines }) {
    const crp = JSON.parse(readFileSync(run.context.files.crp(run.state.pending_crp!), 'utf8')) as Crp;
    // An empty line would end the block.
    const contextLines = crp.context!.split('\n').filter(line => line !== '');
    lines.push(...contextLines.map(line => `         ${line}`));
    lines.push(`         => ${crp.recommendation} of ${crp.options.map(({ id }) => id).join(', ')}`);
  },
  /** The user changes workspace.setup in the configuration. */
  configure({ run }, words) {
    run.configure(words.join(' '));
  },
  /** Time passes. */
  wait({ run }, [span = '']) {
    run.clock += msOf(span);
  },
  /** The API refuses the agent's requests, or accepts them again. */
  refused(replay, words) {
    replay.run.delay(processOf(replay, words).launch, words.join(' '));
  },
  'goes-through'(replay, words) {
    replay.run.delay(processOf(replay, words).launch, null);
  },
  'rate-limited'(replay, words) {
    const process = processOf(replay, words);
    const [span] = words;
    const until = span && new Date(Date.parse(replay.run.now) + msOf(span)).toISOString();
    exit(replay, process, {
      outcome: 'rate-limited',
      message: 'usage limit reached',
      retry_at: until ?? null,
    });
  },
  'over-budget'(replay, words) {
    exit(replay, processOf(replay, words), {
      outcome: 'budget',
      message: 'the budget was reached',
      ...costOf(words),
    });
  },
  stop({ run }, words) {
    run.request('stop', { asked_at: run.now, reason: words.join(' ') });
  },
  approve({ run }, [which]) {
    const tree = which === 'another' ? '0'.repeat(40) : run.state.mrp!.tree;
    run.request('approve', { asked_at: run.now, tree, how: 'merge', tests: 'leave', hooks: 'run' });
  },
  /** `rebase FILE`: first a colleague commits the file to the branch. */
  rebase({ run }, [file = '']) {
    const base = run.commitToBranch(file, 'of a colleague\n');
    run.request('rebase', { asked_at: run.now, base, onto: 'main' });
  },
  /** `examine SPAN`: the user gives the exam more time. */
  examine({ run }, [span = '']) {
    run.request('exam', { asked_at: run.now, budget_s: msOf(span) / 1000 });
  },
  feedback({ run }, words) {
    const { tree } = run.state.mrp!;
    run.giveFeedback({ asked_at: run.now, tree, feedback: words.join(' '), comments: [] });
  },
  /**
   * `late-feedback words`: the pack is being made again for the same result. `late-feedback another words`: the feedback
   * is about an earlier result.
   */
  'late-feedback'({ run }, words) {
    const tree = words[0] === 'another' ? '0'.repeat(40) : run.state.sealed['build']!.tree;
    run.giveFeedback({ asked_at: run.now, tree, feedback: words.join(' '), comments: [] });
  },
  /** Prints the names of the files in `feedback/`. */
  'list-feedback'({ run, lines }) {
    const names = readdirSync(run.context.files.feedback).map(name => name.replace(/-[0-9a-f]{8}\./, '-ID.'));
    lines.push(...names.sort().map(name => `         ${name}`));
  },
  retry({ run }) {
    run.request('retry', { asked_at: run.now, launch: run.state.launch });
  },
  extend({ run }, [span = '']) {
    run.request('extend', { asked_at: run.now, launch: run.state.launch, ms: msOf(span) });
  },
  /** Until `frees-merge`, a file of the user is in the way of the merge. */
  'blocks-merge'({ run }) {
    run.blockMerge(true);
  },
  'frees-merge'({ run }) {
    run.blockMerge(false);
  },
  /** Until `restores-repository`, git does not find a repository. */
  'hides-repository'({ run }) {
    run.hideRepository(true);
  },
  'restores-repository'({ run }) {
    run.hideRepository(false);
  },
  /** `cannot-start WHY`: the next start of an agent fails. */
  'cannot-start'({ run }, why) {
    run.failNextStart(why.join(' '));
  },
  /** From now on, a started runner does not claim its launch until `claims`. */
  'hold-starts'(replay) {
    replay.holdsStarts = true;
  },
  claims(replay) {
    replay.holdsStarts = false;
  },
  /** The driver is killed; everything else continues. */
  down(replay) {
    replay.driver = null;
  },
  'power-cut': start,
  /** The driver is asked to stop, and does so. */
  async interrupt(replay) {
    const { journal } = replay.driver!;
    const event: RunEvent = {
      at: replay.run.now,
      type: 'run.interrupted',
      phase: journal.state!.phase,
      reason: 'the driver was told to exit',
    };
    await journal.append(event);
    replay.lines.push(eventText(replay.run, event));
    replay.driver = null;
  },
};

function writeQuestion({ run }: Replay, process: Process, words: string[]): void {
  const [id = '', ...text] = words;
  const crp = sampleQuestion(id, process.role, text.join(' ') || 'This or that?');
  run.ask(
    id,
    JSON.stringify(text[0] === 'bad' ? { ...crp, options: [], said: text.slice(1).join(' ') } : crp),
  );
}

const costOf = (words: string[]): { cost?: number } => {
  const [price] = words.filter(word => word.startsWith('$'));
  return price ? { cost: Number(price.slice(1)) } : {};
};

const UNIT: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
function msOf(span: string): number {
  const [, count = '', unit = ''] = /^(\d+)([smhd])$/.exec(span) ?? [];
  if (!UNIT[unit]) throw new Error(`no such span: ${span}`);
  return Number(count) * UNIT[unit];
}

/** Time since the start of the run, the event, and its most important keys. */
function eventText(run: RunInFolder, event: RunEvent): string {
  return `${span(Date.parse(event.at) - Date.parse(run.state.started_at)).padStart(8)}  ${event.type}${facts(event)}`;
}

function span(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [d, h, m, s] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ];
  return [d && `${d}d`, h && `${h}h`, m && `${m}m`, s && `${s}s`].filter(Boolean).join('') || '0s';
}

const who = (e: { agent: string; step: string; launch: number }) =>
  ` ${e.agent === e.step || ['refine', 'build', 'gate'].includes(e.step) ? e.agent : `${e.agent}/${e.step}`}#${e.launch}`;
const suffix = (text: string) => (text ? `: ${shortened(text)}` : '');
/** One line, with short object ids. */
const shortened = (text: string) =>
  text.replaceAll('\n', ' | ').replaceAll(/\b([0-9a-f]{7})[0-9a-f]{33}\b/g, '$1');

function facts(e: RunEvent): string {
  switch (e.type) {
    case 'agent.started':
    case 'agent.completed':
    case 'agent.retried':
      return who(e);
    case 'agent.failed':
      return `${who(e)} ${e.kind}${suffix(e.message)}`;
    case 'agent.timeout':
      return `${who(e)} after ${span(e.after_ms)}, so ${e.action}`;
    case 'agent.extended':
      return `${who(e)} by ${span(e.ms)}`;
    case 'agent.waits':
      return `${who(e)}${suffix(e.message)}`;
    case 'run.delayed':
      return suffix(e.why);
    case 'agent.delayed':
      return `${who(e)}${suffix(e.reason)}`;
    case 'agent.continued':
      return who(e);
    case 'agent.exited':
      return `${who(e)} ${e.outcome}${suffix(e.message)}`;
    case 'tests.executed':
      return ` ${e.machine}${e.counts ? `, ${e.counts.failed} of ${e.counts.total} failed` : suffix(e.problem ?? '')}${e.back_to ? `, back to ${e.back_to}` : ''}`;
    case 'exam.executed':
      return ` ${e.criteria.map(({ id, status, failed }) => `${id} ${failed ?? status}`).join(', ')}${suffix(e.problem ?? '')}`;
    case 'checks.executed':
      return ` ${e.checks.map(({ name, status }) => `${name} ${status}`).join(', ')}`;
    case 'verdict.given':
      return ` ${e.verdict}${e.lowered ? ` (${e.lowered})` : ''}, next ${e.next}${e.back_to && e.back_to !== 'tree' ? `, back to ${e.back_to}` : ''}`;
    case 'crp.created':
      return ` ${e.crp_id} by ${e.agent} (${e.why})${suffix(e.question)}`;
    case 'vcr.created':
      return ` ${e.vcr_id} to ${e.crp_id}: ${e.decision}${e.rationale && ` (${e.rationale})`}, so ${e.effect}${e.amount_usd ? ` by $${e.amount_usd}` : ''}${e.prepare === undefined ? '' : ` with ${e.prepare}`}`;
    case 'iteration.started':
    case 'iteration.exhausted':
      return ` ${e.iteration}${suffix(e.reason)}`;
    case 'mrp.created':
      return e.cost_usd === null ? ' for an unknown cost' : ` for $${e.cost_usd.toFixed(2)}`;
    case 'mrp.rejected':
      return ` by feedback ${e.feedback}${suffix(e.summary)}`;
    case 'run.rebased':
      return ` on ${e.onto}${e.conflicts.length > 0 ? `, conflicts in ${e.conflicts.map(({ path }) => path).join(', ')}` : `, ${e.same_patch ? 'same' : 'other'} patch`}`;
    case 'exam.extended':
      return ` by ${e.budget_s}s`;
    case 'decision.refused':
      return ` ${e.file}: ${e.problem}`;
    case 'key.replaced':
      return ` ${e.events}`;
    case 'approval.refused':
    case 'rebase.refused':
    case 'run.failed':
    case 'run.stopped':
      return suffix(e.reason);
    case 'run.completed':
      return ` merged into ${e.into}`;
    case 'run.interrupted':
    case 'run.resumed':
      return ` in ${e.phase}`;
    case 'run.started':
    case 'run.continued':
    case 'workspace.prepared':
      return '';
  }
}

/** The phase of the run, and what it is waiting for. */
function statusLine({ run: { state: s, starting, processes, clock } }: Replay): string {
  const wanted = desired(s);
  const due = wanted?.notBefore ? Date.parse(wanted.notBefore) - Date.parse(s.started_at) : 0;
  const leftovers = [...processes.values()].filter(p => p.alive && p.launch !== wanted?.launch);
  const parts = [
    `${s.phase}${currentStep(s).phase === 'verify' && s.phase === 'verify' ? `/${s.step}` : ''}, iteration ${s.iteration} of ${s.max_iterations}`,
    s.mode === 'fix' && `minor fix ${s.minor_fixes}`,
    wanted && `wants ${wanted.step.role}#${wanted.launch}${due > clock ? ` not before ${span(due)}` : ''}`,
    wanted && s.retries > 0 && `attempt ${s.retries + 1}`,
    s.resume && `continues session ${s.resume.session}`,
    s.problem && wanted && `told "${shortened(s.problem)}"`,
    s.waiting && `waits for ${s.waiting.crp}`,
    s.accepted && 'accepted by the person',
    s.reason && `because ${shortened(s.reason)}`,
    starting.length > 0 && `runner of #${starting.join()} on its way`,
    leftovers.length > 0 && `alive: ${leftovers.map(p => `${p.role}#${p.launch}`).join()}`,
  ];
  return `   = ${parts.filter(Boolean).join('; ')}`;
}
