/** Formats a merge-readiness pack to fit on one screen: what is proven, what to read, and what to do next. */
import { undefendedUnits } from '../../core/policy/criteria/lines-defended-by-tests.ts';
import type { Evidence } from '../../formats/evidence.ts';
import type { CriteriaReport } from '../../formats/exam/criteria-report.ts';
import type { Exam } from '../../formats/exam/exam-units-and-faults.ts';
import type { RunState } from '../../formats/state.ts';
import { words } from '../../words/cli/load-language.ts';
import { costText, elapsed, phaseWord, round } from '../format-times-and-costs.ts';
import { paint } from '../paint.ts';
import { columns, oneLineText, shorten, shortenStart, wrap } from '../text-layout.ts';
import { criteriaLines, criteriaTitle } from './criteria-lines.ts';
import { factRows } from './evidence-view.ts';
import { examRows } from './exam-lines.ts';
import { type PackRow, ROW_INDENT, rowHead } from './pack-row.ts';
import { warningsOf } from './pack-warnings-view.ts';

export interface ShownPack {
  readonly state: RunState;
  readonly evidence: Evidence;
  readonly criteria: CriteriaReport;
  /** Path of the summary file. */
  readonly summary: string;
}

export interface ScreenSize {
  readonly width: number;
  readonly rows: number;
}

export const screenSize = (): ScreenSize => ({
  width: Math.max(60, columns()),
  rows: Math.max(24, process.stdout.rows ?? 24),
});

/** `next`: lines to show below the pack. The last row is left for the prompt. */
export function packScreen(pack: ShownPack, { width, rows }: ScreenSize, next: readonly string[]): string {
  const { state, evidence, criteria, summary } = pack;
  const { verdict, tests, checks } = factRows(evidence);
  const head = [
    ...warnings(evidence, width, mostWarnings(next)),
    heading(state, width),
    ...withReason(verdict, state, width),
  ];
  const facts = [
    tests,
    checks,
    ...(criteria.change ? examRows(criteria.change, width) : []),
    filesRow(evidence),
  ].map(row => rowHead(row) + shorten(row[2], width - ROW_INDENT));
  const path = rowHead(['·', words().pack.wholeSummary, '']) + shortenStart(summary, width - ROW_INDENT);
  const listed = criteria.sha256 ? criteria.criteria : [];
  const others = head.length + 2 + 1 + facts.length + 1 + next.length + 1;
  return [
    ...head,
    ...(listed.length > 0
      ? ['', criteriaTitle(listed), ...criteriaLines(listed, width, Math.max(2, rows - 1 - others))]
      : []),
    '',
    ...facts,
    path,
    ...(next.length > 0 ? ['', ...next] : []),
  ].join('\n');
}

/** A screen of 24 rows has room for eight lines of warnings and commands. */
const mostWarnings = (next: readonly string[]): number => Math.max(2, Math.min(4, 8 - next.length));

function warnings(e: Evidence, width: number, most: number): string[] {
  const all = warningsOf(e).map(({ title, names }) => [title, names.join(', ')].join(' ').trim());
  const shown = all.slice(0, all.length > most ? most - 1 : most);
  const left = all.length - shown.length;
  return [...shown, ...(left > 0 ? [words().pack.more(left)] : [])].map(text =>
    paint('yellow', `  ! ${shorten(text, width - 4)}`),
  );
}

export function heading(s: RunState, width: number): string {
  const isReady = s.phase === 'ready_for_merge';
  const facts = [round(s), elapsed(s, Date.parse(s.updated_at)), costText(s)].join(' · ');
  const title = isReady ? words().ready.title : phaseWord(s.phase);
  return `${isReady ? paint('green', '✔') : '·'} ${shorten(`${title} (${facts})`, width - 2)}`;
}

/** The reason for a lowered verdict continues on a second line if necessary. */
function withReason(row: PackRow, state: RunState, width: number): string[] {
  const lowered = state.verdict?.lowered;
  const text = `${row[2]}${lowered ? `: ${oneLineText(words().lowered(lowered))}` : ''}`;
  const [first = '', ...rest] = wrap(text, width, ' '.repeat(ROW_INDENT)).trimStart().split('\n');
  return [
    rowHead(row) + shorten(first, width - ROW_INDENT),
    ...(rest.length > 0
      ? [shorten(rest.map((line, n) => (n === 0 ? line : line.trim())).join(' '), width)]
      : []),
  ];
}

function filesRow({ files_changed, tree, base }: Evidence): PackRow {
  const w = words().pack;
  const on = w.on(tree.slice(0, 12), base.slice(0, 12));
  return ['·', w.files, `${w.changed(files_changed.length)} · ${w.tree} ${on}`];
}

/** Formats the suggested next commands. They are never shortened, so that they can be copied. */
export function nextLines(
  { phase }: RunState,
  change: Exam | null,
  commands: readonly string[],
  width: number,
): string[] {
  const hasUndefended = change ? undefendedUnits(change).length > 0 : false;
  const others = words().pack.or(['--full', ...(hasUndefended ? ['--undefended'] : [])].join(', '));
  return [
    ...(phase === 'ready_for_merge' ? [words().ready.decide] : []),
    ...commands.map((command, n) => {
      const remark = n === 0 ? shorten(`  ${others}`, Math.max(1, width - 2 - command.length)) : '';
      return `  ${paint('cyan', command)}${paint('dim', remark)}`;
    }),
  ];
}
