/** Text that can no longer be sent, because someone else decided first. */
import { type ReactNode, useState } from 'react';
import { spelledOut } from '../../../../core/text/markdown-quote.ts';
import { useWords } from '../../preferences.ts';
import { discardReviewDraft, readReviewDraft, treesWithDrafts } from '../../review-draft.ts';
import { linesLabel } from '../diff/line-comment.tsx';
import { LastDecision } from './last-decision.tsx';

export function UnsentText({
  title,
  text,
  discard,
  children,
}: {
  title: string;
  text: string;
  discard: () => void;
  children?: ReactNode;
}) {
  const w = useWords();
  return (
    <section className="note caution stack" aria-label={title}>
      <p>
        <strong>{title}</strong>
      </p>
      {children}
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

/**
 * Shows the unsent review of every pack except the open one (`tree`), and the last decision. If no pack is open (`tree`
 * is null), shows the last decision even if there is no unsent review.
 */
export function UnsentReview({ id, tree }: { id: string; tree: string | null }) {
  const w = useWords();
  const [trees, setTrees] = useState(() => treesWithDrafts(id));
  const packs = trees.filter(other => other !== tree).map(other => ({ run_id: id, tree: other }));
  if (packs.length === 0) return tree === null && <LastDecision id={id} className="note" />;
  const text = packs
    .map(readReviewDraft)
    .flatMap(({ feedback, comments }) => [
      ...(feedback ? [feedback] : []),
      ...comments.map(one => `${spelledOut(one.file)}, ${linesLabel(w, one)}:\n${one.comment}`),
    ])
    .join('\n\n');
  const discard = () => {
    for (const pack of packs) discardReviewDraft(pack);
    setTrees(treesWithDrafts(id));
  };
  return (
    <UnsentText title={w.review.unsentTitle} text={text} discard={discard}>
      <LastDecision id={id} />
    </UnsentText>
  );
}
