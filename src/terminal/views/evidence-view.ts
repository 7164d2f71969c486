/** Summarizes a merge-readiness pack for a terminal: what is proven and how, and what is not. */

import { packWarnings } from '../../core/run/pack/warnings.ts';
import { spelledOut } from '../../core/text/markdown-quote.ts';
import type { CheckResult } from '../../formats/check-results.ts';
import type { Evidence } from '../../formats/evidence.ts';
import { plainText } from '../../formats/text/plain-text.ts';
import { words } from '../../words/cli/language.ts';
import { amountText } from '../format.ts';
import { paint } from '../paint.ts';
import { oneLineText, pad, wrap } from '../text.ts';

/** A row of a pack: its mark, its name and a text. */
export type PackRow = readonly [mark: string, name: string, text: string];

export function testsRow(e: Evidence): PackRow {
  const proven = e.test_machine === 'pass';
  const result = words().pack.byDure(words().counts(e.tests));
  return [
    mark(proven),
    words().pack.tests,
    proven ? result : `${words().machine(e.test_machine)}: ${result}`,
  ];
}

export function verdictRow(e: Evidence): PackRow {
  const { verdict, accepted, withoutProof } = words().pack;
  const how = e.test_machine === 'pass' ? accepted : withoutProof;
  return [mark(e.verdict === 'PASS'), verdict, `${e.verdict}${e.accepted_by_person ? `, ${how}` : ''}`];
}

export function evidenceView(e: Evidence, width: number): string {
  const w = words().pack;
  const { coverage, changed_coverage, unmeasured = [], unmeasured_count = unmeasured.length } = e.tests;
  const covered = [
    ...(changed_coverage === undefined ? [] : [words().pack.ofChanged(changed_coverage)]),
    ...(coverage === null ? [] : [words().pack.ofLines(coverage)]),
  ];
  const rows: PackRow[] = [
    testsRow(e),
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
    ...e.checks.map(
      (check, n): PackRow => [mark(check.status === 'pass'), n === 0 ? w.checks : '', checkLine(check)],
    ),
    verdictRow(e),
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

export interface WarningView {
  readonly title: string;
  /** The names that the warning concerns, with hidden characters spelled out. */
  readonly names: readonly string[];
}

/** The warning that agents ran without a sandbox comes first. */
export const warningsOf = (e: Evidence): WarningView[] =>
  packWarnings(e)
    .sort((a, b) => Number(b.kind === 'agents-sandbox') - Number(a.kind === 'agents-sandbox'))
    .map(({ kind, names }) => {
      const { sandbox, pack } = words();
      if (kind === 'agents-sandbox') return { title: sandbox.agentsWithout, names: [] };
      if (kind === 'tests-sandbox')
        return { title: sandbox.without(oneLineText(names[0] ?? sandbox.unknown)), names: [] };
      return { title: pack.warning[kind], names: names.map(spelledOut) };
    });

const MAX_NAMES = 20;

/** Printed above everything else in a pack. */
export function warningLines(e: Evidence, width: number): string[] {
  const lines = warningsOf(e).flatMap(({ title, names }) => [
    paint('yellow', `  ! ${wrap(title, width, '    ').trimStart()}`),
    ...names.slice(0, MAX_NAMES).map(name => `      ${name}`),
    ...(names.length > MAX_NAMES ? [`      ${words().pack.more(names.length - MAX_NAMES)}`] : []),
  ]);
  return lines.length > 0 ? [...lines, ''] : [];
}

/** One line about a check, such as `lint: broken, 2 regressions`. */
export const checkLine = (check: CheckResult): string =>
  `${check.name}: ${[
    words().check(check.status),
    ...(check.counts ? [words().counts(check.counts)] : []),
    ...(check.regression_count > 0 ? [words().regressions(check.regression_count)] : []),
    ...(check.problem ? [oneLineText(check.problem)] : []),
  ].join(', ')}`;

const line = (row: PackRow, width: number) =>
  rowHead(row) + wrap(row[2], width, ' '.repeat(ROW_INDENT)).trimStart();

export const ROW_INDENT = 15;
export const rowHead = ([sign, name]: PackRow): string => `  ${pad(sign, 1)} ${pad(name, ROW_INDENT - 4)}`;

export const mark = (good: boolean) => (good ? paint('green', '✔') : paint('red', '✖'));

/** The summary as written; each line of quoted text is marked so that it cannot pass for text from Dure. */
export const summaryView = (summary: string): string =>
  plainText(summary).replace(
    /^( *)(`{3,})quote\n([\s\S]*?)\n\1\2$/gm,
    (_, indent: string, _fence, quoted: string) =>
      quoted
        .split('\n')
        .map(line => `${indent}> ${line.slice(indent.length)}`)
        .join('\n'),
  );
