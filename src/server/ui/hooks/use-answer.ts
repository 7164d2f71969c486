/** Keeps the draft of an answer in the browser, and sends the answer. */
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { amountOf, OTHER, takesAmount } from '../../../core/policy/questions/allowed-answers.ts';
import type { CrpView, VcrBody } from '../../question-and-action-protocol.ts';
import { api } from '../connection/api-client.ts';
import { useWords } from '../preferences.ts';
import { useDraft } from './use-draft.ts';
import { useRequest } from './use-run-request.ts';

const EMPTY = { decision: '', amount: '', rationale: '', notes: '', future: false };
type AnswerDraft = typeof EMPTY;
type MissingField = 'decision' | 'amount' | 'rationale';

/** The id of the input for each field that can be missing. */
const INPUT = { decision: 'option-0', amount: 'amount', rationale: 'rationale' } as const;

export const useAnswerDraft = (id: string, { crp_id }: CrpView['crp']) =>
  useDraft(`crp.${id}.${crp_id}`, EMPTY);

export type Answering = ReturnType<typeof useAnswer>;

export function useAnswer(id: string, crp: CrpView['crp']) {
  const w = useWords();
  const [, go] = useLocation();
  const [draft, write, discard] = useAnswerDraft(id, crp);
  /** The first missing field, after an attempt to send. */
  const [missing, setMissing] = useState<MissingField | null>(null);
  /** Whether the chosen option takes an amount. */
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
    if (firstMissing) document.getElementById(INPUT[firstMissing])?.focus();
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
  return { draft, write, missing, money, send, isPending: answer.isPending, error: answer.error };
}

/**
 * The budget in the draft; null if the text is not an amount. An empty field is omitted, which grants the same
 * amount again.
 */
function grantOf(draft: AnswerDraft, money: boolean): { amount_usd?: number } | null {
  if (!money || draft.amount.trim() === '') return {};
  const amount = amountOf(draft.amount);
  return amount === null ? null : { amount_usd: amount };
}

/** The first missing field. */
function missingField({ decision, rationale }: AnswerDraft, grant: object | null): MissingField | null {
  if (decision === '') return 'decision';
  if (grant === null) return 'amount';
  return decision === OTHER && rationale.trim() === '' ? 'rationale' : null;
}
