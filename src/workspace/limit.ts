/** Ends a program that takes longer than it may, with all that it started: filters, helpers, a connection that hangs. */
import type { ChildProcess } from 'node:child_process';

/**
 * Of a program that leads a process group of its own (`detached`). `over` is called when the time is over; it may have
 * ended before then, while something it left behind keeps its output open.
 */
export function endAfter(child: ChildProcess, ms: number, over: () => void): void {
  const timer = setTimeout(() => {
    if (isRunning(child)) endGroup(child.pid!);
    child.stdout?.destroy();
    child.stderr?.destroy();
    over();
  }, ms);
  for (const end of ['close', 'error']) child.once(end, () => clearTimeout(timer));
}

/** What was not done in time, for people. */
export const tooLong = (ms: number): string =>
  `it had not ended after ${ms < 60_000 ? `${ms / 1000} seconds` : `${ms / 60_000} minutes`} and was ended. ` +
  'A filter, a helper, the disk or the network may hang';

const isRunning = (child: ChildProcess): boolean =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null;

function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
