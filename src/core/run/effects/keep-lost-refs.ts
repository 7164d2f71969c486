/**
 * Finds the user's branches, tags and stash entries that were lost during a run, and keeps their objects in git, so that
 * the user can bring them back. Only agents without a sandbox can change refs, so runs with a sandbox are skipped.
 */
import type { LostRef } from '../../../formats/evidence.ts';
import { unlessDiskFails } from '../../../formats/file-system/temporary-disk-errors.ts';
import type { RunState } from '../../../formats/state.ts';
import { git, revParse } from '../../../workspace/git/run-git.ts';
import { lostRefs, userRefs } from '../../../workspace/git/user-refs.ts';
import { keptRef } from '../../../workspace/seal/keep-unsealed-edits.ts';
import type { RunContext } from '../run-context.ts';
import { savedUserRefs } from './user-file-snapshots.ts';

/**
 * Idempotent. Returns the latest loss of a ref first; nothing if git cannot list the refs now, for example because the
 * object of a stash entry is damaged.
 */
export async function keepLostRefs(context: RunContext, s: RunState): Promise<LostRef[]> {
  const { repo } = context;
  const now = s.setup.sandbox ? null : await userRefs(repo).catch(unlessDiskFails(null));
  if (now === null) return [];
  const lost = await lostRefs(repo, await savedUserRefs(context, s), now);
  for (const { object } of lost)
    if (await revParse(repo, `${object}^{object}`).catch(unlessDiskFails(null)))
      await git(repo, ['update-ref', keptRef(s.run_id, object), object]);
  return lost;
}
