/** The questions that Dure itself asks, and what each answer leads to. */
import type { Crp } from '../formats/consultation.ts';
import type { AnswerEffect, AskReason } from '../formats/events.ts';
import type { RunState } from '../formats/state.ts';
import { currentStep } from './pipeline.ts';

interface Option {
  readonly id: string;
  readonly label: string;
  readonly effect: AnswerEffect;
  readonly risk?: string;
}

const stop: Option = { id: 'stop', label: 'Stop the run', effect: 'stop' };
const again: Option = {
  id: 'again',
  label: 'One more iteration',
  effect: 'again',
  risk: 'Costs another build',
};
const accept: Option = {
  id: 'accept',
  label: 'Accept the result as it is',
  effect: 'accept',
  risk: 'The pack will say that it did not pass',
};
const retry: Option = { id: 'retry', label: 'Start it again', effect: 'retry' };

const OPTIONS: Record<AskReason, { options: readonly Option[]; recommendation?: string }> = {
  failure: { options: [retry, stop] },
  timeout: { options: [retry, stop] },
  exhausted: { options: [again, accept, stop] },
  verdict: { options: [again, accept, stop] },
  budget: {
    options: [
      { id: 'raise', label: 'Grant the same budget once more', effect: 'raise', risk: 'Costs money' },
      stop,
    ],
  },
  pack: { options: [{ id: 'retry', label: 'Make it again', effect: 'pack' }, stop] },
};

const TITLE: Record<AskReason, (s: RunState) => string> = {
  failure: s => `${whoNow(s)} failed and Dure does not go on by itself. What now?`,
  timeout: s => `${whoNow(s)} took longer than it may. What now?`,
  exhausted: s =>
    `${s.iteration === 1 ? 'The one iteration' : `All ${s.iteration} iterations`} did not pass. What now?`,
  verdict: () => 'The Gatekeeper wants a person to decide. What now?',
  budget: s => `The budget of $${s.budget_usd?.toFixed(2)} is used up. What now?`,
  pack: () => 'The merge-readiness pack could not be made. What now?',
};

const OWN = { setup: 'Preparing the worktree', proof: 'Running the tests' };
function whoNow(s: RunState): string {
  const step = currentStep(s);
  return step.kind === 'agent' ? `The ${step.role}` : OWN[step.kind];
}

const isAskReason = (why: string): why is AskReason => why in OPTIONS;

export function questionOf(s: RunState, id: string, why: AskReason, message: string, at: string): Crp {
  const { options, recommendation } = OPTIONS[why];
  return {
    crp_id: id,
    created_at: at,
    created_by: 'dure',
    type: why,
    question: TITLE[why](s),
    context: message,
    options: options.map(({ id, label, risk }) => ({ id, label, ...(risk && { risk }) })),
    ...(recommendation && { recommendation }),
    status: 'pending',
  };
}

/**
 * What a decision means. An answer in the person's own words goes on with those words as guidance, but never grants
 * money: that takes the option that says so.
 */
export function effectOf(why: string, decision: string): AnswerEffect {
  if (!isAskReason(why)) return 'resume';
  const { options } = OPTIONS[why];
  const wanted = decision.trim().toLowerCase();
  const chosen = options.find(option => option.id === wanted);
  return (chosen ?? (why === 'budget' ? stop : options[0]!)).effect;
}
