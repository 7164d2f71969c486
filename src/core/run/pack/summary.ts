/**
 * Renders the text of a merge-readiness pack from the log and Dure's own test run. Nothing that an agent claims is
 * stated as fact, and all text that is not from Dure is quoted with `markdown-quote.ts`.
 */

import type { FileStat } from '../../../formats/changed-file-stats.ts';
import type { Crp, Vcr } from '../../../formats/crp-and-vcr.ts';
import type { DecidedBy } from '../../../formats/decision-provenance.ts';
import type { RunEvent } from '../../../formats/events/events.ts';
import type { Evidence } from '../../../formats/evidence.ts';
import type { CriteriaReport } from '../../../formats/exam/criteria-report.ts';
import type { RunState } from '../../../formats/state.ts';
import { firstTreeStep, stepThatYields, titleOfRole } from '../../policy/pipeline/look-up-steps.ts';
import type { UserFileChange } from '../../policy/user-file-changes.ts';
import { quotation, quotedName } from '../../text/markdown-quote.ts';
import { introduced, truncatedBullets, truncatedInline } from '../../text/truncate-list.ts';
import { checksTable } from './checks-section.ts';
import { criteriaTable } from './criteria-section.ts';
import { MACHINE, proofSection } from './proof-section.ts';
import { rulesList } from './rules-section.ts';
import { packWarnings } from './warnings.ts';

export interface PackHistory {
  readonly state: RunState;
  readonly evidence: Evidence;
  readonly criteria: CriteriaReport;
  readonly stat: readonly FileStat[];
  /** Names of failed tests. */
  readonly failures: readonly string[];
  readonly answers: readonly { crp: Crp; vcr: Vcr }[];
  /** First line of the briefing. */
  readonly title: string;
  /** The user's briefing, and the refined one. */
  readonly briefing: string;
  readonly refined: string | null;
  /** log.md from the role that builds. */
  readonly design: string | null;
  /** review.md from the role that gives the verdict. */
  readonly review: string | null;
  /** Problems with plugins: one of their roles may be missing from this result. */
  readonly plugins: readonly { readonly plugin: string; readonly problem: string }[];
  /** Changes to the user's own files while agents were running. */
  readonly outsideChanges: readonly UserFileChange[];
  readonly events: readonly RunEvent[];
  /** When the pack was created, ISO 8601. */
  readonly at: string;
}

export function packSummary(history: PackHistory): string {
  const { state, evidence, criteria } = history;
  const { checks, rules } = evidence;
  const sections: (readonly [title: string, text: string] | false)[] = [
    ...packWarnings(evidence).map(({ text }) => ['', text] as const),
    ['Proof', proofSection(history)],
    criteria.sha256 !== null && ['Acceptance criteria', criteriaTable(criteria)],
    ['Run', run(history)],
    history.plugins.length > 0 && ['Plugins', plugins(history)],
    history.outsideChanges.length > 0 && ['Changed outside the run', outside(history)],
    ['What was asked', asked(history)],
    ['Changes', changes(history)],
    ['Tests', tests(history)],
    checks.length > 0 && ["The project's own checks", checksTable(checks, state.setup.checks)],
    rules !== undefined && ['Rules', rulesList(rules)],
    ['Decisions', decisions(history)],
    ['Design', design(history)],
    ['Review', review(history)],
    ['Cost', cost(history)],
    ['Times', times(history)],
    ['Check it yourself', check(history)],
  ];
  const without = evidence.agents_sandbox === 'none' ? ' (agents without a sandbox)' : '';
  return `# Merge-readiness pack: ${state.run_id}${without}\n${sections
    .filter(section => section !== false)
    .map(([title, text]) => `${title ? `\n## ${title}\n` : ''}\n${text}\n`)
    .join('')}`;
}

const money = (usd: number) => `$${usd.toFixed(4)}`;

function run({ state: s, evidence, title, at, events }: PackHistory): string {
  return [
    ...(title ? [`- Title: ${quotedName(title)}`] : []),
    `- Run: \`${s.run_id}\`, started ${s.started_at}, finished ${at}`,
    `- Iterations: ${s.iteration}${s.minor_fixes > 0 ? ` (${s.minor_fixes} minor ${s.minor_fixes === 1 ? 'fix' : 'fixes'} in the last)` : ''}`,
    ...(s.setup.sandbox ? [`- Sandbox of the agents: ${s.setup.sandbox.mode}`] : []),
    `- Base: \`${evidence.base}\``,
    ...rebaseLine(events),
    `- Result: commit \`${evidence.commit}\`, tree \`${evidence.tree}\``,
    `- Log: line and chain value \`${evidence.log}\``,
  ].join('\n');
}

/** Describes the last rebase, because a reviewer needs to know which result the verdict is about. */
function rebaseLine(events: readonly RunEvent[]): string[] {
  const last = events.findLast(e => e.type === 'run.rebased');
  if (!last) return [];
  const isJudged = events.slice(events.indexOf(last)).some(e => e.type === 'verdict.given');
  const how = [
    `Rebased onto ${quotedName(last.onto)}, from \`${last.from}\``,
    last.conflicts.length > 0
      ? `conflicts in ${last.conflicts.map(({ path }) => quotedName(path)).join(', ')}`
      : null,
    isJudged ? 'judged again' : 'the changes are the same, so the earlier verdict still applies',
  ];
  return [`- ${how.filter(Boolean).join('; ')}`];
}

const plugins = (history: PackHistory): string =>
  [
    'These plugins failed; what they would have added may be missing here:',
    '',
    ...history.plugins.map(
      ({ plugin, problem }) => `- ${quotedName(plugin)}: ${quotedName(problem.replaceAll(/\s+/g, ' '))}`,
    ),
  ].join('\n');

const outside = ({ outsideChanges }: PackHistory): string =>
  [
    "Between the start of each of these launches and the start of the next one, your files or Dure's settings changed. Dure did not make these changes, and they are not part of this result. If you did not make them either, review them:",
    '',
    ...outsideChanges.map(
      ({ step, launch, paths }) =>
        `- ${step} (launch ${launch}): ${truncatedInline(paths.map(quotedName), MAX_PATHS)}`,
    ),
  ].join('\n');

/** Maximum number of characters that a pack quotes from a text; the run contains the full text. */
const MAX_LENGTH = 8000;

const cut = (text: string, file: string): string =>
  text.length <= MAX_LENGTH
    ? quotation(text)
    : `${quotation(text.slice(0, MAX_LENGTH))}\n\nThe rest is in \`${file}\` of the run.`;

function asked({ briefing, refined }: PackHistory): string {
  const more = refined !== null && !['', briefing.trim()].includes(refined.trim());
  return [
    'The briefing:',
    cut(briefing, 'briefing/raw.md'),
    ...(more
      ? ['The refined briefing, from which the result was built:', cut(refined, 'briefing/refined.md')]
      : []),
  ].join('\n\n');
}

function design({ state: { setup }, design: log }: PackHistory): string {
  const { role, folder } = firstTreeStep(setup);
  return log?.trim()
    ? [`What the ${titleOfRole(role)} says about its decisions:`, cut(log, `${folder}/log.md`)].join('\n\n')
    : `The ${titleOfRole(role)} recorded no decisions.`;
}

const KINDS = { link: 'symbolic link', executable: 'executable', submodule: 'submodule' } as const;

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

/** Maximum number of rows in a table. */
const MAX_FILES = 1000;
/** Maximum number of paths on one line. */
const MAX_PATHS = 20;

function changes({ stat }: PackHistory): string {
  if (stat.length === 0) return 'Nothing was changed.';
  const rows = stat
    .slice(0, MAX_FILES)
    .map(
      f =>
        `| ${quotedName(f.path)}${f.kind ? ` (${KINDS[f.kind]})` : ''} | ${f.added ?? 'binary'} | ${f.removed ?? 'binary'} |`,
    );
  const left = stat.length - rows.length;
  const more = left > 0 ? ['', `… and ${left} more; \`evidence.json\` lists them all.`] : [];
  return ['| File | Added | Removed |', '|---|---:|---:|', ...rows, ...more, ...big(stat)].join('\n');
}

function big(stat: readonly FileStat[]): string[] {
  const files = stat.flatMap(({ path, bytes }) =>
    bytes ? [`${quotedName(path)}: ${megabytes(bytes)}`] : [],
  );
  return introduced(
    'Too large for `changes.patch`, which contains only their hashes. The commit contains the files:',
    truncatedBullets(files, MAX_FILES),
  );
}

function tests({ evidence, failures, events }: PackHistory): string {
  const { tests: t, test_machine, test_exit_code } = evidence;
  if (test_machine === 'not-run') return 'No tests were run on this result.';
  const problem = events.findLast(e => e.type === 'tests.executed')?.problem;
  return [
    `Dure ran the tests itself on the sealed tree; they **${MACHINE[test_machine]}**` +
      ` (exit code ${test_exit_code ?? 'none'}${problem ? `: ${quotedName(problem)}` : ''}).`,
    '',
    `- ${t.total} ${t.total === 1 ? 'test' : 'tests'}: ${t.passed} passed, ${t.failed} failed, ${t.skipped} skipped` +
      `; coverage of the added and changed lines: ${t.changed_coverage === undefined ? 'unknown' : `${t.changed_coverage}%`}` +
      (t.coverage === null ? '' : `, of all lines: ${t.coverage}%`),
    ...(t.unmeasured
      ? [
          `- Changed, but not in any coverage report: ${truncatedInline(t.unmeasured.map(quotedName), t.unmeasured.length, t.unmeasured_count)}`,
        ]
      : []),
    `- Command: ${quotedName(evidence.test_command)}`,
    ...(evidence.sandbox === 'bubblewrap' ? ['- Sandbox: bubblewrap'] : []),
    `- Written by: ${quotedName(evidence.test_author)}`,
    ...laidIn(evidence.laid_in),
    ...(failures.length > 0
      ? introduced('Failed:', truncatedBullets(failures.map(quotedName), failures.length, t.failed))
      : []),
  ].join('\n');
}

/** Lists the files that were added to the checkout of the result. */
const laidIn = (paths: readonly string[]): string[] =>
  paths.length === 0 ? [] : [`- Added to the checkout: ${truncatedInline(paths.map(quotedName), MAX_PATHS)}`];

function decisions({ answers }: PackHistory): string {
  if (answers.length === 0) return 'No questions were asked.';
  return answers
    .map(({ crp, vcr }) => {
      const option = crp.options.find(o => o.id === vcr.decision);
      const words = [option?.label, vcr.rationale].filter(Boolean).join('\n\n');
      const who = vcr.by ? ` by ${quotedName(vcr.by.who)} (${vcr.by.through}${signatureOf(vcr.by)})` : '';
      return [
        `- ${crp.crp_id}, asked by ${quotedName(crp.created_by)}:`,
        indented(quotation(crp.question)),
        `  Answered with ${quotedName(vcr.decision)}${who}${words ? ':' : '.'}`,
        ...(words ? [indented(quotation(words))] : []),
      ].join('\n\n');
    })
    .join('\n\n');
}

const signatureOf = ({ key, unsigned }: DecidedBy): string =>
  key !== undefined ? `, signed by ${key}` : unsigned !== undefined ? ', not signed' : '';

const indented = (block: string): string => block.replace(/^(?=.)/gm, '  ');

function review({ state: s, review: text }: PackHistory): string {
  const v = s.verdict;
  const step = stepThatYields(s.setup, 'verdict');
  if (!v || !step) return 'There was no verdict.';
  const judge = titleOfRole(step.role);
  return [
    `Verdict: **${v.verdict}**.`,
    `The ${judge}'s reason:`,
    quotation(v.reason),
    ...(text?.trim() ? [`The ${judge}'s review:`, quotation(text)] : []),
  ].join('\n\n');
}

function cost({ state: s, evidence }: PackHistory): string {
  const roles = Object.entries(s.usage).map(
    ([role, u]) =>
      `| ${role} | ${u.complete ? '' : 'at least '}${money(u.cost_usd)} | ${u.input_tokens} | ${u.output_tokens} |`,
  );
  const total = evidence.cost_usd === null ? 'unknown' : money(evidence.cost_usd);
  return [
    `Total: ${evidence.cost_complete || evidence.cost_usd === null ? '' : 'at least '}${total}`,
    '',
    '| Agent | Cost | Input tokens | Output tokens |',
    '|---|---:|---:|---:|',
    ...roles,
  ].join('\n');
}

/** Says how long each launch ran: until its process ended, or until its latest event if it is still running. */
function times({ events }: PackHistory): string {
  const ofLaunches = events.filter(e => 'launch' in e);
  const rows = ofLaunches
    .filter(e => e.type === 'agent.started')
    .map(({ step, launch, at }) => {
      const own = ofLaunches.filter(e => e.launch === launch);
      const last = own.find(e => e.type === 'agent.exited') ?? own.at(-1)!;
      return `| ${step} | ${launch} | ${((Date.parse(last.at) - Date.parse(at)) / 1000).toFixed(1)} s |`;
    });
  return ['| Step | Launch | Duration |', '|---|---:|---:|', ...rows].join('\n');
}

const check = ({ evidence }: PackHistory): string =>
  [
    '```sh',
    '# the change',
    `git diff ${evidence.base.slice(0, 12)} ${evidence.commit.slice(0, 12)}`,
    '# checks out the trees again and runs the tests',
    './check.sh',
    '```',
  ].join('\n');
