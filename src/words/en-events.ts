/**
 * One-line English descriptions of events, for commands, pages, channels and desktop notifications. This module is
 * pure.
 */

import type { EventOf, EventType, RunEvent } from '../formats/events/events.ts';
import { singleLine } from '../formats/text/plain-text.ts';
import { megabytes, money, spanIn } from './format-amounts.ts';

export const enEvent = (e: RunEvent): string => eventSentence(SENTENCES, e);

export const eventSentence = (sentences: EventSentences, e: RunEvent): string =>
  singleLine((sentences[e.type] as (event: RunEvent) => string)(e));

/** A sentence for each type of event. */
export type EventSentences = { readonly [T in EventType]: (event: EventOf<T>) => string };

const SENTENCES: EventSentences = {
  'run.started': e => `${e.run_id} started`,
  'run.interrupted': e => `Interrupted in ${e.phase}: ${e.reason}`,
  'run.resumed': e => `Resumed in ${e.phase}`,
  'run.delayed': e =>
    e.message !== undefined
      ? `Retrying after an error: ${e.message}`
      : `Waiting for the disk: ${e.file} cannot be used: ${e.why}${
          e.file_system === null || e.free_bytes === null
            ? ''
            : ` (${e.file_system}, ${megabytes(e.free_bytes)} free)`
        }`,
  'run.continued': () => 'The run continues: the problem is gone',
  'workspace.prepared': e => `Workspace prepared in ${span(e.duration_ms)}`,
  'agent.started': e => `${who(e)} started, iteration ${e.iteration}, launch ${e.launch}`,
  'agent.completed': e =>
    `${who(e)} done after ${span(e.duration_ms)}${e.criteria ? `, ${criteriaCount(e.criteria.list.length)}` : ''}`,
  'agent.failed': e => `${who(e)} failed (${e.kind}): ${e.message}`,
  'agent.timeout': e =>
    `${who(e)} exceeded its time limit after ${span(e.after_ms)}: ${ON_TIMEOUT[e.action]}`,
  'agent.extended': e => `${who(e)}: time limit extended by ${span(e.ms)}`,
  'agent.retried': e => `${who(e)} restarted on request`,
  'agent.waits': e => `${who(e)} is waiting until ${e.until}: ${e.message}`,
  'agent.delayed': e => `${who(e)} is waiting for its API: ${e.reason}`,
  'agent.continued': e => `${who(e)} continues: its API responds again`,
  'agent.exited': exited,
  'tests.executed': tested,
  'exam.executed': examined,
  'checks.executed': checked,
  'verdict.given': e => `Verdict ${e.verdict}${e.lowered ? `, lowered (${e.lowered})` : ''}: ${e.reason}`,
  'crp.created': e => `${e.why === 'question' ? capital(e.agent) : 'Dure'} asks (${e.crp_id}): ${e.question}`,
  'vcr.created': e =>
    `${e.crp_id} was answered: ${e.decision}${e.amount_usd ? ` $${e.amount_usd}` : ''}${e.rationale ? ` (${e.rationale})` : ''}`,
  'iteration.started': e => `Iteration ${e.iteration} started: ${e.reason}`,
  'iteration.exhausted': e => `No iterations left after iteration ${e.iteration}: ${e.reason}`,
  'mrp.created': e =>
    e.remade
      ? `The pack was recreated because it had been modified: ${e.remade.join(', ')}`
      : `Ready for review${e.cost_usd === null ? '' : `, cost ${money(e.cost_usd)}`}`,
  'mrp.rejected': e => `Changes requested: ${e.summary}`,
  'approval.refused': e => `Not merged: ${e.reason}`,
  'run.rebased': rebased,
  'rebase.refused': e => `Not rebased: ${e.reason}`,
  'exam.extended': e => `The exam of the tests continues for up to ${span(1000 * e.budget_s)}`,
  'decision.refused': e => `Ignored ${e.file}: ${e.problem}. Use ${deciding(e.file)} instead`,
  'key.replaced': e =>
    `The run has a new key. ${e.events} earlier ${e.events === 1 ? 'event' : 'events'} could not be checked`,
  'run.completed': completed,
  'run.failed': e => `The run failed: ${e.reason}`,
  'run.stopped': e => `The run was stopped: ${e.reason}`,
};

const ON_TIMEOUT: Record<EventOf<'agent.timeout'>['action'], string> = {
  warn: 'it is still running. Give it more time with `dure extend`, restart it with `dure retry`, or stop the run with `dure stop`',
  retry: 'restarting it',
  stop: 'asking for a decision',
};

const STEP: Record<string, string> = {
  prepare: 'Workspace set-up',
  generate: 'Verifier (tests)',
  execute: 'Test run',
  exam: 'Test exam',
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
  return {
    pass: `Tests passed: ${passed} of ${total}${covered(e)}`,
    fail: `Tests failed: ${failed} of ${total}`,
    'could-not-run': `Tests could not be run: ${e.problem ?? 'reason unknown'}`,
    'not-run': 'Tests were not run',
  }[e.machine];
}

function examined({ criteria, problem }: EventOf<'exam.executed'>): string {
  if (problem !== undefined) return `The tests could not be examined: ${problem}`;
  const counted = criteria.filter(({ status }) => status !== 'look');
  const confirmed = counted.filter(({ status }) => status === 'confirmed').length;
  const failed = counted.filter(each => each.failed !== undefined);
  return `Tests examined: ${confirmed} of ${counted.length} criteria confirmed${failed.map(({ id, reason }) => `; ${id}: ${reason}`).join('')}`;
}

function checked({ checks }: EventOf<'checks.executed'>): string {
  const results = checks.map(({ name, status, regressions, regression_count }) => {
    const tests = regressions.flatMap(({ test }) => test ?? []).slice(0, 3);
    const named = tests.length > 0 ? ` (${regression_count}: ${tests.join(', ')})` : '';
    return `${name} ${checkStatus(status)}${named}`;
  });
  return `The project's own checks: ${results.join('; ')}`;
}

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
  return `${place}: ${same_patch ? 'the changes are the same' : 'the changes differ, so they are judged again'}`;
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
const span = spanIn({ h: ' h', min: ' min', s: ' s' });

/** Returns the command that writes this file, in backticks. */
export const deciding = (file: string): string => {
  const name = file.replace(/^requests\//, '').replace(/\.json$/, '');
  const command = file.startsWith('vcr/') ? 'answer' : file.startsWith('feedback/') ? 'reject' : name;
  return `\`dure ${command}\``;
};

const criteriaCount = (count: number): string =>
  `${count} acceptance ${count === 1 ? 'criterion' : 'criteria'}`;
