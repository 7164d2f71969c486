/** Keeps a second copy of a run's seals in bundles, and restores lost seals from them. */
import type { RunState } from '../../../formats/state.ts';
import { writeBundle } from '../../../workspace/pack/write-git-bundle.ts';
import { restoreSeals } from '../../../workspace/seal/restore-damaged-seals.ts';
import type { Sealed } from '../../../workspace/seal/seal.ts';
import { sealRef } from '../../../workspace/seal/seal.ts';
import type { RunContext } from '../run-context.ts';

/** Call after the current step has been sealed. Omits the objects of earlier seals, which have their own bundles. */
export async function keepSeal({ repo, files }: RunContext, s: RunState, seal: Sealed): Promise<void> {
  const step = s.step!;
  const earlier = Object.values(s.sealed).map(({ commit }) => commit);
  const without = [s.base, ...earlier].filter(commit => commit !== seal.commit);
  await writeBundle(
    repo,
    sealRef(s.run_id, `${step}.${s.launch}`),
    without,
    files.sealBundle(step, s.launch),
  );
}

/** Restores seals that git has lost; call before using them. Throws `E_SEAL_LOST`. */
export const restoreRunSeals = ({ repo, files }: RunContext, s: RunState): Promise<string[]> =>
  restoreSeals(repo, {
    base: s.base,
    folder: files.sealed,
    seals: { ...s.sealed, ...(s.conflict && { conflict: s.conflict }) },
  });
