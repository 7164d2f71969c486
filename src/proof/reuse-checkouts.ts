/**
 * Shares one prepared checkout between all commands on a commit. Before each command it is restored to the state after
 * the set-up: added files are removed, and if anything else changed, the checkout is created again.
 */
import { unlessDiskFails } from '../formats/file-system/temporary-disk-errors.ts';
import {
  renewSnapshot,
  restore,
  type Snapshot,
  takeSnapshot,
} from '../workspace/fingerprint-and-restore-folder.ts';
import { type CheckoutFor, type PreparedCheckout, prepareCheckout } from './prepare-checkout.ts';

interface CachedCheckout {
  readonly prepared: PreparedCheckout;
  readonly snapshot: Snapshot;
}

export interface SharedCheckouts {
  /** Prepares the commit in the checkout that `part` names. A failed set-up is retried on the next call. */
  prepare(part: string, commit: string, signal: AbortSignal): Promise<PreparedCheckout>;
  /** Treats these files, which were changed and restored on purpose, as unchanged. Paths are absolute. */
  acceptChanges(part: string, paths: readonly string[]): Promise<void>;
}

export function sharedCheckouts(options: Omit<CheckoutFor, 'part' | 'commit' | 'signal'>): SharedCheckouts {
  const cache = new Map<string, CachedCheckout>();
  return {
    async prepare(part, commit, signal) {
      const before = cache.get(part);
      if (before && (await isRestored(before))) return before.prepared;
      cache.delete(part);
      const prepared = await prepareCheckout({ ...options, part, commit, signal });
      if (prepared.problem === null)
        cache.set(part, { prepared, snapshot: takeSnapshot(prepared.place.top) });
      return prepared;
    },
    async acceptChanges(part, paths) {
      const { prepared, snapshot } = cache.get(part)!;
      cache.set(part, { prepared, snapshot: await renewSnapshot(snapshot, paths) });
    },
  };
}

/** Files that a command made unreadable count as changed. */
const isRestored = ({ prepared, snapshot }: CachedCheckout): Promise<boolean> =>
  restore(prepared.place.top, snapshot).catch(unlessDiskFails(false));
