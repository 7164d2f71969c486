/**
 * What follows when a result was rebased on a newer commit. The steps of Dure run again. Agents run only where their
 * work no longer applies: the role that builds after a conflict, the role that writes the tests if they cannot be used, and
 * everything after the tests unless the patch and the machine's results are as good as before.
 */
import type { EventOf } from '../../formats/events.ts';
import type { RunState, Step } from '../../formats/state.ts';
import { enter, rest, unjudged, withHistory } from './next-step.ts';
import { MODE } from './own-steps.ts';
import { firstTreeStep, isAgentStep, stepThatYields } from './pipeline.ts';
import { checksOf, proofOf } from './test-result.ts';
import { ceiling, isLower } from './verdict-ceiling.ts';

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
    tests: null,
    checks: null,
    verdict: null,
    accepted: false,
    mrp: null,
    reason: null,
  };
  if (conflicts.length === 0) {
    const { verdict, accepted } = before;
    const kept = same_patch && tests_problem === null ? { limit: limitOf(before), verdict, accepted } : null;
    const sealed = withTree(s, { commit, tree });
    return enterNextDue({ ...s, sealed, rebase: { kept, tests_problem } }, -1);
  }
  const conflicting: RunState = {
    ...s,
    sealed: withTree(s, null),
    max_iterations: Math.max(s.max_iterations, s.iteration + 1),
    conflict: { commit, tree, files: conflicts, laid: false },
  };
  // No program understands files with conflict markers, so the set-up runs before they are in the worktree.
  const prepare = stepThatYields(s.setup, 'setup');
  return prepare ? enter(conflicting, prepare, null) : resolving(conflicting);
}

/** The next iteration resolves the conflict. */
const resolving = (s: RunState): RunState => ({
  ...rest(s, firstTreeStep(s.setup).phase),
  todo: {
    do: 'iterate',
    reason:
      `the result conflicts with the new base in ${s.conflict!.files.map(({ path }) => path).join(', ')}`.slice(
        0,
        1000,
      ),
  },
});

/** Null when no rebase is in progress: the steps follow in their order. */
export function nextAfterRebase(s: RunState, step: string): RunState | null {
  if (s.conflict?.laid === false) return resolving(s);
  return (
    s.rebase &&
    enterNextDue(
      s,
      s.setup.pipeline.findIndex(({ name }) => name === step),
    )
  );
}

/** `place` is that of the step that is done. */
function enterNextDue(s: RunState, place: number): RunState {
  const { kept, tests_problem } = s.rebase!;
  const { pipeline } = s.setup;
  const source = pipeline.findLastIndex(step => step.yields === 'tree' || step.yields === 'tests');
  const isDue = (step: Step, i: number): boolean =>
    !isAgentStep(step) ||
    (step.yields === 'tests' && tests_problem !== null) ||
    (i > source && kept === null);
  const next = pipeline.find((step, i) => i > place && isDue(step, i));
  if (next) return enter(s, next, next.yields === 'tests' ? tests_problem : null);
  if (kept && !isLower(limitOf(s), kept.limit)) {
    const { verdict, accepted } = kept;
    return { ...s, rebase: null, verdict, accepted, todo: { do: 'pack' } };
  }
  const judge = kept && pipeline.find((step, i) => i > source && isAgentStep(step));
  return judge ? enter(s, judge, null) : unjudged(s);
}

/** The best verdict that the tests and checks of the current result allow. */
const limitOf = (s: RunState): string =>
  ceiling('PASS', proofOf(s), s.setup.criteria, undefined, checksOf(s)).verdict;

/** One tree replaces those of all steps that yield one. */
function withTree(s: RunState, tree: RunState['sealed'][string] | null): RunState['sealed'] {
  const trees = s.setup.pipeline.filter(step => step.yields === 'tree').map(({ name }) => name);
  const last = trees.findLast(name => s.sealed[name]);
  const others = Object.entries(s.sealed).filter(([name]) => !trees.includes(name));
  return { ...Object.fromEntries(others), ...(tree && last !== undefined && { [last]: tree }) };
}
