/** English messages about which changed lines tests defend, for the terminal and the pages. */
import type { DefendedLines, UnitStatus } from '../formats/exam-units.ts';

const because: Readonly<Record<UnitStatus, string>> = {
  proven: 'an assertion fails without these lines',
  together: 'an assertion fails when these lines are removed together with others',
  reached: 'tests fail without these lines, but no assertion does',
  unseen: 'all tests pass without these lines, but a test fails if a fault is planted in them',
  untested: 'all tests pass without these lines, and also when they are broken',
  'not-loaded': 'no test loads this file',
  breaks: 'the code cannot be loaded without these lines',
  'not-code': 'comments, white space or doc strings',
  'types-only': 'only types',
  'not-run': 'the exam ran out of time',
};

export const enLines = {
  defence: { defended: 'defended', weak: 'weak', undefended: 'undefended', unknown: 'not judged' },
  because,
  why: ({ defence, status, survived }: DefendedLines): string =>
    `${because[status]}${defence === 'weak' && survived.length > 0 ? `; no test notices ${survived.join(', ')}` : ''}`,
};
export type LineWords = typeof enLines;
