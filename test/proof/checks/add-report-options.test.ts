import { expect, test } from 'vitest';
import { withReport } from '../../../src/proof/checks/add-report-options.ts';

const commandOf = (command: string, scripts = {}) => withReport(command, scripts, '/r', false).command;

test.each([
  ['pytest -x tests', "pytest -x tests --maxfail=0 --junitxml='/r/pytest.xml'"],
  ['jest', "jest --bail=0 --json --outputFile='/r/jest.json'"],
  ['mocha -b', "mocha -b --no-bail --reporter json --reporter-option output='/r/mocha.json'"],
  ['vitest run', "vitest run --reporter=default --reporter=json --outputFile.json='/r/vitest.json' --bail=0"],
  [
    'vitest run --bail 1',
    "vitest run --bail 1 --reporter=default --reporter=json --outputFile.json='/r/vitest.json'",
  ],
  ['make test', 'make test'],
])('a check reports all its tests, even after a failure: %s', (command, reporting) => {
  expect(commandOf(command)).toBe(reporting);
});

test('pytest gets the options from the environment too, because a script may start it', () => {
  expect(withReport('make test', {}, '/r', false).env['PYTEST_ADDOPTS']).toBe(
    '--maxfail=0 --continue-on-collection-errors --junitxml=/r/pytest.xml',
  );
});
