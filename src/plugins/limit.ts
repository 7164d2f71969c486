/** Time limits for code that is not ours: it may hang, and nobody shall hang with it. */

export class TooLong extends Error {
  override name = 'TooLong';
}

/**
 * What `work` gives, or `TooLong` after `ms`. Its signal fires then, so that it can give up; it is not waited for.
 * The timer keeps the process alive: a promise that never settles would otherwise end Node in silence with code 13.
 */
export async function within<T>(ms: number, work: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new TooLong(`took longer than ${ms} ms`);
      abort.abort(error);
      reject(error);
    }, ms);
  });
  try {
    return await Promise.race([late, (async () => work(abort.signal))()]);
  } finally {
    clearTimeout(timer);
  }
}

/** What was thrown, in words; plugins throw anything. */
export const wordsOf = (thrown: unknown): string => {
  try {
    return thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
  } catch {
    return 'something that cannot be shown';
  }
};
