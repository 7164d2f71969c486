/** The user's answer, as text for the agent that asked. */
import { crpFile, type Vcr, vcrFile } from '../../formats/crp-and-vcr.ts';
import { runFiles } from '../../formats/layout.ts';
import { load } from '../../formats/read-and-write-files.ts';

/** Null if there is no answer yet. */
export async function answerText(runDir: string, answerFile: string): Promise<string | null> {
  const answer = await load(vcrFile, answerFile);
  if (!answer) return null;
  const question = await load(crpFile, runFiles(runDir).crp(answer.crp_id));
  const taken = question?.options.find(option => option.id === answer.decision);
  return sayAnswer(answer, taken?.label ?? null);
}

const sayAnswer = (answer: Vcr, label: string | null): string =>
  [
    `Decision: ${answer.decision}${label ? ` (${label})` : ''}`,
    ...(answer.rationale ? [`Rationale: ${answer.rationale}`] : []),
    ...(answer.additional_notes ? [`Notes: ${answer.additional_notes}`] : []),
    'This is what the person decided. Follow it and continue with the task.',
  ].join('\n');
