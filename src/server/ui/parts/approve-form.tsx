/** The decision on a pack: request changes or approve. It applies only to the tree shown on the page. */
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import type { ApproveBody, MrpView, RejectBody } from '../../protocol.ts';
import { api } from '../api.ts';
import { short } from '../format.ts';
import { sendsForm } from '../keys.ts';
import { useWords } from '../preferences.ts';
import { useRequest } from '../use-request.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Field } from './form-field.tsx';
import type { Comment } from './line-comment.tsx';
import { ErrorState } from './placeholders.tsx';
import { SendButton } from './send-button.tsx';

const HOWS = ['merge', 'branch', 'pr'] as const;

export interface ReviewDraft {
  readonly feedback: string;
  readonly comments: readonly Comment[];
}

interface Deciding {
  id: string;
  pack: MrpView;
  draft: ReviewDraft;
  write: (draft: ReviewDraft) => void;
  discard: () => void;
}

export function ApproveForm({ id, pack, draft, write, discard }: Deciding) {
  const w = useWords();
  const [, go] = useLocation();
  const [how, setHow] = useState<(typeof HOWS)[number]>('merge');
  const tests = pack.evidence?.laid_in ?? [];
  const [withTests, setWithTests] = useState(pack.land_tests === 'always');
  const [sure, setSure] = useState(false);
  const [missing, setMissing] = useState(false);
  const done = () => {
    discard();
    go(`/run/${id}`);
  };
  const approve = useRequest(
    (body: ApproveBody) => api.approve(id, body),
    () => w.review.approved,
    done,
  );
  const reject = useRequest(
    (body: RejectBody) => api.reject(id, body),
    () => w.review.sent,
    done,
  );
  const busy = approve.isPending || reject.isPending;
  const send = (event: FormEvent) => {
    event.preventDefault();
    const lacks = draft.feedback.trim() === '' && draft.comments.length === 0;
    setMissing(lacks);
    if (lacks) document.getElementById('feedback')?.focus();
    else if (!busy)
      reject.mutate({ tree: pack.tree, feedback: draft.feedback.trim(), comments: [...draft.comments] });
  };
  return (
    <section className="section sheet decide" aria-labelledby="decide">
      <h2 id="decide">{w.question.options}</h2>
      <form className="stack" onSubmit={send} onKeyDown={sendsForm} noValidate>
        <Field
          id="feedback"
          label={w.review.feedback}
          about={missing ? <span className="bad">{w.review.needFeedback}</span> : w.review.feedbackHint}
        >
          <textarea
            id="feedback"
            rows={3}
            maxLength={50_000}
            value={draft.feedback}
            aria-invalid={missing}
            aria-describedby="feedback-about"
            onChange={event => write({ ...draft, feedback: event.target.value })}
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
        {(approve.error ?? reject.error) && <ErrorState error={approve.error ?? reject.error} />}
        <div className="decide-row">
          <SendButton type="submit" disabled={busy}>
            {w.review.reject}
            {draft.comments.length > 0 && (
              <span className="soft">{w.review.comments(draft.comments.length)}</span>
            )}
          </SendButton>
          <span className="row">
            <label className="row">
              <span className="soft">{w.review.how}</span>
              <select value={how} onChange={event => setHow(event.target.value as (typeof HOWS)[number])}>
                {HOWS.map(one => (
                  <option key={one} value={one}>
                    {w.review.hows[one]}
                  </option>
                ))}
              </select>
            </label>
            {tests.length > 0 && (
              <label className="row">
                <input
                  type="checkbox"
                  checked={withTests}
                  onChange={event => setWithTests(event.target.checked)}
                />
                <span className="soft">{w.review.withTests(tests.length)}</span>
              </label>
            )}
            <SendButton className="main" disabled={busy} onClick={() => setSure(true)}>
              {w.review.approve}
            </SendButton>
          </span>
        </div>
        <p className="soft">{w.review.binds(short(pack.tree))}</p>
      </form>
      {sure && (
        <ConfirmDialog
          title={w.review.sure}
          yes={w.review.approve}
          then={() =>
            approve.mutate({ tree: pack.tree, how, tests: withTests && tests.length > 0 ? 'land' : 'leave' })
          }
          close={() => setSure(false)}
        >
          <p>
            {w.review.binds(short(pack.tree))} {w.review.how}: {w.review.hows[how]}.
          </p>
          {draft.comments.length > 0 && <p className="warn">{w.review.unsent(draft.comments.length)}</p>}
        </ConfirmDialog>
      )}
    </section>
  );
}
