/** The form that answers an open question. */
import { OTHER, takesTextOnly } from '../../../../core/policy/questions/allowed-answers.ts';
import type { CrpView } from '../../../question-and-action-protocol.ts';
import { type Answering, useAnswer } from '../../hooks/use-answer.ts';
import { sendsForm } from '../../keyboard-shortcuts.ts';
import { useWords } from '../../preferences.ts';
import { SubmitButton } from '../button-needing-connection.tsx';
import { Checkbox, Field } from '../form-fields.tsx';
import { ErrorState } from '../placeholders.tsx';

export function AnswerForm({ id, crp }: { id: string; crp: CrpView['crp'] }) {
  const w = useWords();
  const answering = useAnswer(id, crp);
  const { draft, write, missing, money, isPending, error } = answering;
  return (
    <form className="section stack" onSubmit={answering.send} onKeyDown={sendsForm} noValidate>
      <Choices crp={crp} answering={answering} />
      {money && (
        <Field
          id="amount"
          label={w.question.amount}
          hint={w.question.amountHint}
          error={missing === 'amount' && w.question.needAmount}
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
        hint={w.question.rationaleHint}
        error={missing === 'rationale' && w.question.needRationale}
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
      {error && <ErrorState error={error} />}
      <div className="row">
        <SubmitButton type="submit" className="main" disabled={isPending}>
          {isPending ? w.question.sending : w.question.send}
        </SubmitButton>
      </div>
    </form>
  );
}

/** The options, and one for free text if the question accepts it. */
function Choices({ crp, answering }: { crp: CrpView['crp']; answering: Answering }) {
  const w = useWords();
  const { draft, write, missing } = answering;
  const hint = crp.created_by === 'dure' ? w.question.otherOwnHint : w.question.otherHint;
  const other = { id: OTHER, label: w.question.other, description: hint, risk: undefined };
  const choices = [...crp.options, ...(takesTextOnly(crp) ? [other] : [])];
  return (
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
  );
}
