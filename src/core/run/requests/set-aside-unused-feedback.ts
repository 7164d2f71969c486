/**
 * Sets aside feedback that does not apply to the current result: it is about an earlier one, or has no valid
 * proof. Such feedback is renamed and never removed, because a person may have written it.
 */
import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import type { RunFiles } from '../../../formats/layout.ts';
import { readFormat } from '../../../formats/read-and-write-files.ts';
import { feedbackFile } from '../../../formats/requests-and-feedback.ts';
import type { RunState } from '../../../formats/state.ts';
import { proofFault } from './decision-proof.ts';

/** `tree`: the tree of the current result; null if there is none. */
export async function setAsideUnusedFeedback(
  files: RunFiles,
  s: RunState,
  tree: string | null,
): Promise<void> {
  const n = s.feedbacks + 1;
  const file = files.feedbackOf(n);
  const given = await readFormat(feedbackFile, file);
  if (given.is === 'absent') return;
  const applies =
    given.is === 'value' && given.value.tree === tree && proofFault(s, 'feedback', given.value) === null;
  if (!applies) await rename(file, files.unusedFeedback(n, randomUUID().slice(0, 8)));
}
