/**
 * Finds changed lines of code that can tell whether they are being tested, or take part in the tests: no run of the
 * tests shows what such code does elsewhere. Pure.
 */
import type { Change } from './changed-code.ts';
import { linesOf } from './text-edits.ts';

const RUNNERS = '(?:node:test|vitest|jest|@jest/globals|mocha|tape|ava|_?pytest|unittest)';

const DETECTS_TESTS = new RegExp(
  [
    // Variables and modules that only a test runner sets or loads.
    String.raw`\b(?:NODE_TEST_CONTEXT|VITEST(?:_\w+)?|JEST_WORKER_ID|PYTEST_\w+)\b|import\.meta\.vitest`,
    String.raw`\bNODE_ENV\b.*['"]test['"]|\btesting\.Testing\(\)`,
    // The names of runners, of their variables and of test files, in strings and regular expressions.
    String.raw`["'\x60](?:_?py\.?test|vitest|jest|mocha|(?:NODE_TEST|PYTEST|VITEST|JEST)\w*)["'\x60]`,
    String.raw`["'\x60/][^"'\x60\s]*(?:\.(?:test|spec)\b|\btest_|_test\.(?:go|py)\b|__tests__)[^"'\x60\s]*["'\x60/]`,
    // Imports of a test runner.
    String.raw`(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"]${RUNNERS}['"]|^\s*(?:from|import)\s+${RUNNERS}\b`,
    // The source or the variables of the test that calls the code.
    String.raw`\b_getframe\b|\binspect\.(?:stack|currentframe)\b`,
  ].join('|'),
);

/** The first such line as `path:line`; null if there is none. */
export function findTestDetection({ code }: Change): string | null {
  for (const { path, head, atoms } of code) {
    const lines = linesOf(head ?? '');
    for (const { head: range } of atoms)
      for (let line = range.from; line < range.to; line += 1)
        if (DETECTS_TESTS.test(lines[line]!)) return `${path}:${line + 1}`;
  }
  return null;
}
