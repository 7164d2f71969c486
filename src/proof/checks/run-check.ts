/**
 * Runs a check in a prepared checkout and reads the test results that it reports. If its runner rejects the options for
 * a report, the check runs again without them.
 */
import { mkdir, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from '../../formats/check-results.ts';
import { exists } from '../../formats/file-system/path-status.ts';
import { removeFolder } from '../../formats/file-system/remove-folder.ts';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { readText } from '../../formats/read-and-write-files.ts';
import type { TestCounts } from '../../formats/test-config-and-results.ts';
import { withoutSecrets } from '../../process/redact-secrets.ts';
import type { CommandEnd } from '../../process/shell-command-types.ts';
import { scriptsOf } from '../../workspace/dependencies/node/node-project.ts';
import { problemOfEnd, signalProblem } from '../command-problem.ts';
import { readTestsPassedFirst } from '../read-reported-tests.ts';
import { type CommandOutput, readResults } from '../read-test-results.ts';
import { runLogged } from '../run-and-capture-output.ts';
import { TEST_LIMITS, type TestRunInput } from '../run-tests.ts';
import { testEnvironment } from '../test-environment.ts';
import { resultsOfTests } from '../test-results.ts';
import { type Reporting, withReport } from './add-report-options.ts';
import { isBelowCoverageThreshold } from './below-coverage-threshold.ts';
import type { Scripts } from './command-programs.ts';
import type { CheckRun } from './compare-with-base.ts';

export interface CheckIn
  extends Pick<TestRunInput, 'place' | 'env' | 'sandbox' | 'confinement' | 'signal' | 'echo'> {
  readonly check: Check;
}

/** A check's outcome with its counts, log and duration. */
export interface RanCheck extends CheckRun {
  readonly counts: TestCounts | null;
  readonly log: string;
  readonly duration_ms: number;
}

export async function runCheck(of: CheckIn): Promise<RanCheck> {
  const { place, check } = of;
  const reports = `${place.top}.reports`;
  const isGo = await exists(join(place.cwd, 'go.mod'));
  const reporting = withReport(check.command, await scriptsIn(place.cwd), reports, isGo);
  const plain: Reporting = { ...reporting, command: check.command, env: {}, expected: false };
  const ran = await once(of, reporting, reports);
  // An old runner may reject the report options. Such an error says nothing about the check.
  const refused = ran.machine !== 'pass' && ran.tests.length === 0 && !ran.timedOut;
  return refused && reporting.command !== plain.command ? once(of, plain, reports) : ran;
}

async function once(
  of: CheckIn,
  reporting: Reporting,
  reports: string,
): Promise<RanCheck & { timedOut: boolean }> {
  const { check, place, env, signal, echo, sandbox, confinement } = of;
  await removeFolder(reports);
  await mkdir(reports, { mode: 0o700 });
  const { ended, duration_ms, stdout, stderr, both } = await runLogged(
    {
      command: reporting.command,
      cwd: place.cwd,
      env: withVariables(testEnvironment(place, env), reporting.env),
      timeout_ms: check.timeout_ms,
      grace_ms: TEST_LIMITS.grace_ms,
      signal,
      sandbox,
      confinement: { ...confinement, writable: [...confinement.writable, reports] },
    },
    TEST_LIMITS.log_bytes,
    echo,
  );
  const output = { stdout: stdout.text(), stderr: stderr.text(), files: await filesIn(reports) };
  const roots = [place.top, await realpath(place.top)];
  return {
    ...read(ended, output, roots, reporting),
    log: withoutSecrets(both.text()),
    duration_ms,
    timedOut: ended.timedOut,
  };
}

/** Adds variables to an environment; appends to the value of any that is already set. */
const withVariables = (own: Readonly<Record<string, string>>, more: Readonly<Record<string, string>>) => ({
  ...own,
  ...Object.fromEntries(
    Object.entries(more).map(([name, value]) => [name, own[name] ? `${own[name]} ${value}` : value]),
  ),
});

function read(
  ended: CommandEnd,
  output: CommandOutput,
  roots: readonly string[],
  { expected, endsWithTests }: Reporting,
): CheckRun & { counts: TestCounts | null } {
  const tests = readTestsPassedFirst(output, roots);
  const results = readResults(output, 'custom');
  const problem = problemOfEnd(ended) ?? signalProblem(ended.exit_code);
  const failed = tests.some(test => test.status === 'failed') || (results?.counts.failed ?? 0) > 0;
  // Low coverage keeps the commands after the tests from running, so it is accepted only if there are no such commands.
  const isBelow = endsWithTests && [output.stdout, output.stderr].some(isBelowCoverageThreshold);
  const uncovered = tests.length > 0 && !failed && isBelow;
  const isRed = failed || (ended.exit_code !== 0 && !uncovered);
  return {
    machine: problem !== null ? 'could-not-run' : isRed ? 'fail' : 'pass',
    problem,
    // Exit code 0 is not enough: a process may exit with 0 before all its tests have run.
    doubtful:
      results?.doubt === 'cut' ||
      (expected && tests.length === 0) ||
      tests.some(isWholeFile) ||
      (uncovered && ended.exit_code !== 0),
    tests,
    counts: (resultsOfTests(tests) ?? results)?.counts ?? null,
  };
}

/** Node counts a file that reported no test as one test, even when it ended before its tests began. */
const isWholeFile = ({ name, status }: CheckRun['tests'][number]): boolean =>
  status === 'passed' && /^[^:>]*\.[cm]?[jt]sx?$/.test(name);

async function filesIn(folder: string): Promise<CommandOutput['files']> {
  const names = await readdir(folder);
  const read = await Promise.all(
    names.sort().map(async name => ({
      name,
      text: await readText(join(folder, name), TEST_LIMITS.log_bytes).catch(unlessDiskFails(null)),
    })),
  );
  return read.flatMap(({ name, text }) => (text === null ? [] : [{ name, text }]));
}

async function scriptsIn(cwd: string): Promise<Scripts> {
  try {
    return scriptsOf(JSON.parse((await readText(join(cwd, 'package.json'))) ?? '{}'));
  } catch {
    return {};
  }
}
