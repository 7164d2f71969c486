/** How an agent asks a person, or that it cannot any more. Pure. */
import { questionsLeft } from '../../core/questions-left.ts';
import { crpFile } from '../../formats/consultation.ts';
import { inRun, STRICT, schemaBlock } from './files.ts';
import { section } from './markdown.ts';
import type { PromptSources } from './sources.ts';

export function asking(from: PromptSources): string {
  const { files, state, step, role, canConsult } = from;
  const left = questionsLeft(step, state);
  if (left === 0)
    return section(
      'You cannot ask any more',
      'No questions are left in this phase. Where these instructions tell you to ask, decide yourself: take the choice that is safest and easiest to undo, and record it with its reason in your log.',
    );
  const count = left === 1 ? 'One question is left' : `${left} questions are left`;
  const advice = `${count} in this phase, and each one interrupts a person: ask only what you may not decide, everything at once, with the options worked out, their risks, and your recommendation.`;
  if (canConsult)
    return section(
      'How to ask the person',
      advice,
      'Call the tool `consult_human`. The answer is its result, perhaps days later; then go on. Do not write files in `crp/` yourself.',
    );
  const id = `crp-${String(state.next_crp).padStart(3, '0')}`;
  return section(
    'How to ask the person',
    advice,
    `Write \`${files.crp(id)}\`, in one go, with \`"crp_id": "${id}"\` and \`"created_by": "${role.name}"\`. Then stop at once, and do not write \`${inRun(files, step.flag)}\`: you are started again with the answer. ${STRICT}`,
    schemaBlock(crpFile),
  );
}
