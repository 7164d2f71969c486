/**
 * Detects that a command failed because coverage is below the project's threshold. This module is pure. Checks run
 * without the Verifier's tests, which cover the new code, so such a failure says nothing about the result. Any program
 * may print the same message, so it counts only where nothing else is likely to have failed.
 */
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
 * How many lines at the end of the output to search for the message. Lines of coverage tables, which may follow the
 * message, are not counted.
 */
const LAST_LINES = 40;

export const isBelowCoverageThreshold = (printed: string): boolean =>
  printed
    .split('\n')
    .filter(line => line.trim() !== '' && !line.includes(' | '))
    .slice(-LAST_LINES)
    .some(line => MESSAGES.some(message => message.test(line)));
