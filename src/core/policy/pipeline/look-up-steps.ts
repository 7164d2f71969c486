/**
 * Looks up the steps of a run's pipeline by what they yield, from the recorded setup alone. Apart from messages and
 * automated-steps.ts, nothing in the core refers to a step or a role by name.
 */

import type { AgentStep, RunState, Setup, Step, Yields } from '../../../formats/state.ts';

type Yielding<Y extends Yields> = Y extends AgentStep['yields'] ? AgentStep : Exclude<Step, AgentStep>;

/** Returns the first step with this value of `yields`; null if the pipeline has none. */
export const stepThatYields = <Y extends Yields>({ pipeline }: Setup, yields: Y): Yielding<Y> | null =>
  (pipeline.find(step => step.yields === yields) as Yielding<Y> | undefined) ?? null;

/** Returns the step that builds the result. `composePipeline` ensures that there is one. */
export const firstTreeStep = (setup: Setup): AgentStep => {
  const found = stepThatYields(setup, 'tree');
  if (!found) throw new RangeError('no step of this pipeline yields a tree');
  return found;
};

export const isAgentStep = (step: Step): step is AgentStep => 'flag' in step;

export const stepOf = (setup: Setup, name: string): Step => {
  const found = setup.pipeline.find(step => step.name === name);
  if (!found) throw new RangeError(`no step ${name} in this pipeline`);
  return found;
};

export const currentStep = ({ setup, step }: Pick<RunState, 'setup' | 'step'>): Step =>
  stepOf(setup, step ?? setup.pipeline[0]!.name);

export const stepAfter = (setup: Setup, name: string): Step | null =>
  setup.pipeline[setup.pipeline.findIndex(step => step.name === name) + 1] ?? null;

/** Whether to skip the step: an exam needs acceptance criteria and passing tests. */
export const isPassedOver = (
  { criteria, tests }: Pick<RunState, 'criteria' | 'tests'>,
  step: Step,
): boolean => step.yields === 'exam' && (criteria === undefined || tests?.machine !== 'pass');

/** Whether the exam may send the tests back: once per build, and not for a result that was already examined. */
export const mayQuestion = ({
  questioned,
  rerun,
  setup,
}: Pick<RunState, 'questioned' | 'rerun' | 'setup'>): boolean =>
  !questioned && !rerun && setup.retry.attempts > 0;

export const stepsBefore = ({ pipeline }: Setup, name: string): Step[] =>
  pipeline.slice(
    0,
    pipeline.findIndex(step => step.name === name),
  );

/** Capitalizes the name of a role. */
export const titleOfRole = (role: string): string => role.charAt(0).toUpperCase() + role.slice(1);

/** Returns a step's time limit in milliseconds: set per role for agents, per kind of step for Dure's own steps. */
export const timeoutOf = ({ timeouts, checks }: Setup, step: Step): number =>
  step.yields === 'checks'
    ? checks.reduce((sum, check) => sum + MAX_RUNS * (check.timeout_ms + SET_UP_MS), 0)
    : (timeouts[isAgentStep(step) ? step.role : step.yields] ?? 300_000);

/**
 * Per check: up to two runs each on the result, on base, and on the result with the tests from base. Each run
 * has its own limit and may need a set-up.
 */
const MAX_RUNS = 6;
const SET_UP_MS = 900_000;

/** Lists the phases in order, without duplicates. */
export const phasesOf = (setup: Setup): string[] => [...new Set(setup.pipeline.map(step => step.phase))];
/** Lists all roles that have a step. */
export const rolesOf = (setup: Setup): string[] => [...new Set(setup.pipeline.map(step => step.role))];
/** Lists the roles that an agent plays. */
export const agentRolesOf = (setup: Pick<Setup, 'pipeline'>): string[] => [
  ...new Set(setup.pipeline.filter(isAgentStep).map(step => step.role)),
];
