/**
 * Makes the runner of a check write a report that names its tests, and run all tests even if one fails, by appending
 * options to the command or by setting environment variables. If the run ended with the first failure, all later tests
 * would count as regressions. This module is pure. A command whose runner is not recognized is unchanged.
 */
import { join } from 'node:path';
import { singleQuoted } from '../../formats/text/shell-words.ts';
import { PYTEST_RUN_ALL } from '../test-environment.ts';
import { endsWithTests } from './command-ends-with-tests.ts';
import { chained, programCalls, programName, programsOf, type Scripts } from './command-programs.ts';
import { purposeOf, type Runner, runnerOf } from './known-programs.ts';

export interface Reporting {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether every run of this command is expected to name its tests. */
  readonly expected: boolean;
  /** False if anything else may have failed after the tests. */
  readonly endsWithTests: boolean;
}

/** `reports` is an empty folder; `isGo` says whether the command runs in a Go module. */
export function withReport(command: string, scripts: Scripts, reports: string, isGo: boolean): Reporting {
  const programs = programsOf(command, scripts);
  const runners = programs.map(runnerOf).filter(runner => runner !== null);
  const isLintOnly = programs.length > 0 && programs.every(words => purposeOf(words) === 'lint');
  const options = optionsAfter(command, scripts, reports);
  const env = {
    // Only pytest reads this variable, and nested scripts pass it on. Without `--continue-on-collection-errors`, a file
    // that cannot be imported would keep all other tests from running, also on base, and nothing could be compared.
    PYTEST_ADDOPTS: `${PYTEST_RUN_ALL} --continue-on-collection-errors --junitxml=${join(reports, 'pytest.xml')}`,
    // `go vet -v` would list the packages of the standard library.
    ...(isGo && !isLintOnly && { GOFLAGS: '-v' }),
    ...(runners.includes('node') && setsNoReporter(programs) && { NODE_OPTIONS: nodeOptions(reports) }),
  };
  const named = runners.some(runner => NAMES_ALWAYS.includes(runner) || (runner === 'go' && isGo));
  return {
    command: `${command}${options ?? ''}`,
    env,
    expected: named || options !== null,
    endsWithTests: endsWithTests(programs),
  };
}

/** Runners that list every test by name without extra options. */
const NAMES_ALWAYS: readonly Runner[] = ['node', 'pytest', 'cargo'];

/** Node requires one destination per reporter, so a command that sets its own reporters gets no additional one. */
const setsNoReporter = (programs: readonly (readonly string[])[]): boolean =>
  !programs.flat().some(word => word.startsWith('--test-reporter'));

const nodeOptions = (reports: string): string =>
  [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=junit',
    `--test-reporter-destination=${join(reports, 'node.xml')}`,
  ].join(' ');

/** Report options for the last program of the command; null when there are none. */
function optionsAfter(command: string, scripts: Scripts, reports: string): string | null {
  let words = chained(command)?.at(-1)?.words;
  let separators = '';
  for (let depth = 0; words && depth < 5; depth += 1) {
    const call = programCalls(words, scripts);
    if (call === null) {
      const runner = runnerOf(programName(words));
      const options = runner && OPTIONS[runner]?.(reports, words);
      return options ? `${separators} ${options}` : null;
    }
    const [script, ...more] = call.scripts;
    if (more.length > 0 || call.manager === 'run') return null;
    // npm consumes options unless they follow `--`.
    if (call.manager === 'npm') separators += ' --';
    words = chained(scripts[script!] ?? '')?.at(-1)?.words;
  }
  return null;
}

const OPTIONS: Partial<Record<Runner, (reports: string, words: readonly string[]) => string | null>> = {
  // vitest rejects a second `--bail`.
  vitest: (reports, words) =>
    `--reporter=default --reporter=json --outputFile.json=${singleQuoted(join(reports, 'vitest.json'))}${words.some(word => word.startsWith('--bail')) ? '' : ' --bail=0'}`,
  jest: reports => `--bail=0 --json --outputFile=${singleQuoted(join(reports, 'jest.json'))}`,
  mocha: reports =>
    `--no-bail --reporter json --reporter-option output=${singleQuoted(join(reports, 'mocha.json'))}`,
  // pytest reads PYTEST_ADDOPTS first, so a later `--junitxml` in the command would replace the one set there.
  pytest: (reports, words) =>
    words.includes('--') ? null : `${PYTEST_RUN_ALL} --junitxml=${singleQuoted(join(reports, 'pytest.xml'))}`,
  bun: reports => `--reporter=junit --reporter-outfile=${singleQuoted(join(reports, 'bun.xml'))}`,
  ava: () => '--tap',
  tap: () => '--reporter=tap',
  // Without this option, a failure on base would prevent the tests in all later files from running. What follows `--`
  // is passed to the tests, so a command that contains `--` does not get the option.
  cargo: (_, words) => (words.includes('--') ? null : '--no-fail-fast'),
};
