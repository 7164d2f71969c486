/** Determines how many runs of the tests the exam starts at the same time. */
import { availableParallelism } from 'node:os';
import { findSandbox } from '../../../process/sandbox/find-sandbox.ts';
import type { Env } from '../../../process/sandbox/toolchain.ts';

/** Test runners may use all processors and a lot of memory themselves. */
const MAX_RUNS = 2;

/** Returns 1 unless a sandbox without network keeps the runs from sharing ports and temporary files. */
export async function parallelRunCount(env: Env, network: boolean): Promise<number> {
  const { kind } = await findSandbox(env);
  const isSeparate = kind === 'bubblewrap' && !network;
  return isSeparate ? Math.min(MAX_RUNS, availableParallelism()) : 1;
}
