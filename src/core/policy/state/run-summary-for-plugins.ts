/** Creates the summary of a run for plugins, frozen so that a plugin in this process cannot change the run's state. */
import type { RunSummary } from '../../../formats/plugin-run-summary.ts';
import type { RunState } from '../../../formats/state.ts';
import { isCostComplete, spentUsd } from '../../usage-tracker.ts';

export const summarizeRun = (s: RunState): RunSummary =>
  frozen({
    run_id: s.run_id,
    phase: s.phase,
    step: s.step,
    mode: s.mode,
    steps: s.setup.pipeline.map(({ name, phase, role }) => ({ name, phase, role })),
    iteration: s.iteration,
    max_iterations: s.max_iterations,
    minor_fixes: s.minor_fixes,
    max_minor_fixes: s.setup.max_minor_fixes,
    started_at: s.started_at,
    updated_at: s.updated_at,
    seq: s.seq,
    pending_crp: s.pending_crp,
    tests: s.tests && countsOf(s.tests),
    verdict: s.verdict && ruling(s.verdict),
    cost_usd: isCostComplete(s) ? spentUsd(s) : null,
    reason: s.reason,
  });

const countsOf = ({ machine, total, passed, failed, skipped }: NonNullable<RunState['tests']>) => ({
  machine,
  total,
  passed,
  failed,
  skipped,
});

const ruling = ({ verdict, reason, issues }: NonNullable<RunState['verdict']>) => ({
  verdict,
  reason,
  issues: [...issues],
});

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
