/**
 * What ends a command before its time. Ctrl-C and kill: the first asks politely, and waits five seconds at most; the
 * second ends at once. For a command that follows something, also that nobody reads what it prints any more.
 */
import { firstOf } from '../process/abort.ts';

/** The person or the system ended the command; the exit status says by which signal. */
export class Signalled extends Error {
  override name = 'Signalled';
  readonly code = 'E_SIGNAL';
  readonly exit: number;

  constructor(name: 'SIGINT' | 'SIGTERM') {
    super(`ended by ${name}`);
    this.exit = exitOf(name);
  }
}

/** Milliseconds that what was asked to end may take to put its things in order. */
const PATIENCE_MS = 5000;

const exitOf = (name: 'SIGINT' | 'SIGTERM') => (name === 'SIGINT' ? 130 : 143);

/** Not `process.exit()`, which waits for threads of Node that wait for a disk. */
function dieBy(name: 'SIGINT' | 'SIGTERM'): void {
  process.removeAllListeners(name);
  process.kill(process.pid, name);
}

/** Runs `work` with a signal that Ctrl-C aborts. When it did, and `work` has ended, this throws `Signalled`. */
export async function untilSignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let came: 'SIGINT' | 'SIGTERM' | null = null;
  const on = (name: NodeJS.Signals) => {
    const known = name === 'SIGTERM' ? 'SIGTERM' : 'SIGINT';
    if (came) return dieBy(known);
    came = known;
    setTimeout(dieBy, PATIENCE_MS, known).unref();
    controller.abort();
  };
  process.on('SIGINT', on);
  process.on('SIGTERM', on);
  try {
    const value = await work(controller.signal);
    if (came) throw new Signalled(came);
    return value;
  } catch (error) {
    throw came ? new Signalled(came) : error;
  } finally {
    process.off('SIGINT', on);
    process.off('SIGTERM', on);
  }
}

/**
 * The same for work that only prints: its signal fires also when standard output is closed, which is no failure. It is
 * noticed when the next line is written.
 */
export const whileRead = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  untilSignal(async signal => {
    const closed = new AbortController();
    const onError = (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') closed.abort();
    };
    process.stdout.on('error', onError);
    const either = firstOf(signal, closed.signal);
    try {
      return await work(either.signal);
    } finally {
      either.release();
      process.stdout.off('error', onError);
    }
  });
