/**
 * How the runner of a check is made to write a report that names its tests: by options after the command, or by variables
 * that the runner reads. Pure. A command whose runner is not recognised stays as it is.
 */
import { join } from 'node:path';
import { type Runner, runnerOf } from './runners.ts';
import { calls, chained, program, programsOf, type Scripts } from './scripts.ts';

export interface Reporting {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** True when every run of this command should name its tests. */
  readonly expected: boolean;
}

/** `reports` is an empty folder; `isGo` says whether the command runs in a Go module. */
export function withReport(command: string, scripts: Scripts, reports: string, isGo: boolean): Reporting {
  const programs = programsOf(command, scripts);
  const runners = programs.map(runnerOf).filter(runner => runner !== null);
  const options = optionsAfter(command, scripts, reports);
  const env = {
    // Only pytest reads this, however deep in other scripts it is started.
    PYTEST_ADDOPTS: `--junitxml=${join(reports, 'pytest.xml')}`,
    ...(isGo && { GOFLAGS: '-v' }),
    ...(runners.includes('node') && reportsNowhere(programs) && { NODE_OPTIONS: nodeOptions(reports) }),
  };
  const named = runners.some(runner => NAMES_ALWAYS.includes(runner) || (runner === 'go' && isGo));
  return { command: `${command}${options ?? ''}`, env, expected: named || options !== null };
}

/** Runners whose tests are named without options of the command. */
const NAMES_ALWAYS: readonly Runner[] = ['node', 'pytest', 'cargo'];

/** With a reporter of its own, node asks for as many destinations as reporters. */
const reportsNowhere = (programs: readonly (readonly string[])[]): boolean =>
  !programs.flat().some(word => word.startsWith('--test-reporter'));

const nodeOptions = (reports: string): string =>
  [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=junit',
    `--test-reporter-destination=${join(reports, 'node.xml')}`,
  ].join(' ');

/** Options for the program that the command ends with; null when it takes none. */
function optionsAfter(command: string, scripts: Scripts, reports: string): string | null {
  let words = chained(command)?.at(-1)?.words;
  let separators = '';
  for (let depth = 0; words && depth < 5; depth += 1) {
    const call = calls(words, scripts);
    if (call === null) {
      const runner = runnerOf(program(words));
      const options = runner && OPTIONS[runner]?.(reports);
      return options ? `${separators} ${options}` : null;
    }
    const [script, ...more] = call.scripts;
    if (more.length > 0 || call.manager === 'run') return null;
    // npm takes options for itself unless they stand behind these.
    if (call.manager === 'npm') separators += ' --';
    words = chained(scripts[script!] ?? '')?.at(-1)?.words;
  }
  return null;
}

const OPTIONS: Partial<Record<Runner, (reports: string) => string>> = {
  vitest: reports =>
    `--reporter=default --reporter=json --outputFile.json=${quoted(join(reports, 'vitest.json'))}`,
  jest: reports => `--json --outputFile=${quoted(join(reports, 'jest.json'))}`,
  mocha: reports => `--reporter json --reporter-option output=${quoted(join(reports, 'mocha.json'))}`,
  bun: reports => `--reporter=junit --reporter-outfile=${quoted(join(reports, 'bun.xml'))}`,
  ava: () => '--tap',
  tap: () => '--reporter=tap',
};

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
