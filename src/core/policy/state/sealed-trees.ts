/** Looks up the sealed trees and the commit of the worktree in the state of a run. Pure. */
import type { RunState } from '../../../formats/state.ts';
import { stepThatYields } from '../pipeline/look-up-steps.ts';

type Sealed = RunState['sealed'][string];

/** Returns the run's current result: the most recently sealed tree. Null before the first seal. */
export function sealedResult({ setup, sealed }: Pick<RunState, 'setup' | 'sealed'>): Sealed | null {
  const last = setup.pipeline.findLast(step => step.yields === 'tree' && sealed[step.name]);
  return last ? sealed[last.name]! : null;
}

/** Returns the commit that the worktree contains when a step starts. */
export const worktreeCommit = (s: Pick<RunState, 'setup' | 'sealed' | 'conflict' | 'base'>): string =>
  sealedResult(s)?.commit ?? (s.conflict?.in_worktree ? s.conflict.commit : s.base);

/** Returns the sealed tests that the proof runs. Null before they are sealed. */
export function sealedTests({ setup, sealed }: Pick<RunState, 'setup' | 'sealed'>): Sealed | null {
  const step = stepThatYields(setup, 'tests');
  return (step && sealed[step.name]) ?? null;
}
