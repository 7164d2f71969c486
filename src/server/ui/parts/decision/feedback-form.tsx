/** The form that requests changes, together with the line comments. The decision bar or Ctrl+Enter sends them. */
import type { KeyboardEvent } from 'react';
import { spelledOut } from '../../../../core/text/markdown-quote.ts';
import type { MrpView } from '../../../pack-protocol.ts';
import { FEEDBACK, type ReviewDecision } from '../../hooks/use-decision.ts';
import { useWords } from '../../preferences.ts';
import { type Comment, endOf, sideOf, useFeedback } from '../../review-draft.ts';
import { linesLabel } from '../diff/line-comment.tsx';
import { Field } from '../form-fields.tsx';

export function FeedbackForm({
  pack,
  comments,
  decision,
}: {
  pack: MrpView;
  comments: readonly Comment[];
  decision: ReviewDecision;
}) {
  const w = useWords();
  const [feedback, write] = useFeedback(pack);
  const sends = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    decision.requestChanges();
  };
  return (
    <div className="section sheet stack">
      <Field
        id={FEEDBACK}
        label={w.review.feedback}
        hint={w.review.feedbackHint}
        error={decision.isEmpty && w.review.needFeedback}
      >
        <textarea
          id={FEEDBACK}
          rows={3}
          maxLength={50_000}
          value={feedback}
          aria-invalid={decision.isEmpty}
          aria-describedby={`${FEEDBACK}-about`}
          onChange={event => write(event.target.value)}
          onKeyDown={sends}
        />
      </Field>
      {comments.length > 0 && (
        <ul className="dotted">
          {comments.map(comment => (
            <li key={`${comment.file} ${sideOf(comment)} ${endOf(comment)}`}>
              <code>{spelledOut(comment.file)}</code> {linesLabel(w, comment)}: {comment.comment}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
