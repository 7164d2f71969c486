/**
 * Ends a command early. The first Ctrl-C or SIGTERM aborts its work and allows five seconds for cleanup; the second
 * exits at once. A command that follows a run or its logs also ends when its output is closed.
 */
import { anySignal } from '../process/abort-signals-and-timeouts.ts';

/** Thrown if a signal ended the command; the exit status encodes which one. */
export class SignalReceived extends Error {
  override name = 'Signalled';
  readonly code = 'E_SIGNAL';
  readonly exit: number;

  constructor(name: 'SIGINT' | 'SIGTERM') {
    super(`ended by ${name}`);
    this.exit = exitOf(name);
  }
}

/** Milliseconds allowed for cleanup after the first signal. */
const CLEANUP_TIMEOUT_MS = 5000;

const exitOf = (name: 'SIGINT' | 'SIGTERM') => (name === 'SIGINT' ? 130 : 143);

/** Kills this process with the signal: `process.exit()` would wait for Node's threads, which a disk may block. */
function exitBySignal(name: 'SIGINT' | 'SIGTERM'): void {
  process.removeAllListeners(name);
  process.kill(process.pid, name);
}

/**
 * Runs `work` with an abort signal. If Ctrl-C or SIGTERM aborted it, throws `SignalReceived` after `work` has
 * ended.
 */
export async function untilSignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let came: 'SIGINT' | 'SIGTERM' | null = null;
  const on = (name: NodeJS.Signals) => {
    const known = name === 'SIGTERM' ? 'SIGTERM' : 'SIGINT';
    if (came) return exitBySignal(known);
    came = known;
    setTimeout(exitBySignal, CLEANUP_TIMEOUT_MS, known).unref();
    controller.abort();
  };
  process.on('SIGINT', on);
  process.on('SIGTERM', on);
  try {
    const value = await work(controller.signal);
    if (came) throw new SignalReceived(came);
    return value;
  } catch (error) {
    throw came ? new SignalReceived(came) : error;
  } finally {
    process.off('SIGINT', on);
    process.off('SIGTERM', on);
  }
}

/**
 * Like `untilSignal`, for work that only prints: the signal is also aborted once standard output is no longer writable,
 * which is detected at the next write.
 */
export const whileRead = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  untilSignal(async signal => {
    const closed = new AbortController();
    const onError = () => closed.abort();
    process.stdout.on('error', onError);
    const either = anySignal(signal, closed.signal);
    try {
      return await work(either.signal);
    } finally {
      either.release();
      process.stdout.off('error', onError);
    }
  });
