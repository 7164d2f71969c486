/**
 * Every fact and every state in one plain line of English, for notices, logs and pages. Pure.
 * What agents and people wrote is cut to a line and cannot carry control characters.
 */
import type { Crp } from '../formats/consultation.ts';
import type { EventOf, RunEvent } from '../formats/events.ts';
import type { RunState } from '../formats/state.ts';
import { isWorkedOn } from './phase.ts';
import { acceptedAs } from './proven.ts';

const LONGEST = 300;
/** C0 and C1 controls, and the marks that turn the direction of text around. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** A text of anyone's as a single line without control characters, at most 300 characters. */
export function oneLine(text: string): string {
  const line = text.replace(UNSEEN, ' ').replace(/ {2,}/g, ' ').trim();
  const characters = [...line];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : line;
}

export const describe = (event: RunEvent): string => oneLine(said(event));

function said(e: RunEvent): string {
  switch (e.type) {
    case 'run.started':
      return `${e.run_id} started`;
    case 'run.interrupted':
      return `Interrupted in ${e.phase}: ${e.reason}`;
    case 'run.resumed':
      return `Resumed in ${e.phase}`;
    case 'workspace.prepared':
      return `Workspace prepared in ${span(e.duration_ms)}`;
    case 'agent.started':
      return `${who(e)} started, iteration ${e.iteration}, launch ${e.launch}`;
    case 'agent.completed':
      return `${who(e)} done after ${span(e.duration_ms)}`;
    case 'agent.failed':
      return `${who(e)} failed (${e.kind}): ${e.message}`;
    case 'agent.timeout':
      return `${who(e)} has been at work for ${span(e.after_ms)}, longer than it may: ${ON_TIMEOUT[e.action]}`;
    case 'agent.extended':
      return `${who(e)} was given ${span(e.ms)} more`;
    case 'agent.retried':
      return `${who(e)} is started again, as asked for`;
    case 'agent.waits':
      return `${who(e)} waits until ${e.until}: ${e.message}`;
    case 'agent.delayed':
      return `${who(e)} waits for its API: ${e.reason}`;
    case 'agent.continued':
      return `${who(e)} goes on: its API answers again`;
    case 'agent.exited':
      return exited(e);
    case 'tests.executed':
      return tested(e);
    case 'checks.executed':
      return checked(e);
    case 'verdict.given':
      return `Verdict ${e.verdict}${e.lowered ? `, lowered (${e.lowered})` : ''}: ${e.reason}`;
    case 'crp.created':
      return `${e.why === 'question' ? capital(e.agent) : 'Dure'} asks (${e.crp_id}): ${e.question}`;
    case 'vcr.created':
      return `${e.crp_id} was answered: ${e.decision}${e.amount_usd ? ` $${e.amount_usd}` : ''}${e.rationale ? ` (${e.rationale})` : ''}`;
    case 'iteration.started':
      return `Iteration ${e.iteration} begins: ${e.reason}`;
    case 'iteration.exhausted':
      return `No iterations left after ${e.iteration}: ${e.reason}`;
    case 'mrp.created':
      return `Ready for review${e.cost_usd === null ? '' : `, for $${e.cost_usd.toFixed(2)}`}`;
    case 'mrp.rejected':
      return `Changes were asked for: ${e.summary}`;
    case 'approval.refused':
      return `The approval could not be carried out: ${e.reason}`;
    case 'run.completed':
      return completed(e);
    case 'run.failed':
      return `The run failed: ${e.reason}`;
    case 'run.stopped':
      return `The run was stopped: ${e.reason}`;
  }
}

const ON_TIMEOUT: Record<EventOf<'agent.timeout'>['action'], string> = {
  warn: 'it goes on. Give it more time with `dure extend`, start it again with `dure retry`, or end the run with `dure stop`',
  retry: 'it is started again',
  stop: 'a person decides',
};

const STEP: Record<string, string> = {
  prepare: 'Workspace setup',
  generate: 'Verifier (tests)',
  execute: 'Test run',
  checks: "The project's own checks",
  analyse: 'Verifier (analysis)',
};
const who = (e: { agent: string; step: string }) => STEP[e.step] ?? capital(e.agent);
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

function exited(e: EventOf<'agent.exited'>): string {
  const cost = e.usage?.cost_usd == null ? '' : `, $${e.usage.cost_usd.toFixed(2)}`;
  return `${who(e)} ended (launch ${e.launch}): ${e.outcome}${e.message ? `, ${e.message}` : ''}${cost}`;
}

function covered({ changed_coverage, coverage }: EventOf<'tests.executed'>): string {
  if (changed_coverage !== undefined) return `, ${changed_coverage} % of the changed lines covered`;
  return coverage === null ? '' : `, ${coverage} % covered`;
}

function tested(e: EventOf<'tests.executed'>): string {
  const { passed, failed, total } = e.counts ?? { passed: 0, failed: 0, total: 0 };
  switch (e.machine) {
    case 'pass':
      return `Tests passed: ${passed} of ${total}${covered(e)}`;
    case 'fail':
      return `Tests failed: ${failed} of ${total}`;
    case 'could-not-run':
      return `Tests could not be run: ${e.problem ?? 'no reason is known'}`;
    case 'not-run':
      return 'Tests were not run';
  }
}

function checked({ checks }: EventOf<'checks.executed'>): string {
  const broken = checks.filter(check => check.status === 'regression');
  const others = checks
    .filter(check => !broken.includes(check))
    .map(each => `${each.name} ${CHECKED[each.status]}`);
  const said = broken.map(({ name, regressions, regression_count }) => {
    const first = regressions.flatMap(({ test }) => test ?? []).slice(0, 3);
    const more = first.length > 0 ? ` (${regression_count}: ${first.join(', ')})` : '';
    return `${name} broken${more}`;
  });
  return `The project's own checks: ${[...said, ...others].join('; ')}`;
}

const CHECKED: Record<EventOf<'checks.executed'>['checks'][number]['status'], string> = {
  pass: 'passed',
  regression: 'broken',
  'red-on-base': 'red as on base',
  'could-not-run': 'could not run',
};

function completed(e: EventOf<'run.completed'>): string {
  // Without git, and on no branch, there is nothing to name but the folder itself.
  if (e.merged) return `Completed: merged into ${e.into ?? 'the project'}`;
  const place = e.into ?? 'a branch of its own';
  return e.how === 'pr' ? `Completed: pull request ${place}` : `Completed: the result is on ${place}`;
}

/** `35 s`, `5 min`, `2 h 10 min`. */
function span(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const describeState = (s: RunState): string => oneLine(standing(s));

function standing(s: RunState): string {
  const why = s.reason ? `: ${s.reason}` : '';
  switch (s.phase) {
    case 'waiting_human':
      return `Waiting for an answer to ${s.pending_crp ?? 'a question'}`;
    case 'ready_for_merge':
      return `Ready for review${s.accepted ? `, ${acceptedAs(s)}` : ''}${s.reason ? `; the approval was refused: ${s.reason}` : ''}`;
    case 'completed':
      return 'Completed';
    case 'failed':
      return `Failed${why}`;
    case 'stopped':
      return `Stopped${why}`;
    case 'interrupted':
      return `Interrupted in ${s.interrupted_from ?? 'a phase that is not known'}`;
    default:
      return working(s);
  }
}

function working(s: RunState): string {
  const iteration = `iteration ${s.iteration} of ${s.max_iterations}`;
  if (s.todo?.do === 'pack') return `Making the merge-readiness pack, ${iteration}`;
  if (s.todo) return `Deciding what follows, ${iteration}`;
  if (s.not_before) return `Waiting until ${s.not_before}, ${iteration}`;
  const step = s.setup.pipeline.find(one => one.name === s.step);
  const name = step ? who({ agent: step.role, step: step.name }) : capital(s.phase);
  const doing = s.delayed ? `waits for its API (${s.delayed})` : s.since === null ? 'starting' : 'at work';
  return `${name} ${doing}, ${iteration}${s.mode === 'fix' ? `, minor fix ${s.minor_fixes}` : ''}`;
}

/**
 * The command by which a person lets the run go on, or null when it needs nobody. With the open question it already
 * names the option that was recommended, or the first.
 */
export function commandFor(s: RunState, open: Crp | null = null): string | null {
  switch (s.phase) {
    case 'waiting_human': {
      const option = open && (open.recommendation ?? open.options[0]?.id);
      return `dure answer ${s.run_id}${option ? ` --decision ${word(option)}` : ''}`;
    }
    case 'ready_for_merge':
      return `dure review ${s.run_id}`;
    case 'interrupted':
      return `dure recover ${s.run_id}`;
    default:
      return s.timeout_noticed && isWorkedOn(s.phase) ? `dure extend ${s.run_id}` : null;
  }
}

/** An agent chose the option's id: in a line that a person pastes, it must stay one word. */
const word = (id: string) =>
  /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(id) ? id : `'${oneLine(id).replaceAll("'", `'\\''`)}'`;
