/**
 * Runs checks while an agent works on something else, so that the checks step finds their executions in the cache. Only
 * finished executions are kept. The step itself decides, and repeats whatever would count against the result.
 *
 * A working agent slows tests down, so a failure here may be caused by load. A single execution on the result
 * cannot make a test a regression, because a regression fails twice. A single failure on base or with restored tests
 * is not kept (see `isWorthKeeping`).
 */
import type { Check } from '../../formats/check-results.ts';
import { removeCheckouts } from '../../workspace/checkout.ts';
import { isWorthKeeping, keepCheckRuns } from './check-run-cache.ts';
import { compare } from './compare-with-base.ts';
import { type CheckedResult, type ChecksOf, openResult, type RunsBySide } from './run-check-on-commit.ts';

/** Rejects when the signal is aborted. The checkouts then stay until one of Dure's own launches removes them. */
export async function runAhead(of: ChecksOf): Promise<void> {
  const result = await openResult(of, () => {});
  for (const check of of.job.checks) await runEachSideOnce(check, result, of.signal);
  await removeCheckouts(of.job.workspace.state, of.runDir, of.launch);
}

async function runEachSideOnce(check: Check, result: CheckedResult, signal: AbortSignal): Promise<void> {
  const runs: RunsBySide = { result: [], base: [], restored: [] };
  const known = await result.known(check);
  for (;;) {
    const found = compare({ ...runs, ...result.inputs });
    if ('comparison' in found || runs[found.next].length > 0) return;
    const side = found.next;
    const [before] = known[side];
    const ran = before ?? (await result.run(side, check));
    signal.throwIfAborted();
    if (!before) {
      if (!isWorthKeeping(side, [ran])) return;
      await keepCheckRuns(result.runsOf(side, check), [ran]);
    }
    runs[side].push(ran);
  }
}
