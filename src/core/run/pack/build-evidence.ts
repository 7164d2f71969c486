/** Builds `evidence.json` of a merge-readiness pack. It contains only what Dure recorded itself. */

import type { Evidence } from '../../../formats/evidence.ts';
import type { RunState } from '../../../formats/state.ts';
import { isAgentStep } from '../../policy/pipeline/look-up-steps.ts';
import type { TestResultSoFar } from '../../policy/state/current-results.ts';
import { isCostComplete, spentUsd } from '../../usage-tracker.ts';

/** The input for the evidence: the state of the run, and facts that it does not contain. */
export type PackFacts = Pick<
  Evidence,
  | ('commit' | 'tree' | 'files_changed' | 'command_inputs' | 'equal_names' | 'log')
  | ('tests_tree' | 'laid_in' | 'test_command' | 'test_author' | 'lost_refs' | 'unread_refs')
> & {
  readonly state: RunState;
  /** Dure's own test run on exactly this tree; null if there was none. */
  readonly proven: TestResultSoFar | null;
};

export function evidenceOf({
  state: s,
  proven,
  equal_names,
  lost_refs,
  unread_refs,
  ...facts
}: PackFacts): Evidence {
  const counts = proven?.test_results ?? { total: 0, passed: 0, failed: 0, skipped: 0 };
  return {
    tests: {
      ...counts,
      coverage: proven?.coverage ?? null,
      ...(proven?.changed_coverage !== undefined && { changed_coverage: proven.changed_coverage }),
      ...(proven?.unmeasured && { unmeasured: [...proven.unmeasured] }),
      ...(proven?.unmeasured_count !== undefined && { unmeasured_count: proven.unmeasured_count }),
    },
    ...facts,
    decisions: [...s.decisions],
    iterations: s.iteration,
    logs: Object.fromEntries(
      s.setup.pipeline.filter(isAgentStep).map(({ role, folder }) => [role, `${folder}/log.md`]),
    ),
    run_id: s.run_id,
    base: s.base,
    test_exit_code: proven?.exit_code ?? null,
    test_machine: proven?.machine ?? 'not-run',
    sandbox: proven ? (proven.sandbox ?? 'none') : null,
    no_sandbox_because:
      !proven || proven.sandbox === 'bubblewrap'
        ? null
        : (proven.no_sandbox_because ?? 'Dure did not check for one'),
    agents_sandbox: s.setup.sandbox?.mode ?? 'none',
    ...(equal_names?.length && { equal_names }),
    ...(lost_refs?.length && { lost_refs }),
    ...(unread_refs?.length && { unread_refs }),
    ...(s.setup.failed_builds?.length && { failed_builds: s.setup.failed_builds }),
    ...(s.setup.missing_requirements?.length && { missing_requirements: s.setup.missing_requirements }),
    ...(s.setup.missing_files && { missing_files: s.setup.missing_files }),
    ...(s.setup.rules && { rules: s.setup.rules }),
    checks: s.checks?.tree === facts.tree ? s.checks.checks : [],
    verdict: s.verdict?.verdict ?? 'none',
    accepted_by_person: s.accepted,
    cost_usd: Object.keys(s.usage).length === 0 ? null : spentUsd(s),
    ...(s.key_replaced && { key_replaced: s.key_replaced }),
    cost_complete: isCostComplete(s),
  };
}
