/** The diff in a terminal: its margin, and lines that look like the head of a file. */
import { stripVTControlCharacters } from 'node:util';
import { expect, it, vi } from 'vitest';
import { lineDefence } from '../../src/core/policy/criteria/lines-defended-by-tests.ts';
import type { ExamUnit } from '../../src/formats/exam/exam-units-and-faults.ts';
import { diffView } from '../../src/terminal/views/diff-view.ts';
import { loadLanguage } from '../../src/words/cli/load-language.ts';
import { examWith } from '../helpers/sample-exam.ts';

const PATCH = `diff --git a/query.sql b/query.sql
index 1111111..2222222 100644
--- a/query.sql
+++ b/query.sql
@@ -1,3 +1,5 @@
 select 1;
--- old remark
+++ two;
+select 3;
+select 4;
 select 5;
\\ No newline at end of file
`;
const unit = (
  status: ExamUnit['status'],
  range: readonly [number, number],
  side: 'lines' | 'base_lines',
) => ({
  id: `${side}${range[0]}`,
  file: 'query.sql',
  lines: null,
  base_lines: null,
  at: 0,
  status,
  killers: [],
  [side]: { first: range[0], last: range[1] },
});
const LINES = lineDefence(
  examWith([
    unit('untested', [2, 2], 'base_lines'),
    unit('proven', [2, 2], 'lines'),
    unit('reached', [3, 4], 'lines'),
  ]),
);

it('the diff has a letter before each examined line, and says why lines are not defended', () => {
  expect(stripVTControlCharacters(diffView(PATCH, LINES)).split('\n')).toEqual([
    'D defended  W weak  U undefended  · not judged',
    '',
    'diff --git a/query.sql b/query.sql',
    '--- a/query.sql',
    '+++ b/query.sql',
    '@@ -1,3 +1,5 @@',
    '   select 1;',
    'U --- old remark',
    '  ↳ all tests pass if these removed lines are put back',
    'D +++ two;',
    'W +select 3;',
    'W +select 4;',
    '  ↳ tests fail without these lines, but no assertion does',
    '   select 5;',
    '  \\ No newline at end of file',
    '',
  ]);
});

it('the diff has no margin if nothing was examined, and no colours with NO_COLOR', () => {
  vi.stubEnv('FORCE_COLOR', '1');
  expect(diffView(PATCH, null)).toContain('\u001b[31m--- old remark');
  vi.stubEnv('NO_COLOR', '1');
  expect(diffView(PATCH, null)).toBe(PATCH.replace(/^index .*\n/m, ''));
  vi.unstubAllEnvs();
});

it('a note below moved lines says that they were only moved, whether or not tests need them', async () => {
  const moved = { moved: true } as const;
  const lines = lineDefence(
    examWith([
      { ...unit('untested', [2, 2], 'base_lines'), ...moved },
      { ...unit('proven', [2, 2], 'lines'), ...moved },
      { ...unit('untested', [3, 4], 'lines'), moved_lines: [{ first: 4, last: 4 }] },
    ]),
  );
  const shown = () =>
    stripVTControlCharacters(diffView(PATCH, lines))
      .split('\n')
      .filter(line => /^(?:[DWU·] [-+]| {2}↳)/.test(line));
  expect(shown()).toEqual([
    'U --- old remark',
    '  ↳ all tests pass if these removed lines are put back; these lines only moved',
    '· +++ two;',
    '  ↳ an assertion fails without these lines; these lines only moved',
    'U +select 3;',
    '  ↳ all tests pass without these lines',
    'U +select 4;',
    '  ↳ all tests pass without these lines; these lines only moved',
  ]);
  await loadLanguage({ DURE_LANG: 'ko' });
  expect(shown().filter(line => line.endsWith('. 위치만 옮긴 줄임'))).toHaveLength(3);
  await loadLanguage({ DURE_LANG: 'en' });
});
