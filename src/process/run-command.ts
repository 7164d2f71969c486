/**
 * One shell command from start to end. When the promise settles, nothing that the command started is left, and its home
 * and its temporary folder, both empty when it starts, are gone.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startConfined } from './confined-process.ts';
import { openOutputPipe } from './output-pipe.ts';
import { withOwnFolders } from './own-folders.ts';
import { startPlain } from './plain-process.ts';
import type { Confinement, Sandbox } from './sandbox.ts';

export interface Command {
  /** For `sh -c`. */
  readonly command: string;
  readonly cwd: string;
  /** All of the environment. HOME is the person's: the command gets an empty one, and a TMPDIR of its own. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeout_ms: number;
  /** Between TERM and KILL. */
  readonly grace_ms: number;
  readonly signal: AbortSignal;
  readonly sandbox: Sandbox;
  readonly confinement: Confinement;
  onOutput(from: 'stdout' | 'stderr', chunk: Buffer): void;
}

export interface CommandEnd {
  /** Null when a signal or the time limit ended it. In a sandbox a signal is told as shells do: 128 and its number. */
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly spawnError: string | null;
}

/** A command that was started, with all that it starts. */
export interface Running {
  /** Settles when the command itself has ended, or could not be started. */
  readonly exited: Promise<unknown>;
  /** TERM to all of it, then time to end by itself. */
  terminate(grace_ms: number): Promise<void>;
  /** Nothing of it is left afterwards. */
  end(): Promise<void>;
  /** Asked when nothing is left; `said` is the first line of the standard error. */
  result(said: string): Omit<CommandEnd, 'timedOut'>;
}

/** File descriptors. */
export interface Outputs {
  readonly stdout: number;
  readonly stderr: number;
}

/** What was printed before the end still has to be read, but not waited for for ever. */
const DRAIN_MS = 10_000;
/** Of the standard error, for when a command could not be started. */
const FIRST_WORDS = 1000;

export const runCommand = (command: Command): Promise<CommandEnd> =>
  withOwnFolders(async own => {
    const { sandbox } = command;
    const stdout = await openOutputPipe(join(own.top, 'stdout'), chunk => command.onOutput('stdout', chunk));
    let said = '';
    const stderr = await openOutputPipe(join(own.top, 'stderr'), chunk => {
      if (said.length < FIRST_WORDS) said += chunk.toString('utf8');
      command.onOutput('stderr', chunk);
    });
    try {
      const outputs = { stdout: stdout.writeEnd, stderr: stderr.writeEnd };
      const running =
        sandbox.kind === 'none'
          ? startPlain(command, own, outputs)
          : startConfined(command, own, outputs, sandbox);
      stdout.handOver();
      stderr.handOver();
      const timedOut = await outlasts(running.exited, command);
      if (timedOut || command.signal.aborted) await running.terminate(command.grace_ms);
      await running.end();
      await within(DRAIN_MS, Promise.all([stdout.ended, stderr.ended]));
      const { exit_code, ...result } = running.result(said.trim().split('\n')[0]!);
      return { exit_code: timedOut ? null : exit_code, timedOut, ...result };
    } finally {
      stdout.close();
      stderr.close();
    }
  });

/** True when the time is over before the command is; false when it ended or nobody waits for it any more. */
async function outlasts(exited: Promise<unknown>, { timeout_ms, signal }: Command): Promise<boolean> {
  const settled = new AbortController();
  const called = new Promise<boolean>(resolve => {
    const off = () => resolve(false);
    if (signal.aborted) off();
    signal.addEventListener('abort', off, { signal: settled.signal });
  });
  const limit = sleep(timeout_ms, true, { signal: settled.signal }).catch(() => false);
  try {
    return await Promise.race([exited.then(() => false), called, limit]);
  } finally {
    settled.abort();
  }
}

/** Waits for something, but no longer than this. */
export async function within(ms: number, done: Promise<unknown>): Promise<void> {
  const settled = new AbortController();
  await Promise.race([done, sleep(ms, null, { signal: settled.signal }).catch(() => null)]);
  settled.abort();
}
