/** Calls plugin code, which may throw, hang or return invalid values. The caller always continues. */
import type { ZodSafeParseResult, ZodType } from 'zod';
import { problemsOf } from '../formats/schema/schema-problems.ts';

/** The plugin at fault and its problem. `plugin` is the name under which it was installed. */
export interface PluginFailure {
  readonly plugin: string;
  readonly problem: string;
}
export type Report = (failure: PluginFailure) => void;

/**
 * Returns the result of `work`, or throws after `ms`. The signal then fires so that the work can stop, but nothing
 * waits for it. The timer keeps the process alive: otherwise Node would exit silently with status 13 if the promise
 * never settled.
 */
export async function callWithin<T>(ms: number, work: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`it took longer than ${ms} ms`);
      // Reject before aborting: an error that `work` throws because of the signal must not replace the timeout.
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

/** Returns the result of `call`, checked against `shape`. */
export async function checkedAnswer<T>(shape: ZodType<T>, call: () => unknown): Promise<T> {
  const read = shape.safeParse(await call());
  if (!read.success) throw new TypeError(problemsOf(read.error).replaceAll('\n', '; '));
  return read.data;
}

/** Checks a value against a schema that may be asynchronous or from another version of zod. */
export async function parseWith(schema: object, value: unknown): Promise<ZodSafeParseResult<unknown>> {
  const zod = schema as ZodType;
  return zod.safeParseAsync ? zod.safeParseAsync(value) : zod.safeParse(value);
}

/** Converts a thrown value to text; plugins may throw anything. */
export function errorText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
  } catch {
    return 'a value that cannot be printed';
  }
}
