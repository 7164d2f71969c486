/** Decides which transition follows from the result of a step: what it sealed, proved, checked or judged. Part of `decide`. */

import type { Exam } from '../../formats/exam/exam-units-and-faults.ts';
import type { RunState } from '../../formats/state.ts';
import type { TestOutput } from '../../formats/test-config-and-results.ts';
import {
  faultCounts,
  isAllMoved,
  undefendedPlaces,
  undefendedUnits,
} from './criteria/lines-defended-by-tests.ts';
import type { Observation } from './observation.ts';
import { currentStep, isAgentStep } from './pipeline/look-up-steps.ts';
import { sealedResult, sealedTests } from './state/sealed-trees.ts';
import { failed, ofLaunch, type Transition } from './transition.ts';
import { recordedChecks } from './verdict/shorten-check-result.ts';
import { obstacle } from './verdict/verdict-ceiling.ts';

/** Null while part of the result is still being written. */
export function decideOnStepResult(s: RunState, seen: Observation): Transition | null {
  const { at, proof, verdict } = seen;
  const step = currentStep(s);
  if (step.yields === 'verdict' && !verdict) return null;
  if (isAgentStep(step) && s.agents[step.role]?.status !== 'completed') return { kind: 'seal' };
  if (step.yields === 'verdict') return verdict && { kind: 'judge', verdict };
  if (step.yields === 'setup')
    return { at, type: 'workspace.prepared', duration_ms: Date.parse(at) - Date.parse(s.since!) };
  if (step.yields === 'checks') return checksResult(s, seen);
  if (step.yields === 'exam') return examResult(s, seen);
  if (!proof) return null;
  if (proof.tree !== sealedResult(s)?.tree || proof.tests_tree !== sealedTests(s)?.tree)
    return failed(s, seen, 'crash', 'test-output.json does not match the sealed result and tests');
  return {
    at,
    type: 'tests.executed',
    ...ofLaunch(s),
    machine: proof.machine,
    exit_code: proof.exit_code,
    ...(proof.problem && { problem: proof.problem }),
    back_to: obstacle(proof)?.back_to,
    ...(proof.failures.length > 0 && { failures: proof.failures.slice(0, MAX_NAMES).map(shortened) }),
    counts: proof.test_results ?? null,
    coverage: proof.coverage ?? null,
    ...(proof.changed_coverage !== undefined && { changed_coverage: proof.changed_coverage }),
    ...recordedUnmeasured(proof),
    duration_ms: proof.duration_ms,
    ...(proof.sandbox && { sandbox: proof.sandbox }),
    ...(proof.no_sandbox_because && { no_sandbox_because: proof.no_sandbox_because }),
    tree: proof.tree,
    tests_tree: proof.tests_tree,
  };
}

function recordedUnmeasured({ unmeasured, unmeasured_count: count = unmeasured?.length ?? 0 }: TestOutput) {
  return {
    ...(unmeasured && { unmeasured: unmeasured.slice(0, MAX_NAMES).map(shortened) }),
    ...(count > MAX_NAMES && { unmeasured_count: count }),
  };
}

/** Maximum number of entries in each list of an event; test-output.json, for example, lists all failures. */
const MAX_NAMES = 20;
const shortened = (name: string): string => (name.length > 120 ? `${name.slice(0, 119)}…` : name);

function recordedChange(change: Exam) {
  const places = undefendedPlaces(change);
  return {
    undefended: places.slice(0, MAX_NAMES),
    ...(places.length > MAX_NAMES && { undefended_count: places.length }),
    faults: faultCounts(change),
    ...(isAllMoved(undefendedUnits(change)) && { all_moved: true as const }),
  };
}

function examResult(s: RunState, seen: Observation): Transition | null {
  const { at, examined } = seen;
  if (!examined) return null;
  const { tree, tests_tree, criteria, change, problem, runs, duration_ms } = examined.output;
  if (tree !== s.tests?.tree || tests_tree !== s.tests.tests_tree)
    return failed(s, seen, 'crash', 'exam.json does not match the result and tests that Dure ran');
  return {
    at,
    type: 'exam.executed',
    ...ofLaunch(s),
    criteria: criteria.map(({ id, status, reason, failed }) => ({
      id,
      status,
      reason,
      ...(failed && { failed }),
    })),
    ...(change && recordedChange(change)),
    ...(problem !== undefined && { problem }),
    ...(runs && { runs }),
    hash: examined.hash,
    tree,
    tests_tree,
    duration_ms,
  };
}

function checksResult(s: RunState, seen: Observation): Transition | null {
  const { at, checks: output } = seen;
  if (!output) return null;
  const { tree, base_tree, checks, duration_ms } = output;
  if (tree !== sealedResult(s)?.tree || checks.length !== s.setup.checks.length)
    return failed(s, seen, 'crash', 'checks.json does not match the sealed result and the configured checks');
  return {
    at,
    type: 'checks.executed',
    ...ofLaunch(s),
    checks: checks.map(recordedChecks),
    duration_ms,
    tree,
    base_tree,
  };
}
