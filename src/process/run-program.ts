/**
 * Runs a program to completion and collects its output. A program that hangs is killed with all processes that it
 * started, such as filters, helpers and ssh.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { signalGroup } from './kill.ts';

export interface ProgramOptions {
  readonly cwd: string;
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Time limit in milliseconds. */
  readonly limitMs: number;
  readonly input?: string | Buffer;
  /** File for stdout, for output that may exceed memory or the maximum length of a string. */
  readonly into?: string;
  /** Creates the error for a program that cannot be started. */
  notStarted?(error: NodeJS.ErrnoException): Error;
}

export interface ProgramEnd {
  /** -1 if a signal or the time limit ended the program. */
  readonly code: number;
  readonly timedOut: boolean;
  /** Empty if the output was written to a file. */
  readonly stdout: Buffer;
  /** Trimmed; it also says that the time limit was exceeded, or which signal ended a program that printed no error. */
  readonly stderr: string;
}

/** Rejects only if the program cannot be started or its output cannot be written. */
export const runProgram = (
  program: string,
  args: readonly string[],
  { cwd, env, limitMs, input = '', into, notStarted = error => error }: ProgramOptions,
): Promise<ProgramEnd> =>
  new Promise((resolve, reject) => {
    // A separate process group (`detached`), which can be killed as a whole.
    const child = spawn(program, args, { cwd, env, windowsHide: true, detached: true });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    if (into === undefined) child.stdout.on('data', chunk => out.push(chunk));
    const kept = into && pipeline(child.stdout, createWriteStream(into));
    const outputWritten = Promise.resolve(kept).then(() => {}, reject);
    child.stderr.on('data', chunk => err.push(chunk));
    child.on('error', error => reject(notStarted(error)));
    let timedOut = false;
    const end = (code: number | null, otherwise: string) => {
      const stderr = Buffer.concat(err).toString().trim() || otherwise;
      resolve({ code: code ?? -1, timedOut, stdout: Buffer.concat(out), stderr });
    };
    child.on('close', async (code, signal) => {
      await outputWritten;
      end(code, signal ? `killed by ${signal}` : '');
    });
    killAfter(child, limitMs, () => {
      timedOut = child.exitCode === null;
      if (timedOut) err.push(Buffer.from(`\n${isTimedOut(limitMs)}`));
      end(child.exitCode, '');
    });
    // A program may exit before it has read all input; its exit code reports the cause.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });

/**
 * Kills a program, which must lead its own process group, when the time is up, and calls `over`. The program itself may
 * have exited by then, while a process that it left behind keeps its output open.
 */
function killAfter(child: ChildProcess, ms: number, over: () => void): void {
  const timer = setTimeout(() => {
    if (isRunning(child)) signalGroup(child.pid!, 'SIGKILL');
    child.stdout?.destroy();
    child.stderr?.destroy();
    over();
  }, ms);
  for (const end of ['close', 'error']) child.once(end, () => clearTimeout(timer));
}

const isTimedOut = (ms: number): string =>
  `it was still running after ${ms < 60_000 ? `${ms / 1000} seconds` : `${ms / 60_000} minutes`} and was killed. ` +
  'A filter, a helper, the disk or the network may be hanging';

const isRunning = (child: ChildProcess): boolean =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null;
