/** Builds the prompt sections on earlier decisions and failures; null if there is nothing to report. Pure. */

import { commentPlace } from '../../core/policy/criteria/briefing-and-feedback-criteria.ts';
import { titleOfRole } from '../../core/policy/pipeline/look-up-steps.ts';
import type { RunState } from '../../formats/state.ts';
import { labelled, promptSection, quote } from './markdown.ts';
import type { PromptSources } from './prompt-sources-interface.ts';

export const mistakeSection = ({ problem }: RunState): string | null =>
  problem === null
    ? null
    : promptSection(
        'What went wrong last time',
        'You or an earlier agent already ran this step, and it failed. Make sure that this does not happen again. You may keep existing work that is good.',
        quote(problem),
      );

export function verdictSection({ state, step }: PromptSources): string | null {
  if (!state.verdict || step.yields !== 'tree') return null;
  const { verdict, reason, lowered, issues } = state.verdict;
  const lines = [
    ...labelled({ Verdict: verdict, Reason: reason, 'Lowered by Dure': lowered }),
    ...issues.map((issue, i) => `Issue ${i + 1}: ${issue}`),
  ];
  return promptSection(
    state.mode === 'fix' ? 'The issues to fix' : 'The verdict on the current result',
    quote(lines.join('\n')),
  );
}

export function feedbackSection({ feedback }: PromptSources): string | null {
  if (!feedback) return null;
  const comments = feedback.comments.map(one => quote(`${commentPlace(one)}\n${one.comment}`));
  return promptSection(
    'What the person wants changed',
    'The person has reviewed the result and asks for changes. This takes precedence over everything that agents wrote.',
    ...(feedback.feedback.trim() ? [quote(feedback.feedback)] : []),
    ...(comments.length > 0
      ? ['Comments, each with the file in the worktree and the line number at the time of the review:']
      : []),
    ...comments,
  );
}

export const reviewSection = ({ review }: PromptSources): string | null =>
  review &&
  promptSection(
    `The review of the ${titleOfRole(review.by)}`,
    `From \`${review.file}\`:`,
    quote(review.text),
  );

export function answersSection({ answers }: PromptSources): string | null {
  if (answers.length === 0) return null;
  return promptSection(
    'Answers from the person in this run',
    'They are binding. Do not ask the same question again.',
    ...answers.map(({ crp, vcr }) => {
      const option = crp.options.find(({ id }) => id === vcr.decision);
      const lines = labelled({
        [`Question (${crp.crp_id})`]: crp.question,
        Decision: option ? `${option.id}: ${option.label}` : vcr.decision,
        Meaning: option?.description,
        Rationale: vcr.rationale,
        Notes: vcr.additional_notes,
      });
      return quote(lines.join('\n'));
    }),
  );
}

export function decisionsSection({ decisions }: PromptSources): string | null {
  if (decisions.length === 0) return null;
  return promptSection(
    'Standing decisions of this project',
    'People made them in earlier runs, and they still apply. Answers in this run take precedence. If two decisions conflict, the later one applies.',
    ...decisions.map(({ question, decision, rationale, decided_at }) =>
      quote(
        labelled({
          Question: question,
          [`Decision (${decided_at})`]: decision,
          Rationale: rationale,
        }).join('\n'),
      ),
    ),
  );
}
