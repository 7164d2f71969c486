/**
 * Runs a test command and returns its result. When the promise settles, the process and its children have ended, even
 * after an error.
 */
import { realpath } from 'node:fs/promises';
import { unlessDiskFails } from '../formats/file-system/temporary-disk-errors.ts';
import type { TestConfig, TestOutput } from '../formats/test-config-and-results.ts';
import type { Confinement, Sandbox } from '../process/sandbox/find-sandbox.ts';
import { revealsFailure } from './exit-code-reveals-failure.ts';
import { judgeTests } from './judge-test-run.ts';
import { watchReports } from './read-new-report-files.ts';
import { readTests } from './read-reported-tests.ts';
import { readResults } from './read-test-results.ts';
import { readCoverage } from './report-readers/coverage-percentage.ts';
import { type LineCoverage, readLineCoverage } from './report-readers/line-coverage.ts';
import { runLogged } from './run-and-capture-output.ts';
import { type TestPlace, testEnvironment } from './test-environment.ts';
import type { TestCase } from './test-results.ts';
import { watchUnreported } from './unreported-test-files.ts';

export interface TestLimits {
  /**
   * Maximum size in bytes of each of stdout, stderr and the log. Larger report files are not read.
   */
  readonly log_bytes: number;
  /** Maximum size in bytes of stdout and of stderr in test-output.json. */
  readonly tail_bytes: number;
  /** Time between SIGTERM and SIGKILL. */
  readonly grace_ms: number;
}
export const TEST_LIMITS: TestLimits = { log_bytes: 20_000_000, tail_bytes: 200_000, grace_ms: 2000 };

export interface TestRunInput {
  readonly config: TestConfig;
  /** The checkout, with dependencies and tests in place. */
  readonly place: TestPlace;
  /** Dure's own environment; only a few of its variables are passed on. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Test files, relative to the root of the checkout. */
  readonly tests: readonly string[];
  readonly sandbox: Sandbox;
  readonly confinement: Confinement;
  readonly limits?: TestLimits;
  /** Kills the command. The promise then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Receives all output as it is printed. */
  readonly echo?: (chunk: Buffer) => void;
}

/** The contents of test-output.json except the trees and the sandbox, which the caller adds. */
export type TestRun = Omit<TestOutput, 'tree' | 'tests_tree' | 'sandbox' | 'no_sandbox_because'>;

export interface TestRunResult {
  readonly proof: TestRun;
  /** stdout and stderr interleaved, capped. */
  readonly log: string;
  /** Every test that was reported by name. */
  readonly tests: readonly TestCase[];
  /** Whether the command ended by itself and its report is complete. */
  readonly isComplete: boolean;
  /** Line coverage for every file named in a coverage report. */
  readonly lines: LineCoverage;
}

export async function runTests(input: TestRunInput): Promise<TestRunResult> {
  const { config, place, tests, env, signal, echo, sandbox, confinement, limits = TEST_LIMITS } = input;
  signal.throwIfAborted();
  const { cwd } = place;
  const writtenReports = await watchReports(cwd, config, limits.log_bytes);
  const unreported = await watchUnreported(place.top, cwd, tests);
  const roots = [place.top, await realpath(place.top).catch(unlessDiskFails(place.top))];
  const { ended, duration_ms, stdout, stderr, both } = await runLogged(
    {
      command: config.test_command,
      cwd,
      env: testEnvironment(place, env),
      timeout_ms: config.timeout_ms,
      grace_ms: limits.grace_ms,
      signal,
      sandbox,
      confinement,
    },
    limits.log_bytes,
    echo,
  );
  const executed_at = new Date().toISOString();

  const output = { stdout: stdout.text(), stderr: stderr.text(), files: await writtenReports() };
  const { results, filesWithoutTests, missing } = await unreported(
    readResults(output, config.test_framework),
  );
  const coverage = readCoverage(output);
  const { machine, problem, counts } = judgeTests({
    ...ended,
    results,
    filesWithoutTests,
    reportMissing: missing,
    framework: config.test_framework,
    revealsFailure: revealsFailure(config.test_command),
  });
  const dropped = stdout.dropped();
  // A report that exceeds the limit cannot be read; the message says so.
  const unread =
    results === null && dropped > 0
      ? `; ${dropped} bytes of its output exceeded the limit and were dropped`
      : '';
  const proof: TestRun = {
    exit_code: ended.exit_code,
    stdout: stdout.tail(limits.tail_bytes),
    stderr: stderr.tail(limits.tail_bytes),
    duration_ms,
    executed_at,
    ...(counts && { test_results: counts }),
    ...(coverage !== null && { coverage }),
    machine,
    ...(problem && { problem: `${problem}${unread}` }),
    failures: results?.failures ?? [],
    command: config.test_command,
  };
  return {
    proof,
    log: both.text(),
    tests: readTests(output, roots),
    isComplete:
      ended.exit_code !== null &&
      results !== null &&
      results.doubt !== 'cut' &&
      filesWithoutTests.length === 0,
    lines: readLineCoverage(output),
  };
}
