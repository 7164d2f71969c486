/**
 * Computes the state after a result has been rebased onto a newer commit: the automated steps run again (see
 * rerun-automated-steps.ts). After a conflict, the building role runs first.
 */
import type { EventOf } from '../../../formats/events/events.ts';
import type { RunState } from '../../../formats/state.ts';
import { MODE } from '../pipeline/automated-steps.ts';
import { firstTreeStep, stepThatYields } from '../pipeline/look-up-steps.ts';
import { enterNextDue, judgementOf, UNJUDGED } from '../pipeline/rerun-automated-steps.ts';
import { enter, idleState, UNPROVEN, withHistory } from './state-updates.ts';

export function rebased(before: RunState, e: EventOf<'run.rebased'>): RunState {
  const { base, commit, tree, conflicts, same_patch, tests_problem = null } = e;
  const { rules: _, ...setup } = before.setup;
  const s: RunState = {
    ...withHistory(before, 'rebased', e.at),
    base,
    setup: e.rules ? { ...setup, rules: e.rules } : setup,
    mode: MODE.build,
    causes: {},
    sent_back: 0,
    ...UNPROVEN,
    ...UNJUDGED,
  };
  if (conflicts.length === 0) {
    const kept = same_patch && tests_problem === null ? judgementOf(before) : null;
    const sealed = withTree(s, { commit, tree });
    return enterNextDue({ ...s, sealed, rerun: { kept, tests_problem } }, -1);
  }
  const conflicting: RunState = {
    ...s,
    sealed: withTree(s, null),
    max_iterations: Math.max(s.max_iterations, s.iteration + 1),
    conflict: { commit, tree, files: conflicts, in_worktree: false },
  };
  // The set-up could fail on files with conflict markers, so it runs before they are in the worktree.
  const prepare = stepThatYields(s.setup, 'setup');
  return prepare ? enter(conflicting, prepare, null) : resolving(conflicting);
}

/** Starts another iteration, which resolves the conflict. */
const resolving = (s: RunState): RunState => ({
  ...idleState(s, firstTreeStep(s.setup).phase),
  todo: {
    kind: 'iterate',
    reason:
      `the result conflicts with the new base in ${s.conflict!.files.map(({ path }) => path).join(', ')}`.slice(
        0,
        1000,
      ),
  },
});

/** Returns null if no steps are being repeated; the caller then enters the next step of the pipeline. */
export function nextInRerun(s: RunState, step: string): RunState | null {
  if (s.conflict?.in_worktree === false) return resolving(s);
  return (
    s.rerun &&
    enterNextDue(
      s,
      s.setup.pipeline.findIndex(({ name }) => name === step),
    )
  );
}

/** Replaces the trees of all steps that yield a tree with a single tree. */
function withTree(s: RunState, tree: RunState['sealed'][string] | null): RunState['sealed'] {
  const trees = s.setup.pipeline.filter(step => step.yields === 'tree').map(({ name }) => name);
  const last = trees.findLast(name => s.sealed[name]);
  const others = Object.entries(s.sealed).filter(([name]) => !trees.includes(name));
  return { ...Object.fromEntries(others), ...(tree && last !== undefined && { [last]: tree }) };
}
