/** English messages about which changed lines tests defend, for the terminal and the pages. */
import type { DefendedLines, UnitStatus } from '../formats/exam/exam-units-and-faults.ts';

const because: Readonly<Record<UnitStatus, string>> = {
  proven: 'an assertion fails without these lines',
  together: 'an assertion fails when these lines are removed together with others',
  reached: 'tests fail without these lines, but no assertion does',
  unseen: 'all tests pass without these lines, but a test fails if a fault is planted in them',
  untested: 'all tests pass without these lines',
  'not-loaded': 'no test loads this file',
  breaks: 'the code cannot be loaded without these lines',
  'not-code': 'comments, whitespace or docstrings',
  'types-only': 'only types',
  'not-run': 'the exam ran out of time',
};

/** Like `because`, but for removed lines that no new lines replace. */
const becauseOfRemoved: typeof because = {
  ...because,
  proven: 'an assertion fails if these removed lines are put back',
  together: 'an assertion fails if these removed lines are put back and other changes are undone',
  reached: 'tests fail if these removed lines are put back, but no assertion does',
  untested: 'all tests pass if these removed lines are put back',
  breaks: 'the code cannot be loaded if these removed lines are put back',
};

export const enLines = {
  defence: { defended: 'defended', weak: 'weak', undefended: 'undefended', unknown: 'not judged' },
  because: (status: UnitStatus, side: DefendedLines['side']): string =>
    (side === 'old' ? becauseOfRemoved : because)[status],
  moved: 'these lines only moved',
  someMoved: (lines: string): string => `lines ${lines} only moved`,
  why: ({ status, side, survived, moved }: DefendedLines): string =>
    `${enLines.because(status, side)}${moved ? `; ${enLines.moved}` : ''}${survived.length > 0 ? `; no test notices ${survived.join(', ')}` : ''}`,
};
export type LineWords = typeof enLines;
