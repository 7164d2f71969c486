/**
 * Simulates power failures where Dure writes files. A test mocks `formats/read-and-write-files.ts` and
 * `formats/open-file-for-append.ts` with the functions below. A process simulated by `withPowerCut` then ends at the
 * n-th point where the power may fail: before a write, after it, or in the middle of a log line. After that it does not
 * write anything, even if work is still in progress.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { FileHandle } from 'node:fs/promises';

export class PowerCut extends Error {}

interface SimulatedProcess {
  failurePointsLeft: number;
  /**
   * What happens when no chances are left: the power fails (null), or the disk is full for this many points.
   */
  fullFor: number | null;
}

const simulatedProcesses = new AsyncLocalStorage<SimulatedProcess>();

/**
 * Runs `work`, which ends with a `PowerCut` at the n-th possible point (`failurePoints`). Returns when no work is in
 * progress.
 */
export const withPowerCut = <T>(failurePoints: number, work: () => Promise<T>): Promise<T> =>
  simulate({ failurePointsLeft: failurePoints, fullFor: null }, work);

/** Runs `work` with a disk that is full at `fullFor` consecutive points. */
export const withFullDisk = <T>(failurePoints: number, fullFor: number, work: () => Promise<T>): Promise<T> =>
  simulate({ failurePointsLeft: failurePoints, fullFor }, work);

async function simulate<T>(simulated: SimulatedProcess, work: () => Promise<T>): Promise<T> {
  try {
    return await simulatedProcesses.run(simulated, work);
  } finally {
    while (process.getActiveResourcesInfo().some(name => name === 'ProcessWrap' || name === 'FSReqPromise'))
      await new Promise(resolve => setImmediate(resolve));
  }
}

/** A point at which the power may fail or the disk may be full. */
export function failurePoint(): void {
  const simulated = simulatedProcesses.getStore();
  if (!simulated) return;
  simulated.failurePointsLeft -= 1;
  if (simulated.failurePointsLeft > 0) return;
  if (simulated.fullFor === null) throw new PowerCut();
  if (simulated.failurePointsLeft > -simulated.fullFor)
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
}

/** A point at which only the power may fail. */
function powerCutPoint(): void {
  if (simulatedProcesses.getStore()?.fullFor === null) failurePoint();
}

type Files = typeof import('../../src/formats/read-and-write-files.ts');
type Append = typeof import('../../src/formats/open-file-for-append.ts');

/**
 * For `formats/read-and-write-files.ts`: writes are atomic, so a simulated power failure can hit only before or after a
 * write, never during one.
 */
export const withFailurePoints = (files: Files): Files => {
  const cuttable =
    <A extends unknown[], R>(write: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      failurePoint();
      const written = await write(...args);
      failurePoint();
      return written;
    };
  return {
    ...files,
    replace: cuttable(files.replace),
    replaceJson: cuttable(files.replaceJson),
    // Linking the complete file is the last thing that `create` does, so the disk is full before it or not at all.
    create: async (...args) => {
      failurePoint();
      const created = await files.create(...args);
      powerCutPoint();
      return created;
    },
    guarded: cuttable(files.guarded) as Files['guarded'],
  };
};

/** For `formats/open-file-for-append.ts`: a power failure may leave half a line on disk. */
export const logWithFailurePoints = (append: Append): Append => {
  const cuttable = (handle: FileHandle): FileHandle =>
    new Proxy(handle, {
      get(target, key) {
        if (key === 'appendFile')
          return async (text: string) => {
            await target.appendFile(text.slice(0, text.length / 2));
            failurePoint();
            await target.appendFile(text.slice(text.length / 2));
          };
        const value = Reflect.get(target, key, target) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  return {
    ...append,
    openForAppend: async (...args) => cuttable(await append.openForAppend(...args)),
    reopenForAppend: async (...args) => cuttable(await append.reopenForAppend(...args)),
  };
};
