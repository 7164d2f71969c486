/** Renders the acceptance criteria in the summary of a merge-readiness pack. This module is pure. */

import type { CriteriaReport, JudgedCriterion } from '../../../formats/exam/criteria-report.ts';
import type { Exam } from '../../../formats/exam/exam-units-and-faults.ts';
import { countNotExamined, undefendedPlaces } from '../../policy/criteria/lines-defended-by-tests.ts';
import { shownTests } from '../../policy/criteria/select-and-count-tests.ts';
import { worstFirst } from '../../policy/criteria/sort-and-count-criteria.ts';
import { summarizeCriterionExam } from '../../policy/criteria/summarize-criterion-exam.ts';
import { quotedName } from '../../text/markdown-quote.ts';
import { introduced, truncatedBullets, truncatedInline } from '../../text/truncate-list.ts';

const STATUS: Readonly<Record<JudgedCriterion['status'], string>> = {
  fails: '**fails**',
  'could-not-run': '**could not run**',
  'not-claimed': '**not claimed**',
  passes: 'its tests pass',
  confirmed: 'confirmed',
  look: 'for you to judge',
};
const MAX_NAMED = 3;

export function criteriaTable({ run_id, criteria, change }: CriteriaReport): string {
  const rows = worstFirst(criteria).map(each => {
    const { id, kind, text, status, reason } = each;
    const shown = `${STATUS[status]}${figuresText(each)}${reason === null ? '' : `: ${quotedName(reason)}`}`;
    return `| ${id}${kind === 'keeps' ? ' (keeps)' : ''} | ${quotedName(text)} | ${shown} | ${testsText(each)} |`;
  });
  return [
    '| Criterion | Text | What the tests show | Tests |',
    '|---|---|---|---|',
    ...rows,
    ...(change ? undefended(change, run_id) : []),
  ].join('\n');
}

function figuresText(criterion: JudgedCriterion): string {
  const figures = summarizeCriterionExam(criterion);
  if (!figures) return '';
  const { before, rounds, noticed } = figures;
  const broken = noticed > 0 ? `, fails in ${noticed} broken version${noticed === 1 ? '' : 's'}` : '';
  return ` (${before === 'red' ? 'fails' : 'passes'} without the change, ${rounds === 1 ? '1 test run' : `${rounds} test runs`}${broken})`;
}

const MAX_PLACES = 50;

/** Lists the undefended changes, and says how much of the change was examined. */
function undefended(change: Exam, run: string): string[] {
  const places = undefendedPlaces(change);
  const { tried, killed } = change.counts.mutants;
  const left = countNotExamined(change);
  return [
    ...introduced(
      'All tests pass without these changes:',
      truncatedBullets(places.map(quotedName), MAX_PLACES),
    ),
    ...(tried > 0 ? ['', `The tests noticed ${killed} of ${tried} planted faults.`] : []),
    ...(change.complete
      ? []
      : [
          '',
          `The exam ran out of time before everything was tried${left > 0 ? `: ${left === 1 ? '1 changed line was' : `${left} changed lines were`} not examined` : ''}. \`dure exam ${run}\` continues it and creates a new pack.`,
        ]),
  ];
}

function testsText(criterion: JudgedCriterion): string {
  const { listed, count, other_count } = shownTests(criterion);
  const names = listed.map(({ id }) => quotedName(id));
  const others =
    other_count > 0
      ? ` (${other_count} other ${other_count === 1 ? 'test does' : 'tests do'} not prove it)`
      : '';
  return `${truncatedInline(names, MAX_NAMED, count)}${others}`;
}
