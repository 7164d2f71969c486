/**
 * Acceptance criteria derived from what a person wrote when requesting changes. Pure. `FB-2.1` is the first item of
 * the second request. The criteria depend only on the text of the feedback, so anyone who has the text can derive
 * them.
 */
import type { Criterion } from '../../../formats/exam/acceptance-criteria.ts';
import type { Feedback } from '../../../formats/requests-and-feedback.ts';
import type { RunState } from '../../../formats/state.ts';

/** Returns all criteria of a run; null if its briefing has none, even if changes were requested. */
export const criteriaOf = ({
  criteria,
  feedback_criteria = [],
}: Pick<RunState, 'criteria' | 'feedback_criteria'>): readonly Criterion[] | null =>
  criteria ? [...criteria.list, ...feedback_criteria] : null;

/** `round` is the number of the request for changes. */
export const feedbackCriteria = (
  round: number,
  { feedback, comments }: Pick<Feedback, 'feedback' | 'comments'>,
): Criterion[] =>
  [feedback, ...comments.map(one => `${commentPlace(one)}: ${one.comment}`)]
    .map(text => text.replace(/\s+/g, ' ').trim())
    .filter(text => text !== '')
    .map((text, at) => ({ id: `FB-${round}.${at + 1}`, kind: 'behaviour', text: cut(text) }));

/** Returns the number of the request that a criterion comes from; null for a criterion of the briefing. */
export const roundOf = ({ id }: Pick<Criterion, 'id'>): number | null => {
  const round = /^FB-(\d+)\./.exec(id)?.[1];
  return round === undefined ? null : Number(round);
};

export const commentPlace = ({ file, line, end_line, side }: Feedback['comments'][number]): string =>
  `${file}:${line}${end_line !== undefined && end_line > line ? `-${end_line}` : ''}${side === 'old' ? ' of the base, which this result deletes' : ''}`;

/** The schema of a criterion rejects longer text. */
const MAX_LENGTH = 600;

const cut = (text: string): string =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
