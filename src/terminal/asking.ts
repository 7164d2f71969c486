/** Puts a question to the person at the keyboard and leaves the answer for the one who drives the run. */
import { amountOf, OTHER, takesAmount, takesWordsAlone } from '../core/answer.ts';
import { type Answer, type Before, leaveAnswer } from '../core/wishes.ts';
import { DureError } from '../errors.ts';
import type { Crp, Vcr } from '../formats/consultation.ts';
import type { RunFiles } from '../formats/layout.ts';
import { words } from '../words/cli/words.ts';
import { ask, confirm } from './ask.ts';
import { paint } from './paint.ts';
import { optionOf, questionView } from './question-view.ts';
import { columns } from './text.ts';

/** The answer as it was left, or null when the person gave none, or `signal` withdrew the question. */
export async function askPerson(
  files: RunFiles,
  crp: Crp,
  signal?: AbortSignal,
  before?: Before,
): Promise<Vcr | null> {
  process.stdout.write(`\n${questionView(crp, columns())}\n`);
  const answer = await choose(crp, signal);
  if (!answer || signal?.aborted) return null;
  try {
    const vcr = await leaveAnswer(files, crp, answer, before);
    process.stdout.write(`${paint('green', '✔')} ${crp.crp_id}: ${vcr.decision}\n\n`);
    return vcr;
  } catch (error) {
    if (!(error instanceof DureError && error.code === 'E_ANSWERED')) throw error;
    process.stdout.write(`${words().error(error).message}\n\n`);
    return null;
  }
}

async function choose(crp: Crp, signal?: AbortSignal): Promise<Answer | null> {
  const say = words().question;
  const takes = {
    recommendation: crp.recommendation !== undefined,
    words: takesWordsAlone(crp),
    amount: takesAmount(crp),
  };
  for (;;) {
    const typed = await ask(say.choice(crp.options.length, takes), signal);
    if (typed === null) return null;
    // A bare number is that of an option: 2 must not be taken for $2, nor the other way around.
    const amount = takes.amount && !/^\d/.test(typed) ? amountOf(typed) : null;
    if (amount !== null) return { amount_usd: amount };
    if (takes.words && /^o(ther)?$/i.test(typed) && optionOf(crp, typed) === null) {
      const rationale = await ask(say.ownWords, signal);
      if (rationale === null) return null;
      if (rationale !== '') return { decision: OTHER, rationale, appliesToFuture: await remember(signal) };
      continue;
    }
    const decision = optionOf(crp, typed);
    if (decision === null) continue;
    const rationale = await ask(say.why, signal);
    if (rationale === null) return null;
    return { decision, rationale, appliesToFuture: crp.created_by !== 'dure' && (await remember(signal)) };
  }
}

const remember = (signal?: AbortSignal) => confirm(words().question.remember, signal);
