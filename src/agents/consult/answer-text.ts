/** Formats the user's answer as text for the agent that asked. */
import { crpFile, vcrFile } from '../../formats/crp-and-vcr.ts';
import { runFiles } from '../../formats/layout.ts';
import { load } from '../../formats/read-and-write-files.ts';
import { labelled } from '../prompt/markdown.ts';

/** Null if there is no answer yet. */
export async function answerText(runDir: string, answerFile: string): Promise<string | null> {
  const answer = await load(vcrFile, answerFile);
  if (!answer) return null;
  const question = await load(crpFile, runFiles(runDir).crp(answer.crp_id));
  const taken = question?.options.find(option => option.id === answer.decision);
  return [
    ...labelled({
      Decision: `${answer.decision}${taken ? ` (${taken.label})` : ''}`,
      Rationale: answer.rationale,
      Notes: answer.additional_notes,
    }),
    'This is what the person decided. Follow it and continue with the task.',
  ].join('\n');
}
