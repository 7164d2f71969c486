/** Sums up the project's own checks for the decision bar. A check that could not run does not count as passed. */
import type { RunView } from '../http-protocol.ts';

type Checks = NonNullable<RunView['checks']>['checks'];

export interface CheckSummary {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly passed: number;
  readonly regressed: number;
  readonly total: number;
}

/** `warn`: nothing regressed, but a check could not run, or fails on base too. */
export function summarizeChecks(checks: readonly Pick<Checks[number], 'status'>[]): CheckSummary {
  const count = (status: Checks[number]['status']) => checks.filter(check => check.status === status).length;
  const [passed, regressed, total] = [count('pass'), count('regression'), checks.length];
  return { tone: regressed > 0 ? 'bad' : passed < total ? 'warn' : 'good', passed, regressed, total };
}
