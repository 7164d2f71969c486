/**
 * Detects in a command's output that coverage is below the project's threshold. This module is pure. Checks run without
 * the Verifier's tests, which cover the new code, so such a failure says nothing about the result.
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

export const isBelowCoverage = (printed: string): boolean => MESSAGES.some(message => message.test(printed));
