/** Calling code that is not ours: it may throw, hang, or answer nonsense, and the caller always goes on. */
import type { ZodType } from 'zod';
import { problemsOf } from '../formats/define.ts';

/** Who is to blame, for what. `plugin` is the name by which it was installed. */
export interface Blame {
  readonly plugin: string;
  readonly problem: string;
}
export type Report = (blame: Blame) => void;

/**
 * What `work` gives, or an error after `ms`. Its signal fires then, so that it can give up; it is not waited for.
 * The timer keeps the process alive: a promise that never settles would otherwise end Node in silence with code 13.
 */
export async function within<T>(ms: number, work: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`it took longer than ${ms} ms`);
      // Rejected first: work that ends at once by the signal must not be taken for work that failed by itself.
      reject(error);
      abort.abort(error);
    }, ms);
  });
  try {
    return await Promise.race([late, (async () => work(abort.signal))()]);
  } finally {
    clearTimeout(timer);
  }
}

/** What `call` answers at once, checked. A promise is no answer, and its rejection must not end the process. */
export function atOnce<T>(shape: ZodType<T>, call: () => unknown): T {
  const answer = call();
  if (answer instanceof Promise) {
    answer.catch(() => undefined);
    throw new TypeError('expected an answer at once, received a promise');
  }
  const read = shape.safeParse(answer);
  if (!read.success) throw new TypeError(problemsOf(read.error).replaceAll('\n', '; '));
  return read.data;
}

/** What was thrown, in words; plugins throw anything. */
export function wordsOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
  } catch {
    return 'something that cannot be shown';
  }
}
