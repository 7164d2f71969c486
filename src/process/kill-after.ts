/**
 * Kills a program that exceeds its time limit, with all its processes, such as filters, helpers and hanging
 * connections.
 */
import type { ChildProcess } from 'node:child_process';

/**
 * For a program that leads its own process group (`detached`). `over` is called when the time is up. The
 * program itself may have exited by then, while a process that it left behind keeps its output open.
 */
export function killAfter(child: ChildProcess, ms: number, over: () => void): void {
  const timer = setTimeout(() => {
    if (isRunning(child)) endGroup(child.pid!);
    child.stdout?.destroy();
    child.stderr?.destroy();
    over();
  }, ms);
  for (const end of ['close', 'error']) child.once(end, () => clearTimeout(timer));
}

/** The error message for a timeout. */
export const isTimedOut = (ms: number): string =>
  `it was still running after ${ms < 60_000 ? `${ms / 1000} seconds` : `${ms / 60_000} minutes`} and was ended. ` +
  'A filter, a helper, the disk or the network may be hanging';

const isRunning = (child: ChildProcess): boolean =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null;

function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
