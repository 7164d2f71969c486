/** Reads the summary lines of vitest, jest and mocha. Used only when there is no report to parse. */
import { addUp, type ReadReport, resultsOf, type TestResults } from '../test-results.ts';

/** Parses `2 failed, 1 skipped` or `2 failed | 1 skipped` into counts by word. */
const tally = (line: string): ((word: string) => number) => {
  const counts = new Map([...line.matchAll(/(\d+) (\w+)/g)].map(([, n, word]) => [word!, Number(n)]));
  return word => counts.get(word) ?? 0;
};

/** `Test Files  2 failed` (vitest) or `Test Suites: 2 failed` (jest), and the `Tests` line below it. */
const FILES_AND_TESTS =
  /^ *Test (?:Files {2}|Suites: )(.*\d.*)\n *Tests(?: {2}|: +)(.*)$(?:\n *Errors {2}(\d+) errors?$)?/gm;
const MOCHA_PASSING = /^ {2}(\d+) passing \(.+\)(?:\n {2}(\d+) pending)?$/gm;
const MOCHA_FAILING = /^ {2}(\d+) failing$/gm;

export const readVitestJestMochaSummary: ReadReport = text => {
  const found: TestResults[] = [];
  for (const [, files, tests, errors] of text.matchAll(FILES_AND_TESTS)) {
    const of = tally(tests!);
    // A file that cannot be loaded fails without any failed test.
    const failed = Math.max(of('failed'), tally(files!)('failed')) + Number(errors ?? 0);
    found.push(
      resultsOf({ passed: of('passed'), failed, skipped: of('skipped') + of('todo') }, namesIn(text)),
    );
  }
  for (const [, passed, pending] of text.matchAll(MOCHA_PASSING)) {
    found.push(resultsOf({ passed: Number(passed), failed: 0, skipped: Number(pending ?? 0) }, []));
  }
  for (const [, failed] of text.matchAll(MOCHA_FAILING)) {
    found.push(resultsOf({ passed: 0, failed: Number(failed), skipped: 0 }, []));
  }
  return addUp(found);
};

/** vitest: ` FAIL  file > test`; jest: `  ● group › test`. */
const namesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/^(?: FAIL {2}| {2}● (?!Console$))(.+)$/gm)].map(match => match[1]!)),
];
