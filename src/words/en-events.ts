/**
 * One-line English descriptions of events, for commands, pages, channels and desktop notifications. This module is
 * pure.
 */
import type { EventOf, RunEvent } from '../formats/events/events.ts';
import { singleLine } from '../formats/text/plain-text.ts';
import { megabytes, money } from './format-amounts.ts';

export const enEvent = (e: RunEvent): string => singleLine(sentence(e));

function sentence(e: RunEvent): string {
  switch (e.type) {
    case 'run.started':
      return `${e.run_id} started`;
    case 'run.interrupted':
      return `Interrupted in ${e.phase}: ${e.reason}`;
    case 'run.resumed':
      return `Resumed in ${e.phase}`;
    case 'run.delayed':
      if (e.message !== undefined) return `Delayed by an error; retrying: ${e.message}`;
      return `Waiting for the disk: ${e.file} cannot be used: ${e.why}${
        e.file_system === null || e.free_bytes === null
          ? ''
          : ` (${e.file_system}, ${megabytes(e.free_bytes)} free)`
      }`;
    case 'run.continued':
      return 'Continued: the problem is gone';
    case 'workspace.prepared':
      return `Workspace prepared in ${span(e.duration_ms)}`;
    case 'agent.started':
      return `${who(e)} started, iteration ${e.iteration}, launch ${e.launch}`;
    case 'agent.completed':
      return `${who(e)} done after ${span(e.duration_ms)}${e.criteria ? `, ${criteriaCount(e.criteria.list.length)}` : ''}`;
    case 'agent.failed':
      return `${who(e)} failed (${e.kind}): ${e.message}`;
    case 'agent.timeout':
      return `${who(e)} exceeded its time limit after ${span(e.after_ms)}: ${ON_TIMEOUT[e.action]}`;
    case 'agent.extended':
      return `${who(e)}: time limit extended by ${span(e.ms)}`;
    case 'agent.retried':
      return `${who(e)} restarted on request`;
    case 'agent.waits':
      return `${who(e)} is waiting until ${e.until}: ${e.message}`;
    case 'agent.delayed':
      return `${who(e)} is waiting for its API: ${e.reason}`;
    case 'agent.continued':
      return `${who(e)} continues: its API responds again`;
    case 'agent.exited':
      return exited(e);
    case 'tests.executed':
      return tested(e);
    case 'exam.executed':
      return examined(e);
    case 'checks.executed':
      return checked(e);
    case 'verdict.given':
      return `Verdict ${e.verdict}${e.lowered ? `, lowered (${e.lowered})` : ''}: ${e.reason}`;
    case 'crp.created':
      return `${e.why === 'question' ? capital(e.agent) : 'Dure'} asks (${e.crp_id}): ${e.question}`;
    case 'vcr.created':
      return `${e.crp_id} was answered: ${e.decision}${e.amount_usd ? ` $${e.amount_usd}` : ''}${e.rationale ? ` (${e.rationale})` : ''}`;
    case 'iteration.started':
      return `Iteration ${e.iteration} started: ${e.reason}`;
    case 'iteration.exhausted':
      return `No iterations left after ${e.iteration}: ${e.reason}`;
    case 'mrp.created':
      return e.remade
        ? `The pack was recreated because it had been modified: ${e.remade.join(', ')}`
        : `Ready for review${e.cost_usd === null ? '' : `, cost ${money(e.cost_usd)}`}`;
    case 'mrp.rejected':
      return `Changes requested: ${e.summary}`;
    case 'approval.refused':
      return `Not merged: ${e.reason}`;
    case 'run.rebased':
      return rebased(e);
    case 'rebase.refused':
      return `Not rebased: ${e.reason}`;
    case 'exam.extended':
      return `The exam of the tests continues for up to ${span(1000 * e.budget_s)}`;
    case 'decision.refused':
      return `Ignored ${e.file}: ${e.problem}. Use ${deciding(e.file)} instead`;
    case 'key.replaced':
      return `The run has a new key. ${e.events} earlier events could not be checked`;
    case 'run.completed':
      return completed(e);
    case 'run.failed':
      return `The run failed: ${e.reason}`;
    case 'run.stopped':
      return `The run was stopped: ${e.reason}`;
  }
}

const ON_TIMEOUT: Record<EventOf<'agent.timeout'>['action'], string> = {
  warn: 'it is still running. Give it more time with `dure extend`, restart it with `dure retry`, or stop the run with `dure stop`',
  retry: 'restarting it',
  stop: 'asking for a decision',
};

const STEP: Record<string, string> = {
  prepare: 'Workspace set-up',
  generate: 'Verifier (tests)',
  execute: 'Test run',
  exam: 'Exam of the tests',
  checks: "The project's own checks",
  analyse: 'Verifier (analysis)',
};
const who = (e: { agent: string; step: string }) => STEP[e.step] ?? capital(e.agent);
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

function exited(e: EventOf<'agent.exited'>): string {
  const cost = e.usage?.cost_usd == null ? '' : `, ${money(e.usage.cost_usd)}`;
  return `${who(e)} ended (launch ${e.launch}): ${e.outcome}${e.message ? `, ${e.message}` : ''}${cost}`;
}

function covered({ changed_coverage, coverage }: EventOf<'tests.executed'>): string {
  if (changed_coverage !== undefined) return `, ${changed_coverage}% of the changed lines covered`;
  return coverage === null ? '' : `, ${coverage}% covered`;
}

function tested(e: EventOf<'tests.executed'>): string {
  const { passed, failed, total } = e.counts ?? { passed: 0, failed: 0, total: 0 };
  switch (e.machine) {
    case 'pass':
      return `Tests passed: ${passed} of ${total}${covered(e)}`;
    case 'fail':
      return `Tests failed: ${failed} of ${total}`;
    case 'could-not-run':
      return `Tests could not be run: ${e.problem ?? 'reason unknown'}`;
    case 'not-run':
      return 'Tests were not run';
  }
}

function examined({ criteria, problem }: EventOf<'exam.executed'>): string {
  if (problem !== undefined) return `The tests could not be examined: ${problem}`;
  const counted = criteria.filter(({ status }) => status !== 'look');
  const confirmed = counted.filter(({ status }) => status === 'confirmed').length;
  const failed = counted.filter(each => each.failed !== undefined);
  return `Tests examined: ${confirmed} of ${counted.length} criteria confirmed${failed.map(({ id, reason }) => `; ${id}: ${reason}`).join('')}`;
}

const checked = ({ checks }: EventOf<'checks.executed'>): string =>
  `The project's own checks: ${checks
    .map(({ name, status, regressions, regression_count }) => {
      const tests = regressions.flatMap(({ test }) => test ?? []).slice(0, 3);
      const named = tests.length > 0 ? ` (${regression_count}: ${tests.join(', ')})` : '';
      return `${name} ${checkStatus(status)}${named}`;
    })
    .join('; ')}`;

const CHECK_STATUS: Readonly<Record<EventOf<'checks.executed'>['checks'][number]['status'], string>> = {
  pass: 'passed',
  regression: 'regressed',
  'red-on-base': 'fails on base too',
  'could-not-run': 'could not run',
};
export const checkStatus = (status: string): string =>
  (CHECK_STATUS as Readonly<Record<string, string>>)[status] ?? status;

function rebased({ onto, base, conflicts, same_patch }: EventOf<'run.rebased'>): string {
  const place = `Rebased onto ${onto} (${base.slice(0, 10)})`;
  if (conflicts.length > 0)
    return `${place}, with conflicts in ${conflicts.map(({ path }) => path).join(', ')}`;
  return `${place}: ${same_patch ? 'the same changes' : 'the changes differ, so they are judged again'}`;
}

function completed(e: EventOf<'run.completed'>): string {
  const tests =
    e.tests === undefined
      ? ''
      : `, with the Verifier's ${e.tests === 1 ? 'test file' : `${e.tests} test files`} (the project's checks ran without ${e.tests === 1 ? 'it' : 'them'})`;
  // Without git or a branch, only the folder can be named.
  if (e.merged) return `Completed: merged into ${e.into ?? 'the project'}${tests}`;
  const place = e.into ?? 'a separate branch';
  if (e.how !== 'pr') return `Completed: the result is on ${place}${tests}`;
  return e.opened === false
    ? `Completed: the branch was pushed${tests}. Open the pull request${e.url ? `: ${e.url}` : " on the repository's web page"}`
    : `Completed: pull request ${e.url ?? place}${tests}`;
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

/** The command that writes this file. */
export const deciding = (file: string): string => {
  const name = file.replace(/^requests\//, '').replace(/\.json$/, '');
  const command = file.startsWith('vcr/') ? 'answer' : file.startsWith('feedback/') ? 'reject' : name;
  return `\`dure ${command}\``;
};

const criteriaCount = (count: number): string =>
  `${count} acceptance ${count === 1 ? 'criterion' : 'criteria'}`;
