/** `/run/:id/crp/:crp`: one question, its options, and the answer. */

import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { amountOf, OTHER, takesAmount, takesTextOnly } from '../../../core/policy/allowed-answers.ts';
import type { CrpView, VcrBody } from '../../decision-protocol.ts';
import { api } from '../api-client.ts';
import { formatTime } from '../format.ts';
import { sendsForm } from '../keyboard-shortcuts.ts';
import { Checkbox, Field } from '../parts/form-field.tsx';
import { LastDecision } from '../parts/last-decision.tsx';
import { LastOutput } from '../parts/last-output.tsx';
import { Prose } from '../parts/lazy-markdown.tsx';
import { ErrorState } from '../parts/placeholders.tsx';
import { QueryPage } from '../parts/query-result.tsx';
import { RefusedDecisions } from '../parts/refused-decisions.tsx';
import { RunPageHead } from '../parts/run-page-head.tsx';
import { SubmitButton } from '../parts/submit-button.tsx';
import { UnsentText } from '../parts/unsent-text.tsx';
import { useWords } from '../preferences.ts';
import { useTitle } from '../tab-title.ts';
import { useDraft } from '../use-draft.ts';
import { useRequest, useUnlessSending } from '../use-run-request.ts';

const EMPTY = { decision: '', amount: '', rationale: '', notes: '', future: false };
type MissingField = 'decision' | 'amount' | 'rationale';

export default function Question({ id, crp }: { id: string; crp: string }) {
  const w = useWords();
  useTitle(w.question.title);
  const question = useQuery({
    queryKey: ['run', id, 'crp', crp],
    queryFn: () => api.question(id, crp),
    enabled: useUnlessSending(id),
  });
  return (
    <>
      <RunPageHead id={id} />
      <QueryPage title={w.question.title} of={question}>
        {view => <Shown id={id} view={view} />}
      </QueryPage>
    </>
  );
}

function Shown({ id, view: asked }: { id: string; view: CrpView }) {
  const w = useWords();
  const view = { ...asked, crp: w.question.shown(asked.crp) };
  const { crp, vcr, open } = view;
  return (
    <article className="narrow">
      <p className="about over-title">
        <span>{w.question.of(w.role(crp.created_by))}</span>
        <span>{w.why(crp.type)}</span>
        <span className="mono">{crp.crp_id}</span>
        {crp.created_at && <span>{formatTime(crp.created_at)}</span>}
      </p>
      <h1 className="question">{crp.question}</h1>
      {open && <RefusedDecisions id={id} />}
      {crp.context && (
        <section className="section" aria-labelledby="context">
          <h2 id="context">{w.question.context}</h2>
          <Prose text={crp.context} />
        </section>
      )}
      {open && crp.created_by === 'dure' && <LastOutput id={id} />}
      {open ? <Answer id={id} view={view} /> : <Answered view={view} />}
      {vcr === null && !open && (
        <div className="section note caution">
          <p>{w.question.closed}</p>
          <LastDecision id={id} />
        </div>
      )}
      {!open && <UnsentAnswer id={id} crp={crp} />}
    </article>
  );
}

function Answered({ view: { crp, vcr } }: { view: CrpView }) {
  const w = useWords();
  if (!vcr) return null;
  const chosen = crp.options.find(option => option.id === vcr.decision);
  return (
    <section className="section sheet stack" aria-labelledby="answer">
      <h2 id="answer">{w.question.answered}</h2>
      <p>
        <strong>{chosen?.label ?? (vcr.decision === OTHER ? w.question.other : vcr.decision)}</strong>
      </p>
      {vcr.amount_usd !== undefined && <p>${vcr.amount_usd}</p>}
      {vcr.rationale && <p className="as-is">{vcr.rationale}</p>}
      {vcr.additional_notes && <p className="as-is soft">{vcr.additional_notes}</p>}
      <p className="soft">
        {vcr.vcr_id}, {formatTime(vcr.created_at)}
        {vcr.by && `, ${w.decidedBy(vcr.by)}`}
        {vcr.applies_to_future && `. ${w.question.future}`}
      </p>
    </section>
  );
}

const draftOf = (id: string, { crp_id }: CrpView['crp']) => `crp.${id}.${crp_id}`;

function UnsentAnswer({ id, crp }: { id: string; crp: CrpView['crp'] }) {
  const w = useWords();
  const [draft, , discard] = useDraft(draftOf(id, crp), EMPTY);
  const { rationale, notes } = draft;
  if (rationale.trim() === '' && notes.trim() === '') return null;
  const chosen = crp.options.find(option => option.id === draft.decision)?.label;
  const text = [chosen, draft.amount, rationale, notes].filter(Boolean).join('\n\n');
  return <UnsentText title={w.question.unsentTitle} text={text} discard={discard} />;
}

/**
 * The budget in the draft. An empty field means the same amount again, and is omitted; null means that the
 * text is not an amount.
 */
function grantOf(draft: typeof EMPTY, money: boolean): { amount_usd?: number } | null {
  if (!money || draft.amount.trim() === '') return {};
  const amount = amountOf(draft.amount);
  return amount === null ? null : { amount_usd: amount };
}

/** The first missing field. */
function missingField({ decision, rationale }: typeof EMPTY, grant: object | null): MissingField | null {
  if (decision === '') return 'decision';
  if (grant === null) return 'amount';
  return decision === OTHER && rationale.trim() === '' ? 'rationale' : null;
}

function Answer({ id, view: { crp } }: { id: string; view: CrpView }) {
  const w = useWords();
  const [, go] = useLocation();
  const [draft, write, discard] = useDraft(draftOf(id, crp), EMPTY);
  const [missing, setMissing] = useState<MissingField | null>(null);
  const money = takesAmount(crp) && draft.decision === 'raise';
  const answer = useRequest(
    id,
    (body: VcrBody) => api.answer(id, body),
    () => w.review.sent,
    () => {
      discard();
      go(`/run/${id}`);
    },
  );
  const send = (event: FormEvent) => {
    event.preventDefault();
    const grant = grantOf(draft, money);
    const firstMissing = missingField(draft, grant);
    setMissing(firstMissing);
    if (firstMissing)
      document.getElementById(firstMissing === 'decision' ? 'option-0' : firstMissing)?.focus();
    else if (!answer.isPending)
      answer.mutate({
        crp_id: crp.crp_id,
        decision: draft.decision,
        ...grant,
        rationale: draft.rationale,
        ...(draft.notes.trim() ? { additional_notes: draft.notes } : {}),
        applies_to_future: draft.future,
      });
  };
  const hint = crp.created_by === 'dure' ? w.question.otherOwnHint : w.question.otherHint;
  const other = { id: OTHER, label: w.question.other, description: hint, risk: undefined };
  const choices = [...crp.options, ...(takesTextOnly(crp) ? [other] : [])];
  return (
    <form className="section stack" onSubmit={send} onKeyDown={sendsForm} noValidate>
      <fieldset aria-describedby={missing === 'decision' ? 'decision-missing' : undefined}>
        <legend>
          <h2>{w.question.options}</h2>
        </legend>
        <div className="choices">
          {choices.map((option, index) => (
            <label key={option.id} className="choice">
              <input
                type="radio"
                id={`option-${index}`}
                name="decision"
                value={option.id}
                checked={draft.decision === option.id}
                onChange={() => write({ ...draft, decision: option.id })}
              />
              <span>
                <span className="row choice-label">
                  <strong>{option.label}</strong>
                  {crp.recommendation === option.id && <span className="tag">{w.question.recommended}</span>}
                </span>
                {option.description && <span className="choice-text">{option.description}</span>}
                {option.risk && (
                  <span className="choice-text warn">
                    {w.question.risk}: {option.risk}
                  </span>
                )}
              </span>
            </label>
          ))}
        </div>
        {missing === 'decision' && (
          <p className="bad" id="decision-missing" role="alert">
            {w.question.choose}
          </p>
        )}
      </fieldset>
      {money && (
        <Field
          id="amount"
          label={w.question.amount}
          about={
            missing === 'amount' ? (
              <span className="bad">{w.question.needAmount}</span>
            ) : (
              w.question.amountHint
            )
          }
        >
          <input
            id="amount"
            type="number"
            min={0.01}
            step="any"
            value={draft.amount}
            aria-invalid={missing === 'amount'}
            aria-describedby="amount-about"
            onChange={event => write({ ...draft, amount: event.target.value })}
          />
        </Field>
      )}
      <Field
        id="rationale"
        label={w.question.rationale}
        about={
          missing === 'rationale' ? (
            <span className="bad">{w.question.needRationale}</span>
          ) : (
            w.question.rationaleHint
          )
        }
      >
        <textarea
          id="rationale"
          rows={4}
          value={draft.rationale}
          maxLength={20_000}
          aria-invalid={missing === 'rationale'}
          aria-describedby="rationale-about"
          onChange={event => write({ ...draft, rationale: event.target.value })}
        />
      </Field>
      <details open={draft.notes !== ''}>
        <summary>{w.question.notes}</summary>
        <textarea
          className="notes"
          rows={3}
          aria-label={w.question.notes}
          value={draft.notes}
          maxLength={20_000}
          onChange={event => write({ ...draft, notes: event.target.value })}
        />
      </details>
      <Checkbox
        id="future"
        label={w.question.future}
        about={w.question.futureHint}
        checked={draft.future}
        change={future => write({ ...draft, future })}
      />
      {answer.isError && <ErrorState error={answer.error} />}
      <div className="row">
        <SubmitButton type="submit" className="main" disabled={answer.isPending}>
          {answer.isPending ? w.question.sending : w.question.send}
        </SubmitButton>
      </div>
    </form>
  );
}
