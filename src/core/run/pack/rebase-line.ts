/** Renders the line of a pack about the last rebase: a reviewer needs to know which result the verdict is about. */
import type { RunEvent } from '../../../formats/events/events.ts';
import { quotedName } from '../../text/markdown-quote.ts';

export function rebaseLine(events: readonly RunEvent[]): string[] {
  const last = events.findLast(e => e.type === 'run.rebased');
  if (!last) return [];
  const isJudged = events.slice(events.indexOf(last)).some(e => e.type === 'verdict.given');
  const how = [
    `Rebased onto ${quotedName(last.onto)}, from \`${last.from}\``,
    last.conflicts.length > 0
      ? `conflicts in ${last.conflicts.map(({ path }) => quotedName(path)).join(', ')}`
      : null,
    isJudged ? 'judged again' : 'the changes are the same, so the earlier verdict still applies',
  ];
  return [`- ${how.filter(Boolean).join('; ')}`];
}
