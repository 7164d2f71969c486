/** Formats acceptance criteria for a terminal, one per line. */

import { TIME_UP } from '../../core/policy/criteria/judge-test.ts';
import { countConfirmedCriteria, worstFirst } from '../../core/policy/criteria/sort-and-count-criteria.ts';
import { summarizeCriterionExam } from '../../core/policy/criteria/summarize-criterion-exam.ts';
import type { Criterion } from '../../formats/exam/acceptance-criteria.ts';
import type { CriteriaReport, JudgedCriterion } from '../../formats/exam/criteria-report.ts';
import { words } from '../../words/cli/load-language.ts';
import { paint } from '../paint.ts';
import { cells, columns, oneLineText, pad, shorten } from '../text-layout.ts';
import { examRows } from './exam-lines.ts';
import { rowHead } from './pack-row.ts';

/** Formats the criteria as they were sealed, before anything is built. */
export const sealedCriteria = (list: readonly Criterion[]): string[] => [
  paint('bold', words().criteria.title),
  ...list.map(each => `  ${pad(each.id, 6)}${shorten(described(each), columns() - 9)}`),
];

/** Only confirmed criteria are green. */
const MARKS: Readonly<Record<JudgedCriterion['status'], () => string>> = {
  fails: () => paint('red', '✖'),
  'could-not-run': () => paint('red', '✖'),
  'not-claimed': () => paint('yellow', '✖'),
  passes: () => paint('yellow', '?'),
  confirmed: () => paint('green', '✔'),
  look: () => '○',
};

/**
 * Formats what the tests show about each criterion, which lines no test defends, and how many planted faults the
 * tests noticed.
 */
export function judgedCriteria({ criteria, change }: Pick<CriteriaReport, 'criteria' | 'change'>): string[] {
  return [
    criteriaTitle(criteria),
    ...worstFirst(criteria).flatMap(judgedCriterion),
    ...(change ? examRows(change, columns()).map(row => `${rowHead(row)}${row[2]}`) : []),
  ];
}

/** Formats one line per criterion: at most `most` lines, each at most `width` columns wide. */
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

/** If the text and the status do not both fit, the text gets at least two fifths of the width. */
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

/** The line may be truncated, so the facts come last. */
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

const described = ({ kind, text }: Criterion): string =>
  `${oneLineText(text)}${kind === 'behaviour' ? '' : ` (${words().criteria.kind[kind]})`}`;
