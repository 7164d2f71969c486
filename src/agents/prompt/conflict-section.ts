/** Builds the prompt section for an iteration that resolves conflicts with a newer base. This module is pure. */
import { quotedName } from '../../core/text/markdown-quote.ts';
import type { ConflictedFile } from '../../formats/state.ts';
import { bulletList, promptSection, quote } from './markdown.ts';
import type { PromptSources } from './prompt-sources-interface.ts';

const HOW: Record<ConflictedFile['how'], string> = {
  'both-changed': 'changed in the base and in the result',
  'both-added': 'added in the base and in the result',
  'deleted-in-base': 'deleted in the base, changed in the result',
  'deleted-in-result': 'changed in the base, deleted in the result',
  moved: 'moved differently in the base and in the result',
};

export function conflictSection({ conflicts, state }: PromptSources): string | null {
  if (conflicts.length === 0) return null;
  const marked = conflicts.flatMap(({ path, text }) => {
    const parts = markedParts(text ?? '');
    return parts === '' ? [] : [`In ${quotedName(path)}:`, quote(parts)];
  });
  return promptSection(
    'The base has changed',
    `The result of this run was complete. Since then, its target branch has changed. The worktree contains the new base (\`${state.base}\`) merged with the result: \`git diff\` shows all changes of the result. These files conflict:`,
    bulletList(conflicts.map(({ path, how }) => `${quotedName(path)}: ${HOW[how]}`)),
    'Resolve the conflicts so that the result still does what was asked, and nothing that the new base does is lost. In a marked part, the lines after `<<<<<<< HEAD` are from the new base, those after `|||||||` are from the old base, and those after `=======` are from the result. Leave no conflict marker: Dure checks this. Change other files only if the new base makes it necessary. Dependencies may have changed with the base.',
    ...marked,
  );
}

/** Lines shown before and after each marked part. */
const AROUND = 3;
const MAX_LINES = 400;

/** Returns the parts of a file that contain conflict markers, with line numbers; empty if there are none. */
function markedParts(text: string): string {
  const lines = text.split('\n');
  const shown = new Set<number>();
  let start = -1;
  lines.forEach((line, i) => {
    if (line.startsWith('<<<<<<< ')) start = i;
    if (!line.startsWith('>>>>>>> ') || start < 0) return;
    for (let n = Math.max(0, start - AROUND); n <= Math.min(lines.length - 1, i + AROUND); n += 1)
      shown.add(n);
    start = -1;
  });
  const numbered = [...shown].slice(0, MAX_LINES).map(n => `${n + 1}: ${lines[n]}`);
  return [...numbered, ...(shown.size > MAX_LINES ? ['[… more in the file]'] : [])].join('\n');
}
