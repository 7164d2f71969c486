/**
 * Detects that a command failed because coverage is below the project's threshold. This module is pure. Checks run
 * without the Verifier's tests, which cover the new code, so such a failure says nothing about the result. Any program
 * may print the same message, so it counts only where nothing else is likely to have failed.
 */
import { runnerOf } from './known-programs.ts';

const MESSAGES: readonly RegExp[] = [
  // c8, nyc and vitest
  /Coverage for \w+ \([\d.]+%\) does not meet /,
  // jest
  /Jest: .+ coverage threshold for \w+ .*not met/,
  // pytest-cov and coverage.py
  /Required test coverage of [\d.]+% not reached/,
  /Coverage failure: total of [\d.]+ is less than fail-under/,
  // node --test
  /[\d.]+% \w+ coverage does not meet threshold of/,
];

/**
 * Number of lines at the end of the output, where runners print the message. Coverage tables may follow it.
 */
const LAST_LINES = 40;

export const isBelowCoverageThreshold = (printed: string): boolean =>
  printed
    .split('\n')
    .filter(line => line.trim() !== '' && !line.includes(' | '))
    .slice(-LAST_LINES)
    .some(line => MESSAGES.some(message => message.test(line)));

const PYTHON = String.raw`^(?:\S+ run )?(?:\S*python[\d.]* -m )?coverage`;
/** `c8 report`, `nyc check-coverage` and the like, without the name of the wrapper. */
const REPORTS = new RegExp(
  `^(?:report|check-coverage)\\b|${PYTHON} (?:combine|erase|html|json|lcov|report|xml)\\b`,
);
const RUNS = new RegExp(`${PYTHON} run\\b`);

/**
 * Whether a command ends with the tests and their coverage, so that nothing else can have failed after the
 * tests. `programs` lists those that the command starts, each only if the one before it succeeded.
 */
export function endsWithTests(programs: readonly (readonly string[])[]): boolean {
  const others = programs.filter(words => !REPORTS.test(words.join(' ')));
  const isTests = (words: readonly string[]) => runnerOf(words) !== null || RUNS.test(words.join(' '));
  return others.length === 1 || (others.length > 1 && others.findIndex(isTests) === others.length - 1);
}
