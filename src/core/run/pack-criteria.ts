/** The table of acceptance criteria in the summary of a merge-readiness pack. This module is pure. */
import type { CriteriaReport, JudgedCriterion } from '../../formats/criteria-report.ts';
import { quotedName } from '../policy/markdown-quote.ts';

const STATUS: Readonly<Record<JudgedCriterion['status'], string>> = {
  fails: '**fails**',
  'could-not-run': '**could not run**',
  'not-claimed': '**not claimed**',
  passes: 'its tests pass',
  look: 'for you to judge',
};
/** Those that need attention come first. */
const ORDER = Object.keys(STATUS);
const MOST_NAMED = 3;

export function criteriaTable({ criteria }: CriteriaReport): string {
  const rows = criteria
    .toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status))
    .map(
      ({ id, kind, text, status, reason, tests }) =>
        `| ${id}${kind === 'keeps' ? ' (keeps)' : ''} | ${quotedName(text)} | ${STATUS[status]}${reason === null ? '' : `: ${quotedName(reason)}`} | ${named(tests)} |`,
    );
  return ['| Criterion | Text | What the tests show | Tests |', '|---|---|---|---|', ...rows].join('\n');
}

const named = (tests: readonly string[]): string =>
  [
    ...tests.slice(0, MOST_NAMED).map(quotedName),
    ...(tests.length > MOST_NAMED ? [`and ${tests.length - MOST_NAMED} more`] : []),
  ].join(', ');
