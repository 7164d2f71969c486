/** Asks the driver of a run for another iteration. Refuses comments on lines that do not exist. */
import { dureError } from '../../../errors.ts';
import { create } from '../../../formats/read-and-write-files.ts';
import type { Feedback } from '../../../formats/requests-and-feedback.ts';
import { jsonText } from '../../../formats/schema/strict-json.ts';
import { recordedOrOwnRepository } from '../record/open-recorded-repository.ts';
import { checkCommentLines } from './check-comment-lines.ts';
import { type DecisionSource, FROM_TERMINAL, withProof } from './decision-proof.ts';
import type { RunPlace } from './request-rebase.ts';
import { setAsideUnusedFeedback } from './set-aside-unused-feedback.ts';
import { readyPack } from './write-requests.ts';

/**
 * Accepts one request per pack. Throws `E_RUN_OVER`, `E_NOT_READY`, `E_FEEDBACK_EMPTY`, `E_COMMENT_PLACE`,
 * `E_FEEDBACK_GIVEN`.
 */
export async function requestChanges(
  { project, files, state }: RunPlace,
  feedback: string,
  comments: Feedback['comments'] = [],
  { through, before }: DecisionSource = FROM_TERMINAL,
): Promise<void> {
  const { tree } = readyPack(state);
  if (feedback.trim() === '' && comments.length === 0) throw dureError('E_FEEDBACK_EMPTY');
  if (comments.length > 0) {
    const repo = await recordedOrOwnRepository(project, files);
    await checkCommentLines(repo, { base: state.base, tree }, comments);
  }
  const content = { asked_at: new Date().toISOString(), tree, feedback, comments } satisfies Feedback;
  const left = await withProof(files, state, 'feedback', content, through);
  await before?.();
  await setAsideUnusedFeedback(files, state, tree);
  const file = files.feedbackOf(state.feedbacks + 1);
  if (!(await create(file, jsonText(left)))) throw dureError('E_FEEDBACK_GIVEN', { run: state.run_id });
}
