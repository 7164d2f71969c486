/** The changes that were requested for the previous pack, and what has changed at the lines they refer to. */
import { useMemo } from 'react';
import { Link } from 'wouter';
import { spelledOut } from '../../../../core/text/markdown-quote.ts';
import { hunksAnswering } from '../../diff/hunks-answering-comment.ts';
import type { PatchFile } from '../../diff/parse-patch.ts';
import { formatTime } from '../../format.ts';
import type { ChangesSinceReview } from '../../hooks/use-changes-since-review.ts';
import { useLayout, useWords } from '../../preferences.ts';
import { type Comment, endOf, sideOf } from '../../review-draft.ts';
import { DiffLines } from './diff-lines.tsx';
import { linesLabel } from './line-comment.tsx';

export function SinceReview({ id, since }: { id: string; since: ChangesSinceReview }) {
  const w = useWords();
  const { files, before } = since;
  return (
    <section className="section since" aria-labelledby="since">
      <h2 id="since">{w.review.since(since.pack)}</h2>
      <p className="soft">
        {w.review.asked(formatTime(since.asked_at))} ·{' '}
        <Link href={`/run/${id}/packs/${since.pack}`}>{w.review.pack(since.pack)}</Link> ·{' '}
        {files.length === 0 ? w.review.sinceNothing : w.review.files(files.length)}
      </p>
      {since.rebased && <p className="note caution">{w.review.sinceRebased}</p>}
      {since.feedback.trim() !== '' && <blockquote className="quoted">{since.feedback}</blockquote>}
      <ul className="stack">
        {since.comments.map(comment => (
          <Answered
            key={`${comment.file} ${sideOf(comment)} ${endOf(comment)}`}
            {...{ comment, files, before }}
          />
        ))}
      </ul>
    </section>
  );
}

function Answered({
  comment,
  files,
  before,
}: {
  comment: Comment;
  files: readonly PatchFile[];
  before: readonly PatchFile[];
}) {
  const w = useWords();
  const layout = useLayout();
  const answer = useMemo(() => hunksAnswering(comment, files, before), [comment, files, before]);
  return (
    <li className="file">
      <div className="file-note">
        <p className="soft small">
          <span className="mono">{spelledOut(comment.file)}</span>, {linesLabel(w, comment)}
        </p>
        <p className="as-is">{comment.comment}</p>
        {!answer && <p className="warn">{w.review.unanswered}</p>}
      </div>
      {answer && (
        <div className="diff-scroll answer">
          <DiffLines file={answer} layout={layout} commenting={null} marks={undefined} show={null} />
        </div>
      )}
    </li>
  );
}
