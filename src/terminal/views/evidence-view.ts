/** Summarizes a merge-readiness pack for a terminal: what is proven and how, and what is not. */

import { type FactsBesideVerdict, factsBesideVerdict } from '../../core/run/pack/facts-beside-verdict.ts';
import { spelledOut } from '../../core/text/markdown-quote.ts';
import type { CheckResult } from '../../formats/check-results.ts';
import type { Evidence } from '../../formats/evidence.ts';
import { words } from '../../words/cli/load-language.ts';
import { amountText } from '../format-times-and-costs.ts';
import { paint } from '../paint.ts';
import { oneLineText, wrap } from '../text-layout.ts';
import { mark, type PackRow, ROW_INDENT, rowHead } from './pack-row.ts';

/** Returns the rows that the one-screen view and the full view share. Checks that did not pass come first. */
export function factRows(e: Evidence): Readonly<Record<keyof FactsBesideVerdict, PackRow>> {
  const w = words().pack;
  const { verdict, tests, checks } = factsBesideVerdict(e);
  const result = w.byDure(words().counts(e.tests));
  const failing = e.checks.filter(({ status }) => status !== 'pass');
  const passing = e.checks.filter(({ status }) => status === 'pass');
  return {
    verdict: [
      mark(verdict.isGood),
      w.verdict,
      `${e.verdict}${verdict.accepted ? `, ${w.acceptedAs[verdict.accepted]}` : ''}`,
    ],
    tests: [
      mark(tests.isGood),
      w.tests,
      tests.isGood ? result : `${words().machine(e.test_machine)}: ${result}`,
    ],
    checks:
      checks.total === 0
        ? [paint('yellow', '!'), w.checks, w.noChecks]
        : [mark(checks.tone === 'good'), w.checks, [...failing, ...passing].map(checkLine).join('; ')],
  };
}

export function evidenceView(e: Evidence, width: number): string {
  const w = words().pack;
  const { verdict, tests, checks } = factRows(e);
  const { coverage, changed_coverage, unmeasured = [], unmeasured_count = unmeasured.length } = e.tests;
  const covered = [
    ...(changed_coverage === undefined ? [] : [words().pack.ofChanged(changed_coverage)]),
    ...(coverage === null ? [] : [words().pack.ofLines(coverage)]),
  ];
  const rows: PackRow[] = [
    tests,
    ['', w.command, `${oneLineText(e.test_command)} (${w.exit(e.test_exit_code)})`],
    ...(e.sandbox === 'bubblewrap' ? [['', w.sandbox, words().sandbox.inside(e.sandbox)] as const] : []),
    ['', w.author, oneLineText(e.test_author)],
    ...(e.agents_sandbox && e.agents_sandbox !== 'none'
      ? [['·', w.agents, words().sandbox.inside(e.agents_sandbox)] as const]
      : []),
    [covered.length === 0 ? '?' : '·', w.coverage, covered.join(', ') || w.unmeasured],
    ...unmeasured.map((path): PackRow => ['?', '', w.inNoReport(oneLineText(path))]),
    ...(unmeasured_count > unmeasured.length
      ? [['', '', w.more(unmeasured_count - unmeasured.length)] as const]
      : []),
    ...(e.checks.length === 0 ? [checks] : []),
    ...e.checks.map(
      (check, n): PackRow => [mark(check.status === 'pass'), n === 0 ? w.checks : '', checkLine(check)],
    ),
    verdict,
    ['·', w.iterations, String(e.iterations)],
    ['·', w.decisions, e.decisions.length > 0 ? e.decisions.join(', ') : w.none],
    ['·', w.cost, costOf(e)],
    ['·', w.tree, w.on(e.tree.slice(0, 12), e.base.slice(0, 12))],
    ['·', w.files, w.changed(e.files_changed.length)],
  ];
  const files = e.files_changed.slice(0, 20).map(file => `      ${spelledOut(file)}`);
  const more = e.files_changed.length > 20 ? [`      ${w.more(e.files_changed.length - 20)}`] : [];
  return [...rows.map(row => line(row, width)), ...files, ...more].join('\n');
}

const costOf = ({ cost_usd, cost_complete }: Evidence): string =>
  cost_usd === null || (cost_usd === 0 && !cost_complete)
    ? words().pack.unknown
    : amountText(cost_usd, cost_complete);

/** Formats one line about a check, such as `lint: broken, 2 regressions`. */
export const checkLine = (check: CheckResult): string =>
  `${check.name}: ${[
    words().check(check.status),
    ...(check.counts ? [words().counts(check.counts)] : []),
    ...(check.regression_count > 0 ? [words().regressions(check.regression_count)] : []),
    ...(check.problem ? [oneLineText(check.problem)] : []),
  ].join(', ')}`;

export const line = (row: PackRow, width: number) =>
  rowHead(row) + wrap(row[2], width, ' '.repeat(ROW_INDENT)).trimStart();
