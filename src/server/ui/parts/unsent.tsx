/** What was written about a pack that is no longer the one to decide on, and what was decided meanwhile. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { spelledOut } from '../../../core/policy/markdown-quote.ts';
import { api } from '../api.ts';
import { formatTime } from '../format.ts';
import { useWords } from '../preferences.ts';
import { discardReviewDraft, readReviewDraft, treesWithDrafts } from '../review-draft.ts';
import { linesOf } from './line-comment.tsx';

const ENDS = ['mrp.rejected', 'run.completed', 'run.stopped', 'run.failed'];

/** `tree` is the one to decide on; null if there is none. */
export function Unsent({ id, tree }: { id: string; tree: string | null }) {
  const w = useWords();
  const [trees, setTrees] = useState(() => treesWithDrafts(id));
  const packs = trees.filter(other => other !== tree).map(other => ({ run_id: id, tree: other }));
  if (packs.length === 0) return null;
  const drafts = packs.map(readReviewDraft);
  const text = drafts
    .flatMap(({ feedback, comments }) => [
      ...(feedback ? [feedback] : []),
      ...comments.map(one => `${spelledOut(one.file)}, ${linesOf(w, one)}:\n${one.comment}`),
    ])
    .join('\n\n');
  const discard = () => {
    for (const pack of packs) discardReviewDraft(pack);
    setTrees(treesWithDrafts(id));
  };
  return (
    <section className="note caution stack" aria-label={w.review.unsentTitle}>
      <p>
        <strong>{w.review.unsentTitle}</strong> <LastDecision id={id} />
      </p>
      <pre className="quoted as-is">{text}</pre>
      <div className="row">
        <button type="button" className="small" onClick={() => void navigator.clipboard.writeText(text)}>
          {w.review.copy}
        </button>
        <button type="button" className="plain small" onClick={discard}>
          {w.review.discard}
        </button>
      </div>
    </section>
  );
}

function LastDecision({ id }: { id: string }) {
  const w = useWords();
  const { data } = useQuery({ queryKey: ['events', id], queryFn: () => api.events(id, 0) });
  const last = data?.events.findLast(({ event }) => ENDS.includes(event.type))?.event;
  return last ? `${formatTime(last.at)}: ${w.event(last)}` : null;
}
