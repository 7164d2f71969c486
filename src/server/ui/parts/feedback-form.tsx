/** The requested changes, together with the line comments. The decision bar or Ctrl+Enter sends them. */
import type { KeyboardEvent } from 'react';
import { useWords } from '../preferences.ts';
import { FEEDBACK, type ReviewDecision, type ReviewDraft } from '../use-decision.ts';
import { Field } from './form-field.tsx';
import { ErrorState } from './placeholders.tsx';

export function FeedbackForm({
  draft,
  write,
  decision,
}: {
  draft: ReviewDraft;
  write: (draft: ReviewDraft) => void;
  decision: ReviewDecision;
}) {
  const w = useWords();
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
        about={
          decision.isEmpty ? <span className="bad">{w.review.needFeedback}</span> : w.review.feedbackHint
        }
      >
        <textarea
          id={FEEDBACK}
          rows={3}
          maxLength={50_000}
          value={draft.feedback}
          aria-invalid={decision.isEmpty}
          aria-describedby={`${FEEDBACK}-about`}
          onChange={event => write({ ...draft, feedback: event.target.value })}
          onKeyDown={sends}
        />
      </Field>
      {draft.comments.length > 0 && (
        <ul className="dotted">
          {draft.comments.map(comment => (
            <li key={`${comment.file}:${comment.line}`}>
              <code>
                {comment.file}:{comment.line}
              </code>{' '}
              {comment.comment}
            </li>
          ))}
        </ul>
      )}
      {decision.error !== null && decision.error !== undefined && <ErrorState error={decision.error} />}
    </div>
  );
}
