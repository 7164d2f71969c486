/** The acceptance criteria in a terminal, one per line. */
import type { Criterion } from '../formats/criteria.ts';
import type { JudgedCriterion } from '../formats/criteria-report.ts';
import { words } from '../words/cli/language.ts';
import { paint } from './paint.ts';
import { columns, oneLineText, pad, shorten } from './text.ts';

/** As sealed, before anything is built. */
export const sealedCriteria = (list: readonly Criterion[]): string[] => [
  paint('bold', words().criteria.title),
  ...list.map(each => `  ${pad(each.id, 6)}${shorten(described(each), columns() - 9)}`),
];

const MARKS: Readonly<Record<JudgedCriterion['status'], string>> = {
  fails: paint('red', '✖'),
  'could-not-run': paint('red', '✖'),
  'not-claimed': paint('yellow', '✖'),
  passes: paint('green', '✔'),
  look: '○',
};
/** Those that need attention come first. */
const ORDER = Object.keys(MARKS);

/** With what the tests show about each. */
export const judgedCriteria = (list: readonly JudgedCriterion[]): string[] =>
  list
    .toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status))
    .flatMap(each => {
      const reason = each.reason === null ? '' : `: ${oneLineText(each.reason)}`;
      return [
        `  ${MARKS[each.status]} ${pad(each.id, 6)}${shorten(described(each), columns() - 11)}`,
        `          ${paint('dim', shorten(`${words().criteria.status(each.status, each.tests.length)}${reason}`, columns() - 11))}`,
      ];
    });

const described = ({ kind, text }: Criterion): string =>
  `${oneLineText(text)}${kind === 'behaviour' ? '' : ` (${words().criteria.kind[kind]})`}`;
