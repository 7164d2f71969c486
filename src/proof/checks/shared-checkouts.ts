/**
 * Shares one prepared checkout between all checks on a commit. Before each check it is restored to the state after the
 * set-up: added files are removed, and if anything else changed, the checkout is created again.
 */
import { restore, type Snapshot, takeSnapshot } from '../../workspace/folder-snapshot.ts';
import { type CheckoutFor, type PreparedCheckout, prepareCheckout } from '../prepare-checkout.ts';

interface Kept {
  readonly prepared: PreparedCheckout;
  readonly snapshot: Snapshot;
}

/** Returns a function that takes a name and a commit. A failed set-up is retried on the next call. */
export function sharedCheckouts(
  options: Omit<CheckoutFor, 'part' | 'commit'>,
): (part: string, commit: string) => Promise<PreparedCheckout> {
  const kept = new Map<string, Kept>();
  return async (part, commit) => {
    const before = kept.get(part);
    if (before && (await isRestored(before))) return before.prepared;
    kept.delete(part);
    const prepared = await prepareCheckout({ ...options, part, commit });
    if (prepared.problem === null)
      kept.set(part, { prepared, snapshot: await takeSnapshot(prepared.place.top) });
    return prepared;
  };
}

/** Files that a check made unreadable count as changed. */
const isRestored = ({ prepared, snapshot }: Kept): Promise<boolean> =>
  restore(prepared.place.top, snapshot).catch(() => false);
