/**
 * Temporary disk errors: the disk is full, its quota is used up, it is read-only, or it reports I/O errors.
 * Work that fails with such an error is retried until it succeeds.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { DureError, dureError } from '../../errors.ts';

const TRANSIENT: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EIO: 'the disk reports an input/output error',
};

/** System calls that only read. `open` is not one of them. */
const READS = ['read', 'scandir', 'opendir', 'stat', 'lstat', 'access', 'readlink', 'realpath'];

/** The errors as git and other programs print them with LC_ALL=C. */
const PRINTED: readonly (readonly [RegExp, code: string])[] = [
  [/no space left on device/i, 'ENOSPC'],
  [/disk quota exceeded/i, 'EDQUOT'],
  [/read-only file system/i, 'EROFS'],
  [/input\/output error/i, 'EIO'],
];

export interface DiskFault {
  /** The path that could not be read or written; null if it is unknown. */
  readonly file: string | null;
  readonly why: string;
}

/** Returns the fault behind a temporary disk error; null for any other error, including a permission error. */
export function diskFault(error: unknown): DiskFault | null {
  const own = error instanceof DureError && error.code === 'E_DISK';
  const { code, path } = ((own ? error.cause : error) ?? {}) as NodeJS.ErrnoException;
  const why = TRANSIENT[code ?? ''];
  return why === undefined
    ? null
    : { file: own ? (error.context as { file: string }).file : (path ?? null), why };
}

/** Converts a temporary disk error to `E_DISK`; null for any other error. */
export function asDiskError(file: string, error: unknown): DureError | null {
  const { code, syscall } = error as NodeJS.ErrnoException;
  const why = TRANSIENT[code ?? ''];
  if (why === undefined) return null;
  const reading = READS.includes(syscall ?? '');
  return dureError('E_DISK', { file, why, ...(reading && { reading }) }, { cause: error });
}

/** Returns `E_DISK` if a program that failed printed a temporary disk error; otherwise null. */
export function printedDiskError(file: string, printed: string): DureError | null {
  // Errors printed by a remote are about the remote's disk.
  const local = printed.replace(/^remote:.*$/gm, '');
  const found = PRINTED.find(([pattern]) => pattern.test(local));
  return found ? asDiskError(file, Object.assign(new Error(printed), { code: found[1] })) : null;
}

/** Codes of errors after which it is unknown what is at a path. */
const NO_ANSWER = [...Object.keys(TRANSIENT), 'EMFILE', 'ENFILE', 'ENOMEM', 'ESTALE'];

/**
 * Replaces an error, such as one about a missing or invalid file, with `value`. Still throws if the disk or the system
 * failed: a caller that mistook such a failure for a missing file would create, replace or remove the wrong thing.
 */
export const unlessDiskFails =
  <T>(value: T) =>
  (error: unknown): T => {
    const { code } = error as NodeJS.ErrnoException;
    if (diskFault(error) || NO_ANSWER.includes(code ?? '')) throw error;
    return value;
  };

const RETRY_MS = 1000;

/**
 * Retries `work` every second as long as it fails with a disk error. Once `signal` is aborted, throws the error
 * instead.
 */
export async function untilDiskWorks<T>(
  work: () => Promise<T>,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!diskFault(error) || signal?.aborted) throw error;
      await pause(RETRY_MS, null, signal ? { signal } : {}).catch(() => null);
    }
  }
}
