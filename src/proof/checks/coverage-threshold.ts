/**
 * Tells from what a command printed that its coverage stayed below the limit that the project sets. Checks run without the
 * Verifier's tests, so that limit says nothing of a result: new code is covered by tests that are not there. Pure.
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
