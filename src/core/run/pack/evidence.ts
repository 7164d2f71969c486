/** Builds `evidence.json` of a merge-readiness pack. It contains only what Dure recorded itself. */

import type { Evidence } from '../../../formats/evidence.ts';
import type { RunState } from '../../../formats/state.ts';
import { isAgentStep } from '../../policy/pipeline/pipeline.ts';
import type { TestResultSoFar } from '../../policy/state/current-results.ts';
import { isCostComplete, spentUsd } from '../../usage-tracker.ts';

export interface PackFacts {
  readonly state: RunState;
  readonly changed: readonly string[];
  /** Dure's own test run on exactly this tree; null if there was none. */
  readonly proven: TestResultSoFar | null;
  readonly testCommand: string;
  readonly testsTree: string | null;
  /** Paths of the generated tests in the checkout. */
  readonly laidIn: readonly string[];
  /** Changed files that determine how the tests are run. */
  readonly commandInputs: Evidence['command_inputs'];
  /** Groups of names that differ only in case or Unicode form. */
  readonly equalNames: readonly (readonly string[])[];
  /** Role and backend. */
  readonly testAuthor: string;
  readonly commit: string;
  readonly tree: string;
  /** See `logHead`. */
  readonly log: string;
}

export function evidenceOf(f: PackFacts): Evidence {
  const { state: s, proven } = f;
  const counts = proven?.test_results ?? { total: 0, passed: 0, failed: 0, skipped: 0 };
  return {
    tests: {
      ...counts,
      coverage: proven?.coverage ?? null,
      ...(proven?.changed_coverage !== undefined && { changed_coverage: proven.changed_coverage }),
      ...(proven?.unmeasured && { unmeasured: [...proven.unmeasured] }),
      ...(proven?.unmeasured_count !== undefined && { unmeasured_count: proven.unmeasured_count }),
    },
    files_changed: [...f.changed],
    decisions: [...s.decisions],
    iterations: s.iteration,
    logs: Object.fromEntries(
      s.setup.pipeline.filter(isAgentStep).map(({ role, folder }) => [role, `${folder}/log.md`]),
    ),
    run_id: s.run_id,
    base: s.base,
    commit: f.commit,
    tree: f.tree,
    tests_tree: f.testsTree,
    laid_in: [...f.laidIn],
    test_command: f.testCommand,
    test_exit_code: proven?.exit_code ?? null,
    test_machine: proven?.machine ?? 'not-run',
    sandbox: proven ? (proven.sandbox ?? 'none') : null,
    no_sandbox_because:
      !proven || proven.sandbox === 'bubblewrap'
        ? null
        : (proven.no_sandbox_because ?? 'Dure did not check for one'),
    agents_sandbox: s.setup.sandbox?.mode ?? 'none',
    command_inputs: f.commandInputs,
    ...(f.equalNames.length > 0 && { equal_names: f.equalNames.map(names => [...names]) }),
    ...(s.setup.failed_builds?.length && { failed_builds: s.setup.failed_builds }),
    ...(s.setup.missing_requirements?.length && { missing_requirements: s.setup.missing_requirements }),
    ...(s.setup.missing_files && { missing_files: s.setup.missing_files }),
    ...(s.setup.rules && { rules: s.setup.rules }),
    test_author: f.testAuthor,
    checks: s.checks?.tree === f.tree ? s.checks.checks : [],
    verdict: s.verdict?.verdict ?? 'none',
    accepted_by_person: s.accepted,
    cost_usd: Object.keys(s.usage).length === 0 ? null : spentUsd(s),
    log: f.log,
    ...(s.key_replaced && { key_replaced: s.key_replaced }),
    cost_complete: isCostComplete(s),
  };
}
