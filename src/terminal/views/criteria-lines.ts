/** Formats acceptance criteria for a terminal, one per line. */

import { TIME_UP } from '../../core/policy/criteria/judge-test.ts';
import {
  countNotExamined,
  countUndefended,
  lineDefence,
  placeOf,
  rangeText,
  undefendedUnits,
} from '../../core/policy/criteria/lines-defended-by-tests.ts';
import { countConfirmedCriteria, worstFirst } from '../../core/policy/criteria/sort-and-count-criteria.ts';
import { summarizeCriterionExam } from '../../core/policy/criteria/summarize-criterion-exam.ts';
import type { Criterion } from '../../formats/exam/acceptance-criteria.ts';
import type { CriteriaReport, JudgedCriterion } from '../../formats/exam/criteria-report.ts';
import type { Exam, ExamUnit } from '../../formats/exam/exam-units.ts';
import { words } from '../../words/cli/language.ts';
import { paint } from '../paint.ts';
import { cells, columns, oneLineText, pad, shorten, shortenStart } from '../text.ts';
import { type PackRow, ROW_INDENT, rowHead } from './evidence-view.ts';

/** The criteria as they were sealed, before anything is built. */
export const sealedCriteria = (list: readonly Criterion[]): string[] => [
  paint('bold', words().criteria.title),
  ...list.map(each => `  ${pad(each.id, 6)}${shorten(described(each), columns() - 9)}`),
];

/** Only what is confirmed is green. */
const MARKS: Readonly<Record<JudgedCriterion['status'], () => string>> = {
  fails: () => paint('red', '✖'),
  'could-not-run': () => paint('red', '✖'),
  'not-claimed': () => paint('yellow', '✖'),
  passes: () => paint('yellow', '?'),
  confirmed: () => paint('green', '✔'),
  look: () => '○',
};

/**
 * What the tests show about each criterion, which lines no test defends, and how many planted faults the tests
 * noticed.
 */
export function judgedCriteria({ criteria, change }: Pick<CriteriaReport, 'criteria' | 'change'>): string[] {
  return [
    criteriaTitle(criteria),
    ...worstFirst(criteria).flatMap(judgedCriterion),
    ...(change ? examRows(change, columns()).map(row => `${rowHead(row)}${row[2]}`) : []),
  ];
}

/** One line per criterion, at most `most` lines, each of at most `width` columns. */
export function criteriaLines(criteria: readonly JudgedCriterion[], width: number, most: number): string[] {
  const shown = worstFirst(criteria).slice(0, criteria.length > most ? most - 1 : most);
  const left = criteria.length - shown.length;
  return [
    ...shown.map(each => criterionLine(each, width)),
    ...(left > 0 ? [`    ${paint('dim', words().pack.more(left))}`] : []),
  ];
}

export function criteriaTitle(criteria: readonly JudgedCriterion[]): string {
  const w = words().criteria;
  const { confirmed, of } = countConfirmedCriteria(criteria);
  return `${paint('bold', w.title)}  ${w.confirmed(confirmed, of)}`;
}

/** If the line is too narrow for both, the text gets at least two fifths of it. */
function criterionLine(each: JudgedCriterion, width: number): string {
  const room = width - 13;
  const text = oneLineText(each.text);
  const status = oneLineText(statusOf(each));
  const forStatus = Math.min(cells(status), Math.max(room - cells(text), Math.floor(room * 0.6)));
  const forText = room - forStatus;
  return `${markOf(each)}${pad(shorten(text, forText), forText)}  ${paint('dim', shorten(status, forStatus))}`;
}

function statusOf(each: JudgedCriterion): string {
  const w = words().criteria;
  const { status, reason } = each;
  const { passed } = each.test_counts;
  if (status === 'look') return w.kind.look;
  const looks = summarizeCriterionExam(each);
  const runs = looks && w.looks({ ...looks, noticed: 0 });
  if (status === 'confirmed' && runs) return runs;
  if (status === 'passes') return unconfirmed(reason, runs ?? w.status(status, passed));
  return `${w.status(status, passed)}${reason === null ? '' : `: ${words().reason(reason)}`}`;
}

/** The line may be truncated, so what is unconfirmed comes before the facts. */
function unconfirmed(reason: JudgedCriterion['reason'], facts: string): string {
  const w = words().criteria;
  if (reason === null) return w.unexamined(facts);
  return reason === TIME_UP ? w.cutShort(facts) : w.unconfirmed(words().reason(reason), facts);
}

const markOf = ({ id, status }: JudgedCriterion): string => `  ${MARKS[status]()} ${pad(id, 6)}`;

function judgedCriterion(each: JudgedCriterion): string[] {
  const looks = summarizeCriterionExam(each);
  const facts = looks && words().criteria.looks(looks);
  const room = columns() - 11;
  const title = (width: number) => shorten(described(each), width);
  const head = markOf(each);
  if (each.status === 'confirmed' && facts) {
    const width = room - cells(facts) - 2;
    return [`${head}${pad(title(width), width)}  ${paint('dim', facts)}`];
  }
  const shown = `${words().criteria.status(each.status, each.test_counts.passed)}${facts ? `, ${facts}` : ''}`;
  const reason = each.reason === null ? '' : `: ${words().reason(each.reason)}`;
  const status = each.status === 'passes' ? unconfirmed(each.reason, shown) : `${shown}${reason}`;
  return [`${head}${title(room)}`, `          ${paint('dim', shorten(oneLineText(status), room))}`];
}

/** The undefended lines in a format for editors and CI: `path:line: why`. */
export const undefendedList = (change: Exam): string[] =>
  undefendedUnits(change).map(({ file, lines, at, status, moved, moved_lines = [] }) => {
    const w = words().lines;
    const some = moved_lines.length > 0 ? [w.someMoved(moved_lines.map(rangeText).join(', '))] : [];
    const why = [w.because(status, lines === null ? 'old' : 'new'), ...(moved ? [w.moved] : some)];
    return `${oneLineText(file)}:${lines?.first ?? Math.max(at, 1)}: ${why.join('; ')}`;
  });

/** Rows that say which lines to read and what the tests noticed, each at most `width` columns wide. */
export function examRows(change: Exam, width: number): PackRow[] {
  const w = words().criteria;
  const room = width - ROW_INDENT - 1;
  const units = undefendedUnits(change);
  const weak = weakLines(change);
  const { tried, killed, low, high } = change.counts.mutants;
  const undefended = units.length > 0 ? [w.undefended(countUndefended(units))] : [];
  const more = weak > 0 ? [w.weak(weak)] : [];
  const places = placesIn(units, room - cells([...undefended.map(text => `${text}: `), ...more].join(' · ')));
  const listed = places === '' ? undefended : undefended.map(text => `${text}: ${places}`);
  const faults = tried > 0 ? `${w.faults(killed, tried)}${share(tried, low, high)}` : '';
  const incomplete = change.complete ? '' : w.incomplete(countNotExamined(change));
  const rows: PackRow[] = [
    [paint('yellow', '!'), w.read, [...listed, ...more].join(' · ')],
    ['·', w.exam, shorten(faults, room)],
    [paint('yellow', '!'), faults === '' ? w.exam : '', shorten(incomplete, room)],
  ];
  return rows.filter(([, , text]) => text !== '');
}

const weakLines = (change: Exam): number =>
  lineDefence(change)
    .filter(({ defence, side }) => defence === 'weak' && side === 'new')
    .reduce((sum, { first, last }) => sum + last - first + 1, 0);

/**
 * Lists as many places as fit into `room` columns, and shortens the first one if necessary; empty if even that does not
 * fit.
 */
function placesIn(units: readonly ExamUnit[], room: number): string {
  const places = units.slice(0, MAX_PLACES).map(unit => oneLineText(placeOf(unit)));
  const upTo = (n: number) =>
    [...places.slice(0, n), ...(n < units.length ? [words().pack.more(units.length - n)] : [])].join(', ');
  const fitting = places.findLastIndex((_, i) => cells(upTo(i + 1)) <= room) + 1;
  if (fitting > 0 || units.length === 0) return upTo(fitting);
  const [first = ''] = places;
  const more = upTo(1).slice(first.length);
  const left = room - cells(more);
  const note = / \([^()]*\)$/.exec(first)?.[0] ?? '';
  const place = left < MIN_PLACE_COLUMNS + cells(note) ? first.slice(0, first.length - note.length) : first;
  return left < MIN_PLACE_COLUMNS ? '' : shortenStart(place, left) + more;
}

/** The end of a path with a line number. */
const MIN_PLACE_COLUMNS = 12;

const MAX_PLACES = 8;

/** With fewer faults than this, a percentage would mean little. */
const LEAST_FAULTS = 5;

const share = (tried: number, low: number | null, high: number | null): string =>
  low === null || high === null || tried < LEAST_FAULTS
    ? ''
    : ` (${Math.round(100 * low)}–${Math.round(100 * high)}%)`;

const described = ({ kind, text }: Criterion): string =>
  `${oneLineText(text)}${kind === 'behaviour' ? '' : ` (${words().criteria.kind[kind]})`}`;
