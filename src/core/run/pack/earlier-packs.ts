/** Keeps rejected packs (those for which a person requested changes) next to their feedback, and reads them. */
import { rename } from 'node:fs/promises';
import { dureError } from '../../../errors.ts';
import { evidenceFile, PACK_LIMIT } from '../../../formats/evidence.ts';
import { exists } from '../../../formats/file-system/path-status.ts';
import { packFiles, type RunFiles, runIdOf } from '../../../formats/layout.ts';
import { load, readValue } from '../../../formats/read-and-write-files.ts';
import { type Feedback, feedbackFile } from '../../../formats/requests-and-feedback.ts';
import type { RunState } from '../../../formats/state.ts';
import { fold } from '../../policy/evolve.ts';
import { readEvents } from '../run-store.ts';

/** Moves aside the rejected pack, which the last feedback is about, to make room for the next one. Idempotent. */
export async function keepRejectedPack(
  files: RunFiles,
  { feedbacks }: Pick<RunState, 'feedbacks'>,
): Promise<void> {
  const kept = files.packOf(feedbacks);
  if (feedbacks === 0 || (await exists(kept))) return;
  const feedback = await readValue(feedbackFile, files.feedbackOf(feedbacks));
  const evidence = await readValue(evidenceFile, files.evidence, PACK_LIMIT);
  if (feedback && evidence && feedback.tree === evidence.tree) await rename(files.mrp, kept);
}

export interface EarlierPack {
  /** The run's files, with the paths of this pack in place of the current pack's. */
  readonly files: RunFiles;
  /** The state when the changes were requested. */
  readonly state: RunState & { readonly mrp: NonNullable<RunState['mrp']> };
  readonly feedback: Feedback;
}

/** Returns the pack to which feedback `number` applies. Throws `E_PACK_UNKNOWN`. */
export async function earlierPack(files: RunFiles, number: number): Promise<EarlierPack> {
  const events = await readEvents(files);
  const end = events.findIndex(event => event.type === 'mrp.rejected' && event.feedback === number);
  const state = end < 0 ? null : fold(events.slice(0, end + 1));
  const feedback = await load(feedbackFile, files.feedbackOf(number));
  const isNewest = !events.slice(end + 1).some(event => event.type === 'mrp.created');
  const kept = files.packOf(number);
  const mrp = (await exists(kept)) ? kept : isNewest ? files.mrp : null;
  if (!state?.mrp || !feedback || !mrp)
    throw dureError('E_PACK_UNKNOWN', { run: runIdOf(files), pack: number });
  return { files: { ...files, ...packFiles(mrp) }, state: { ...state, mrp: state.mrp }, feedback };
}
