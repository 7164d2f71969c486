/** Determines whether a run that waits for the user has a decision that its driver has to process. */
import { namesIn } from '../../../formats/file-system/path-status.ts';
import { unlessDiskFails } from '../../../formats/file-system/temporary-disk-errors.ts';
import type { RunFiles } from '../../../formats/layout.ts';
import type { RunState } from '../../../formats/state.ts';
import { predictDriverTransition } from '../../policy/predict-driver-transition.ts';
import { isWaiting } from '../../policy/state/phase.ts';

/** False if the decisions cannot be read: the command that starts a driver then reports why. */
export async function isDecisionPending(files: RunFiles, s: RunState): Promise<boolean> {
  if (!isWaiting(s) || !(await isAnythingLeft(files, s))) return false;
  // Loaded here because most runs that wait have no pending decision, and their state is read often.
  const [{ readRequests }, { readQuestion }] = await Promise.all([
    import('./read-requests-and-answers.ts'),
    import('./read-recorded-question.ts'),
  ]);
  const decisions = await readRequests(files, s).catch(unlessDiskFails(null));
  const next = decisions && predictDriverTransition(s, decisions);
  if (!next || 'type' in next || next.kind !== 'recommend') return next !== null;
  const question = await readQuestion(files, next.crp).catch(unlessDiskFails(null));
  return question?.recommendation !== undefined;
}

async function isAnythingLeft(files: RunFiles, { setup }: RunState): Promise<boolean> {
  if (setup.take_recommendations) return true;
  const folders = [files.requests, files.vcrs, files.feedback];
  const names = await Promise.all(folders.map(folder => namesIn(folder)));
  return names.some(({ length }) => length > 0);
}
