/** What was decided and what was wrong before, for whoever comes next. Pure. Null: there is nothing to say. */
import type { RunState } from '../../formats/state.ts';
import { quote, section } from './markdown.ts';
import type { PromptSources } from './sources.ts';

export const mistake = ({ problem }: RunState): string | null =>
  problem === null
    ? null
    : section(
        'What was wrong the last time',
        'You, or an agent before you, were at this very step already, and it did not end well. See to it that this does not happen again. Work that is already there and good may stay.',
        quote(problem),
      );

export function verdict({ state, step }: PromptSources): string | null {
  if (!state.verdict || step.name !== 'build') return null;
  const { verdict, reason, lowered, issues } = state.verdict;
  const said = [
    `Verdict: ${verdict}`,
    `Reason: ${reason}`,
    ...(lowered ? [`Lowered by Dure: ${lowered}`] : []),
    ...issues.map((issue, i) => `Issue ${i + 1}: ${issue}`),
  ];
  return section(
    state.mode === 'fix' ? 'The issues to fix' : 'The verdict on what is there',
    quote(said.join('\n')),
  );
}

export function feedback({ feedback }: PromptSources): string | null {
  if (!feedback) return null;
  const comments = feedback.comments.map(({ file, line, comment }) => quote(`${file}:${line}\n${comment}`));
  return section(
    'What the person wants changed',
    'The person has seen the result and does not take it as it is. This comes before everything that agents wrote.',
    ...(feedback.feedback.trim() ? [quote(feedback.feedback)] : []),
    ...(comments.length > 0
      ? ['Comments, each with the file in the worktree and the line as it was then:']
      : []),
    ...comments,
  );
}

export const review = ({ review, files }: PromptSources): string | null =>
  review === null
    ? null
    : section('The review of the Gatekeeper', `From \`${files.review}\`:`, quote(review));

export function answers({ answers }: PromptSources): string | null {
  if (answers.length === 0) return null;
  return section(
    'Answers of the person in this run',
    'They bind you. Do not ask the same again.',
    ...answers.map(({ crp, vcr }) => {
      const option = crp.options.find(({ id }) => id === vcr.decision);
      const lines = [
        `Question (${crp.crp_id}): ${crp.question}`,
        `Decision: ${option ? `${option.id}: ${option.label}` : vcr.decision}`,
        ...(option?.description ? [`Which means: ${option.description}`] : []),
        ...(vcr.rationale ? [`Rationale: ${vcr.rationale}`] : []),
        ...(vcr.additional_notes ? [`Notes: ${vcr.additional_notes}`] : []),
      ];
      return quote(lines.join('\n'));
    }),
  );
}

export function decisions({ decisions }: PromptSources): string | null {
  if (decisions.length === 0) return null;
  return section(
    'Standing decisions of this project',
    'Made by people in earlier runs, and still in force. An answer in this run goes before them; where two of them disagree, the later one holds.',
    ...decisions.map(({ question, decision, rationale, decided_at }) =>
      quote(
        [
          `Question: ${question}`,
          `Decision (${decided_at}): ${decision}`,
          ...(rationale ? [`Rationale: ${rationale}`] : []),
        ].join('\n'),
      ),
    ),
  );
}
