/** Writes a result over the person's files as a whole: what fails on the way has changed nothing in the end. */
import { rm } from 'node:fs/promises';
import { DureError } from '../errors.ts';
import { type Kept, keep } from './kept.ts';

export interface Putting {
  readonly workTree: string;
  /** All files that will be written or removed. */
  readonly paths: readonly string[];
  /** Where they are kept meanwhile. */
  readonly keptIn: string;
  write(): Promise<void>;
  settle(): Promise<void>;
  unsettle(): Promise<void>;
  /** Of the paths those at which there is by now something that is neither the person's from before nor the result's. */
  others(): Promise<ReadonlySet<string>>;
}

export interface Failure {
  readonly error: unknown;
  /** Files that hold the result nonetheless. */
  readonly left: readonly string[];
}

/** Writes, settles and does `then`. Null: all is done. */
export async function put(putting: Putting, then: () => Promise<void>): Promise<Failure | null> {
  const { workTree, paths, keptIn } = putting;
  let kept: Kept | null = null;
  let settled = false;
  try {
    kept = await keep(workTree, paths, keptIn);
    await putting.write();
    await putting.settle();
    settled = true;
    await then();
    return null;
  } catch (error) {
    return { error, left: kept ? await undo(putting, kept, settled) : [] };
  } finally {
    await rm(keptIn, { recursive: true, force: true, maxRetries: 20 });
  }
}

async function undo(putting: Putting, kept: Kept, settled: boolean): Promise<readonly string[]> {
  const changed = await kept.changed();
  try {
    const others = changed.length ? await putting.others() : new Set();
    if (settled) await putting.unsettle();
    return await kept.putBack(changed.filter(path => !others.has(path)));
  } catch (error) {
    // Without git nobody can tell whose a file is: all stays, and the next attempt finishes.
    if (!(error instanceof DureError)) throw error;
    return settled ? putting.paths : changed;
  }
}
