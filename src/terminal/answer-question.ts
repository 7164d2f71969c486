/** Asks a question in the terminal and writes the answer for the driver. */
import {
  amountOf,
  OTHER,
  optionWithId,
  takesAmount,
  takesTextOnly,
} from '../core/policy/questions/allowed-answers.ts';
import { type DecidingRun, FROM_TERMINAL } from '../core/run/requests/decision-proof.ts';
import { type AnswerRequest, writeAnswer } from '../core/run/requests/write-answer.ts';
import { DureError } from '../errors.ts';
import type { Crp, Vcr } from '../formats/crp-and-vcr.ts';
import type { RunFiles } from '../formats/layout.ts';
import { words } from '../words/cli/load-language.ts';
import { paint } from './paint.ts';
import { ask, confirm } from './prompt-for-input.ts';
import { columns } from './text-layout.ts';
import { questionView } from './views/question-view.ts';

/**
 * Returns the answer that was written. Returns null if the user gave none, `signal` withdrew the question, or another
 * answer was written first.
 */
export async function answerQuestion(
  files: RunFiles,
  run: DecidingRun,
  crp: Crp,
  signal?: AbortSignal,
  way = FROM_TERMINAL,
): Promise<Vcr | null> {
  process.stdout.write(`\n${questionView(crp, columns())}\n`);
  const answer = await askForAnswer(crp, signal);
  if (!answer || signal?.aborted) return null;
  try {
    const vcr = await writeAnswer(files, run, crp, answer, way);
    process.stdout.write(`${paint('green', '✔')} ${crp.crp_id}: ${vcr.decision}\n\n`);
    return vcr;
  } catch (error) {
    if (!(error instanceof DureError && error.code === 'E_ANSWERED')) throw error;
    process.stdout.write(`${words().error(error).message}\n\n`);
    return null;
  }
}

async function askForAnswer(crp: Crp, signal?: AbortSignal): Promise<AnswerRequest | null> {
  const texts = words().question;
  const takes = {
    recommendation: crp.recommendation !== undefined,
    words: takesTextOnly(crp),
    amount: takesAmount(crp),
  };
  for (;;) {
    const typed = await ask(texts.choice(crp.options.length, takes), signal);
    if (typed === null) return null;
    // A bare number always means an option: 2 never means $2.
    const amount = takes.amount && !/^\d/.test(typed) ? amountOf(typed) : null;
    if (amount !== null) return { amount_usd: amount };
    if (takes.words && /^o(ther)?$/i.test(typed) && optionOf(crp, typed) === null) {
      const rationale = await ask(texts.ownWords, signal);
      if (rationale === null) return null;
      if (rationale !== '') return { decision: OTHER, rationale, applies_to_future: await remember(signal) };
      continue;
    }
    const decision = optionOf(crp, typed);
    if (decision === null) continue;
    const rationale = await ask(texts.why, signal);
    if (rationale === null) return null;
    return { decision, rationale, applies_to_future: crp.created_by !== 'dure' && (await remember(signal)) };
  }
}

const remember = (signal?: AbortSignal) => confirm(words().question.remember, signal);

/**
 * Returns the id of the option with this id or number, or of the recommended one for empty input; null if there is no
 * such option.
 */
function optionOf(crp: Crp, typed: string): string | null {
  if (typed === '') return crp.recommendation ?? null;
  const byNumber = /^\d+$/.test(typed) ? crp.options[Number(typed) - 1] : undefined;
  return (optionWithId(crp, typed) ?? byNumber)?.id ?? null;
}
