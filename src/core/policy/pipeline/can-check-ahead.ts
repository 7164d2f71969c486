/** Decides whether the project's own checks can start before the checks step. Pure. */
import type { RunState } from '../../../formats/state.ts';
import { sealedResult } from '../state/sealed-trees.ts';
import { currentStep, isAgentStep, stepsBefore, stepThatYields } from './look-up-steps.ts';

/** Whether the checks can run while the current agent works: no step before them will change the sealed result. */
export function canCheckAhead(s: Pick<RunState, 'setup' | 'step' | 'sealed'>): boolean {
  const step = currentStep(s);
  const checks = stepThatYields(s.setup, 'checks');
  const before = checks ? stepsBefore(s.setup, checks.name) : [];
  return (
    isAgentStep(step) &&
    before.includes(step) &&
    before.slice(before.indexOf(step)).every(each => each.yields !== 'tree') &&
    sealedResult(s) !== null
  );
}
