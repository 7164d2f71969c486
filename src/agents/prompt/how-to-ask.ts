/** Tells an agent how to ask the user, or that it may no longer ask. This module is pure. */
import { questionsLeft } from '../../core/policy/questions/questions-left.ts';
import { crpFile } from '../../formats/crp-and-vcr.ts';
import { inRun, STRICT, schemaBlock } from './input-output-sections.ts';
import { promptSection } from './markdown.ts';
import type { PromptSources } from './prompt-sources-interface.ts';

export function questionsSection(from: PromptSources): string {
  const { files, state, step, role, canConsult } = from;
  const left = questionsLeft(step, state);
  if (left === 0)
    return promptSection(
      'You can no longer ask',
      'No questions are left in this phase. Where these instructions tell you to ask, decide yourself: choose what is safest and easiest to undo, and record the choice and its reason in your log.',
    );
  const count = left === 1 ? 'One question is left' : `${left} questions are left`;
  const advice = `${count} in this phase, and each one interrupts a person: ask only what you may not decide, all at once, with the options, their risks, and your recommendation.`;
  if (canConsult)
    return promptSection(
      'How to ask the person',
      advice,
      'Call the tool `consult_human`. Its result is the answer, possibly days later; then continue. Do not write files in `crp/` yourself.',
    );
  const id = `crp-${String(state.next_crp).padStart(3, '0')}`;
  return promptSection(
    'How to ask the person',
    advice,
    `Write \`${files.crp(id)}\` in a single write, with \`"crp_id": "${id}"\` and \`"created_by": "${role.name}"\`. Then stop immediately, and do not write \`${inRun(files, step.flag)}\`: you will be started again with the answer. ${STRICT}`,
    schemaBlock(crpFile),
  );
}
