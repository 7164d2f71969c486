/** Writes a person's answer to the question that a run is waiting for. */
import { asTyped, dureError } from '../../../errors.ts';
import type { Crp, Vcr } from '../../../formats/crp-and-vcr.ts';
import type { RunFiles } from '../../../formats/layout.ts';
import { create } from '../../../formats/read-and-write-files.ts';
import { jsonText } from '../../../formats/schema/strict-json.ts';
import type { RunState } from '../../../formats/state.ts';
import {
  amountOf,
  type GivenAnswer,
  isAnswerTo,
  OTHER,
  optionNamed,
  takesAmount,
  takesTextOnly,
} from '../../policy/questions/allowed-answers.ts';
import { type DecidingRun, type DecisionSource, FROM_TERMINAL, withProof } from './decision-proof.ts';
import { readQuestion } from './read-recorded-question.ts';
import { readAnswers } from './read-requests-and-answers.ts';

type Given = Pick<
  Vcr,
  'decision' | 'rationale' | 'additional_notes' | 'applies_to_future' | 'amount_usd' | 'unattended'
>;
/**
 * The fields of vcr-NNN.json that come from the user. `decision` defaults to `raise` if there is an amount, otherwise
 * to `OTHER`.
 */
export type AnswerRequest = { readonly [K in keyof Given]?: Given[K] | undefined };

/** Returns the question that a run is waiting for. Throws `E_NOT_WAITING` or, for another id, `E_CRP_UNKNOWN`. */
export async function openQuestion(files: RunFiles, state: RunState, crpId?: string): Promise<Crp> {
  if (!state.pending_crp) throw dureError('E_NOT_WAITING', { run: state.run_id, phase: state.phase });
  if (crpId !== undefined && crpId !== state.pending_crp)
    throw dureError('E_CRP_UNKNOWN', { crp: asTyped(crpId), open: state.pending_crp });
  const crp = await readQuestion(files, state.pending_crp);
  if (!crp) throw dureError('E_FILE_MISSING', { file: files.crp(state.pending_crp) });
  return crp;
}

/** Writes the next `vcr-NNN.json`. The first answer to a question is valid; a second one is refused. */
export async function writeAnswer(
  files: RunFiles,
  run: DecidingRun,
  crp: Crp,
  answer: AnswerRequest,
  { through, before }: DecisionSource = FROM_TERMINAL,
): Promise<Vcr> {
  const fields = normalizeAnswer(crp, answer);
  const unanswered = async () => {
    const earlier = await readAnswers(files, run);
    const given = earlier.find(vcr => vcr.crp_id === crp.crp_id && isAnswerTo(crp, vcr));
    if (given) throw dureError('E_ANSWERED', { crp: crp.crp_id, decision: given.decision });
    return earlier.length;
  };
  const first = (await unanswered()) + 1;
  await before?.();
  for (let n = first; ; n += 1) {
    const content: Vcr = {
      vcr_id: `vcr-${String(n).padStart(3, '0')}`,
      crp_id: crp.crp_id,
      created_at: new Date().toISOString(),
      ...fields,
      rationale: answer.rationale?.trim() ?? '',
      ...(answer.additional_notes && { additional_notes: answer.additional_notes }),
      applies_to_future: answer.applies_to_future ?? false,
      ...(answer.unattended && { unattended: true }),
    };
    const vcr = await withProof(files, run, 'answer', content, through);
    if (await create(files.vcr(vcr.vcr_id), jsonText(vcr))) return vcr;
    // Someone else may have answered in the meantime.
    await unanswered();
  }
}

/** Validates and normalizes an answer before anything is written. */
function normalizeAnswer(crp: Crp, { decision, rationale, amount_usd }: AnswerRequest): GivenAnswer {
  if (!decision?.trim() && !rationale?.trim() && amount_usd === undefined)
    throw dureError('E_NO_ANSWER', { crp: crp.crp_id, recommended: crp.recommendation !== undefined });
  const choice = decision?.trim() || (amount_usd === undefined ? OTHER : 'raise');
  const options = crp.options.map(({ id }) => id).join(', ');
  const option = optionNamed(crp, choice);
  if (amount_usd !== undefined && (!takesAmount(crp) || option?.id === 'stop'))
    throw dureError('E_AMOUNT_UNASKED', { crp: crp.crp_id, decision: choice });
  const amount = amount_usd ?? (takesAmount(crp) && !option ? amountOf(choice) : null);
  if (amount !== null) return { decision: 'raise', amount_usd: amount };
  if (option) return { decision: option.id };
  if (choice.toUpperCase() !== OTHER || !rationale?.trim())
    throw dureError('E_OPTION_UNKNOWN', { decision: asTyped(choice), options });
  if (!takesTextOnly(crp)) throw dureError('E_WORDS_ALONE', { crp: crp.crp_id, options });
  return { decision: OTHER };
}
