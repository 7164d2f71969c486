/**
 * Runs one shell command. When the promise settles, none of its processes is running, and its temporary HOME and
 * TMPDIR are removed.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { anySignal, timeLimit, within } from './abort-signals-and-timeouts.ts';
import { openOutputFifo } from './output-fifo.ts';
import { startSandboxed } from './sandbox/start-sandboxed-command.ts';
import { startUnsandboxed } from './sandbox/start-unsandboxed-command.ts';
import { linkFiles, withTemporaryHome } from './sandbox/temporary-home.ts';
import type { Command, CommandEnd } from './shell-command-types.ts';

/** Milliseconds allowed for reading the output that was printed before the command ended. */
const DRAIN_MS = 10_000;
/** Bytes of standard error to keep, for a command that could not be started. */
const MAX_ERROR_OUTPUT = 1000;

/** If `onOutput` throws, kills the command and rejects with that error. */
export const runCommand = (command: Command): Promise<CommandEnd> =>
  withTemporaryHome(async privateFolders => {
    const { sandbox, confinement } = command;
    for (const links of confinement.homeLinks ?? []) await linkFiles(privateFolders.home, links);
    const failed = new AbortController();
    const onOutput: Command['onOutput'] = (from, chunk) => {
      if (failed.signal.aborted) return;
      try {
        command.onOutput(from, chunk);
      } catch (error) {
        failed.abort(error);
      }
    };
    const stdout = await openOutputFifo(join(privateFolders.top, 'stdout'), chunk =>
      onOutput('stdout', chunk),
    );
    let errorOutput = '';
    const stderr = await openOutputFifo(join(privateFolders.top, 'stderr'), chunk => {
      if (errorOutput.length < MAX_ERROR_OUTPUT) errorOutput += chunk.toString('utf8');
      onOutput('stderr', chunk);
    });
    const stop = anySignal(command.signal, failed.signal);
    try {
      const outputs = { stdout: stdout.writeEnd, stderr: stderr.writeEnd };
      const running =
        sandbox.kind === 'none'
          ? startUnsandboxed(command, privateFolders, outputs)
          : startSandboxed(command, privateFolders, outputs, sandbox);
      stdout.handOver();
      stderr.handOver();
      const timedOut = await timesOut(running.exited, command.timeout_ms, stop.signal);
      if (timedOut || stop.signal.aborted) await running.terminate(command.grace_ms);
      await running.end();
      await within(DRAIN_MS, Promise.all([stdout.ended, stderr.ended]));
      failed.signal.throwIfAborted();
      const { exit_code, ...result } = running.result(errorOutput.trim().split('\n')[0]!);
      return { exit_code: timedOut ? null : exit_code, timedOut, ...result };
    } finally {
      stop.release();
      stdout.close();
      stderr.close();
    }
  });

/** Whether the time ran out before the command ended; false if it ended or the wait was aborted. */
async function timesOut(exited: Promise<unknown>, timeout_ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  const limit = timeLimit(timeout_ms, signal);
  try {
    const over = once(limit.signal, 'abort').then(() => !signal.aborted);
    return await Promise.race([exited.then(() => false), over]);
  } finally {
    limit.release();
  }
}
