/**
 * The questions that Dure itself asks, and the effect of each answer. All of them follow one rule: a text answer
 * selects the recommended option and is passed to the agent that this option starts. A question about money has no
 * recommendation: it needs an option or an amount.
 */

import type { Crp, Vcr } from '../../../formats/crp-and-vcr.ts';
import type { AnswerEffect, AskReason } from '../../../formats/question-reasons-and-effects.ts';
import type { RunState } from '../../../formats/state.ts';
import { isCostComplete, spentUsd } from '../../usage-tracker.ts';
import { NOTHING_CHANGED } from '../normalize-failure.ts';
import {
  currentStep,
  firstTreeStep,
  isAgentStep,
  stepThatYields,
  titleOfRole,
} from '../pipeline/look-up-steps.ts';
import { sealedResult } from '../state/sealed-trees.ts';
import { repairedBy } from '../verdict/evidence-against-result.ts';
import { amountOf } from './allowed-answers.ts';

interface Option {
  readonly id: string;
  readonly label: string;
  readonly effect: AnswerEffect;
  readonly description?: string;
  readonly risk?: string;
  /** Whether the option is available now. Default: always. */
  readonly isAvailable?: (s: RunState) => boolean;
}

const isBuilt = (s: RunState): boolean => sealedResult(s) !== null;
/** Whether the building step found nothing to change in a result that did not pass. */
const hasNothingToBuild = (s: RunState): boolean =>
  isBuilt(s) && s.problem?.startsWith(NOTHING_CHANGED) === true;
const isAt = (s: RunState, name: string): boolean => currentStep(s).name === name;

const stop: Option = { id: 'stop', label: 'Stop the run', effect: 'stop' };
const retry: Option = { id: 'retry', label: 'Restart it', effect: 'retry' };
const tests: Option = {
  id: 'tests',
  label: 'New tests from the {tests}',
  effect: 'tests',
  description: 'The code stays as it is. The {tests} gets your comments.',
  isAvailable: s => isBuilt(s) && !isAt(s, stepThatYields(s.setup, 'tests')?.name ?? currentStep(s).name),
};
const again: Option = {
  id: 'again',
  label: 'One more iteration',
  effect: 'again',
  description: 'The {tree} starts again and gets your comments.',
  risk: 'Costs another build',
};
const rebuild: Option = {
  ...again,
  id: 'rebuild',
  label: 'Build again',
  isAvailable: s => isBuilt(s) && !isAt(s, firstTreeStep(s.setup).name),
};
const setup: Option = {
  id: 'setup',
  label: 'Change the set-up and try again',
  effect: 'setup',
  description:
    'First change the setting: `dure config set workspace.setup "npm ci"`, or edit workspace.setup in .dure/config/global.json. Then choose this: the run uses the new value.',
};
/** Not offered if the tests passed, because that shows that the set-up works. */
const setupOfTests: Option = { ...setup, isAvailable: s => s.tests?.machine !== 'pass' };
const accept: Option = {
  id: 'accept',
  label: 'Accept the result as it is',
  effect: 'accept',
  risk: 'Recorded as accepted without a PASS verdict, also in the pack',
  isAvailable: isBuilt,
};
const raise: Option = {
  id: 'raise',
  label: 'Grant the same budget again',
  effect: 'raise',
  description: 'Or give an amount, such as 20, to grant $20 more (`dure answer --decision 20`).',
  risk: 'Costs money',
};

const more: Option = {
  id: 'raise-limit',
  label: 'Raise the limit',
  effect: 'raise',
  description: 'This run may use the same amount again.',
};
const measure: Option = {
  ...retry,
  id: 'check',
  label: 'Check again',
  description: 'First free up space, for example with `dure clean`.',
};

/** Whether new tests may help where another build would not. */
const needsTests = (s: RunState): boolean => repairedBy(s) === 'tests' && tests.isAvailable!(s);

type CrpOption = Crp['options'][number];

interface Question {
  readonly options: readonly Option[];
  /** Id of the option that a text answer or `--yes` selects; null if there is none. */
  readonly recommendation: (s: RunState) => string | null;
  readonly title: (s: RunState) => string;
}

const QUESTIONS: Record<AskReason, Question> = {
  failure: {
    options: [retry, tests, rebuild, accept, stop],
    recommendation: s => (hasNothingToBuild(s) && repairedBy(s) !== 'tree' ? tests.id : retry.id),
    title: s => `${currentActor(s)} failed, and Dure needs your decision. What should happen next?`,
  },
  timeout: {
    options: [retry, tests, rebuild, accept, stop],
    recommendation: () => retry.id,
    title: s => `${currentActor(s)} exceeded its time limit. What should happen next?`,
  },
  setup: {
    options: [setup, rebuild, accept, stop],
    recommendation: () => setup.id,
    title: () => 'The workspace set-up failed. What should happen next?',
  },
  tests: {
    options: [tests, rebuild, setupOfTests, accept, stop],
    recommendation: () => tests.id,
    title: s =>
      s.tests?.machine === 'could-not-run'
        ? 'The tests cannot be run. What should happen next?'
        : 'The {tests} could not fix its tests. What should happen next?',
  },
  repeated: {
    options: [rebuild, tests, setupOfTests, accept, stop],
    recommendation: () => rebuild.id,
    title: () => 'The result failed twice in a row for the same reason. What should happen next?',
  },
  exhausted: {
    options: [again, tests, accept, stop],
    recommendation: s => (needsTests(s) ? tests.id : again.id),
    title: s =>
      `${s.iteration === 1 ? 'The only iteration did not pass' : `None of the ${s.iteration} iterations passed`}. What should happen next?`,
  },
  verdict: {
    options: [again, tests, accept, stop],
    recommendation: s => (needsTests(s) ? tests.id : again.id),
    title: () => 'The {verdict} needs a person to decide. What should happen next?',
  },
  unproven: {
    options: [accept, again, tests, stop],
    recommendation: () => null,
    title: s =>
      `The result is ${stepThatYields(s.setup, 'proof') ? 'not judged' : 'not tested'}. What should happen next?`,
  },
  budget: {
    options: [raise, stop],
    recommendation: () => null,
    title: s =>
      spentUsd(s) < (s.budget_usd ?? 0) && !isCostComplete(s)
        ? `The cost of the run is not known, so its budget of $${s.budget_usd?.toFixed(2)} may be used up. What should happen next?`
        : `The budget of $${s.budget_usd?.toFixed(2)} is used up. What should happen next?`,
  },
  limit: {
    options: [more, accept, stop],
    recommendation: () => null,
    title: () => 'The run has reached a limit. What should happen next?',
  },
  disk: {
    options: [measure, more, accept, stop],
    recommendation: () => null,
    title: () => 'The run has reached its disk space limit. What should happen next?',
  },
  silence: {
    options: [retry, more, tests, rebuild, accept, stop],
    recommendation: () => retry.id,
    title: s => `${currentActor(s)} printed nothing for a long time. What should happen next?`,
  },
  pack: {
    options: [{ id: 'retry', label: 'Try again', effect: 'pack' }, stop],
    recommendation: () => 'retry',
    title: () => 'The merge-readiness pack could not be created. What should happen next?',
  },
};

const AUTOMATED_ACTORS = {
  setup: 'Preparing the worktree',
  proof: 'Running the tests',
  exam: 'Examining the tests',
  checks: "Running the project's own checks",
};
function currentActor(s: RunState): string {
  const step = currentStep(s);
  return isAgentStep(step) ? `The ${step.role}` : AUTOMATED_ACTORS[step.yields];
}

/** Whether the answer depends on what is known about the result. */
export const isAboutResult = (why: AskReason): boolean =>
  QUESTIONS[why].options.some(option => option === tests || option === again);

const isAskReason = (why: string): why is AskReason => why in QUESTIONS;

/** Replaces `{tree}`, `{tests}` and `{verdict}` with the capitalized names of the roles that yield them. */
const named = (s: RunState, text: string): string =>
  text.replace(/\{(tree|tests|verdict)\}/g, (_, yields: 'tree' | 'tests' | 'verdict') =>
    titleOfRole(stepThatYields(s.setup, yields)?.role ?? 'agent'),
  );

function shownOption(s: RunState, { effect, isAvailable, label, description, ...shown }: Option): CrpOption {
  return {
    ...shown,
    label: named(s, label),
    ...(description !== undefined && { description: named(s, description) }),
  };
}

/** `context` says what happened, with the last lines of the relevant log. */
export function dureQuestion(s: RunState, id: string, why: AskReason, context: string, at: string): Crp {
  const { options, title } = QUESTIONS[why];
  const recommendation = QUESTIONS[why].recommendation(s);
  return {
    crp_id: id,
    created_at: at,
    created_by: 'dure',
    type: why,
    question: named(s, title(s)),
    context,
    options: options
      .filter(({ isAvailable }) => isAvailable?.(s) ?? true)
      .map(option => shownOption(s, option)),
    ...(recommendation !== null && { recommendation }),
    status: 'pending',
  };
}

export interface EffectOfAnswer {
  readonly effect: AnswerEffect;
  readonly amount_usd?: number;
}

/**
 * Returns the effect of an answer to the open question, or null if the answer does not fit. The answer may be the id
 * of an available option, an amount if the question is about money, or text.
 */
export function effectOfAnswer(
  s: RunState,
  answer: Pick<Vcr, 'decision' | 'amount_usd'>,
): EffectOfAnswer | null {
  const why = s.waiting?.why ?? '';
  if (!isAskReason(why)) return { effect: 'resume' };
  const { options, recommendation } = QUESTIONS[why];
  const offered = options.filter(({ isAvailable }) => isAvailable?.(s) ?? true);
  const named = (id: string | null) => offered.find(option => option.id === id);
  const chosen = named(answer.decision.trim().toLowerCase());
  const amount = answer.amount_usd ?? amountOf(answer.decision);
  if (options.includes(raise) && chosen !== stop && amount !== null)
    return { effect: 'raise', amount_usd: amount };
  const selected = chosen ?? named(recommendation(s));
  return selected ? { effect: selected.effect } : null;
}

/**
 * Whether `--yes` may select the recommended option: only once per run for each kind of Dure's own questions, so that
 * the run cannot loop forever, but for every question from an agent, because agents can ask only a limited number.
 */
export const mayTakeRecommendation = ({ waiting, unattended }: RunState): boolean =>
  waiting !== null && (!isAskReason(waiting.why) || !unattended.includes(waiting.why));
