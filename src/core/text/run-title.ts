/** The title of a run in lists and packs: the first line of its briefing that contains a letter or a digit. */
import { plainText } from '../../formats/text/plain-text.ts';

export const titleOf = (briefing: string): string => {
  const line = /.*(?:\w|[^\x00-\x7f]).*/.exec(briefing)?.[0] ?? '';
  const bare = plainText(line)
    .replace(/^#+\s*/, '')
    .trim();
  return bare.length > 160 ? `${bare.slice(0, 159)}…` : bare;
};
