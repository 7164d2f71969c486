/**
 * Runs a test command and says what happened. What it prints is kept on disk within a limit; the process, its children
 * and its temporary folder are gone when the promise settles, however it ended.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestConfig, TestOutput } from '../formats/tests.ts';
import { runCommand } from '../process/run-command.ts';
import type { Confinement, Sandbox } from '../process/sandbox.ts';
import { type CappedLog, cappedLog } from './capped-log.ts';
import { type Place, testEnvironment } from './environment.ts';
import { tellsFailure } from './exit-code.ts';
import { readCoverage } from './formats/coverage.ts';
import { type LineCoverage, readLineCoverage } from './formats/line-coverage.ts';
import { judge } from './machine.ts';
import { readResults } from './results.ts';
import { watchUnreported } from './unreported.ts';
import { watchReports } from './written-reports.ts';

export interface Limits {
  /** Bytes of stdout, of stderr and of the log that are kept on disk, each; reports larger than this are not read. */
  readonly log_bytes: number;
  /** Bytes of stdout and of stderr that test-output.json holds. */
  readonly tail_bytes: number;
  /** Between TERM and KILL. */
  readonly grace_ms: number;
}
export const LIMITS: Limits = { log_bytes: 20_000_000, tail_bytes: 200_000, grace_ms: 2000 };

export interface Trial {
  readonly config: TestConfig;
  /** The checkout, with dependencies and tests in place. */
  readonly place: Place;
  /** The environment Dure itself has; a few variables of it are handed on. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Test files, relative to the top of the checkout. */
  readonly tests: readonly string[];
  readonly sandbox: Sandbox;
  readonly confinement: Confinement;
  readonly limits?: Limits;
  /** Ends the command. The promise then rejects with the signal's reason, for there is no result. */
  readonly signal: AbortSignal;
  /** Hears all that is printed, as it comes. */
  readonly echo?: (chunk: Buffer) => void;
}

/** What test-output.json says, but for the trees, which the one who laid them out knows. */
export type Proof = Omit<TestOutput, 'tree' | 'tests_tree' | 'sandbox' | 'no_sandbox_because'>;

export interface Proved {
  readonly proof: Proof;
  /** stdout and stderr as they came, capped. */
  readonly log: string;
  /** Lines that ran, of every file that a coverage report names. */
  readonly lines: LineCoverage;
}

export async function prove(trial: Trial): Promise<Proved> {
  trial.signal.throwIfAborted();
  const scratch = await mkdtemp(join(tmpdir(), 'dure-proof-'));
  const logs: CappedLog[] = [];
  try {
    const { log_bytes } = trial.limits ?? LIMITS;
    for (const name of ['stdout', 'stderr', 'both']) logs.push(cappedLog(join(scratch, name), log_bytes));
    const [stdout, stderr, both] = logs as [CappedLog, CappedLog, CappedLog];
    return await proveIn({ stdout, stderr, both }, trial);
  } finally {
    for (const log of logs) log.close();
    await rm(scratch, { recursive: true, force: true, maxRetries: 20 });
  }
}

async function proveIn(
  logs: Record<'stdout' | 'stderr' | 'both', CappedLog>,
  { config, place, tests, env, signal, echo, sandbox, confinement, limits = LIMITS }: Trial,
): Promise<Proved> {
  const { cwd } = place;
  const writtenReports = await watchReports(cwd, config, limits.log_bytes);
  const unreported = await watchUnreported(place.top, cwd, tests);
  const started = performance.now();
  const ended = await runCommand({
    command: config.test_command,
    cwd,
    env: testEnvironment(place, env),
    timeout_ms: config.timeout_ms,
    grace_ms: limits.grace_ms,
    signal,
    sandbox,
    confinement,
    onOutput(from, chunk) {
      logs[from].write(chunk);
      logs.both.write(chunk);
      echo?.(chunk);
    },
  });
  const duration_ms = Math.round(performance.now() - started);
  const executed_at = new Date().toISOString();
  signal.throwIfAborted();

  const output = { stdout: logs.stdout.text(), stderr: logs.stderr.text(), files: await writtenReports() };
  const { results, silent, nothing } = await unreported(readResults(output, config.test_framework));
  const coverage = readCoverage(output);
  const { machine, problem, counts } = judge({
    ...ended,
    results,
    silent,
    unheard: nothing,
    framework: config.test_framework,
    tellsFailure: tellsFailure(config.test_command),
  });
  const dropped = logs.stdout.dropped();
  // A report longer than what is kept cannot be read; people should know that this is why.
  const unread =
    results === null && dropped > 0 ? `; ${dropped} bytes of its output were too many to keep` : '';
  const proof: Proof = {
    exit_code: ended.exit_code,
    stdout: logs.stdout.tail(limits.tail_bytes),
    stderr: logs.stderr.tail(limits.tail_bytes),
    duration_ms,
    executed_at,
    ...(counts && { test_results: counts }),
    ...(coverage !== null && { coverage }),
    machine,
    ...(problem && { problem: `${problem}${unread}` }),
    failures: results?.failures ?? [],
    command: config.test_command,
  };
  return { proof, log: logs.both.text(), lines: readLineCoverage(output) };
}
