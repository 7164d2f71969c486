/**
 * The test result limits the Gatekeeper's verdict and determines who has to act. A verdict is lowered or kept, never
 * raised. Each kind of evidence adds a limit here, with the reason for it and who has to act.
 */
import type { CheckResult } from '../../../formats/check-results.ts';
import type { RunState } from '../../../formats/state.ts';
import type { TestOutput } from '../../../formats/test-config-and-results.ts';
import type { BackTo, Verdict } from '../../../formats/verdict.ts';
import { ceilingsOfChecks } from './checks-verdict-ceiling.ts';
import { ceilingsOfExam } from './exam-verdict-ceiling.ts';

export type CriteriaSetup = RunState['setup']['criteria'];

export interface Ceiling {
  readonly verdict: string;
  /** Why the verdict was lowered; null if it was not. */
  readonly lowered: string | null;
  /** Who has to act if the verdict is not PASS. */
  readonly back_to: BackTo;
}

/** The fields of a test result that limit the verdict. */
export type CeilingInput = Pick<
  TestOutput,
  'machine' | 'test_results' | 'changed_coverage' | 'problem' | 'back_to'
> & { readonly exam?: Parameters<typeof ceilingsOfExam>[0] | undefined };

/** Who is at fault according to the Gatekeeper or, if it does not say, the Verifier. */
export type VerdictFault = Verdict['fault'];

/** A FAIL cannot be lowered. Verdicts from plugins are left to their handlers. */
const RANKS = ['FAIL', 'MINOR_FAIL', 'PASS'] as const;
type Rank = (typeof RANKS)[number];
const rank = (verdict: string) => RANKS.indexOf(verdict as Rank);
export const isLower = (verdict: string, than: string): boolean => rank(verdict) < rank(than);

/** If several have to act, the first in this list acts first, because everything after it is repeated anyway. */
const ORDER: readonly BackTo[] = ['person', 'setup', 'tree', 'tests'];

export interface CeilingReason {
  readonly at: Rank;
  readonly because: string;
  readonly back_to: BackTo;
}

/** Stands in for the test result in a pipeline that runs no tests. It limits nothing. */
export const NO_PROOF: CeilingInput = { machine: 'not-run' };

/** Says why a result cannot be judged at all: no tests ran on it. Null if its tests ran or the pipeline runs none. */
export function obstacle(output: CeilingInput | null): CeilingReason | null {
  if (output === NO_PROOF) return null;
  if (output === null || output.machine === 'not-run')
    return { at: 'FAIL', because: 'the tests were not run', back_to: 'tests' };
  if (output.machine !== 'could-not-run') return null;
  const because = `the tests could not be run${output.problem ? ` (${output.problem})` : ''}`;
  return { at: 'FAIL', because, back_to: output.back_to ?? 'tests' };
}

export function ceiling(
  verdict: string,
  output: CeilingInput | null,
  criteria: CriteriaSetup,
  fault: VerdictFault = undefined,
  checks: readonly CheckResult[] = [],
): Ceiling {
  const limits = ceilingsOfVerdict(verdict, output, criteria, fault, checks);
  const lowering = limits
    .filter(limit => rank(limit.at) < rank(verdict))
    .sort((a, b) => rank(a.at) - rank(b.at));
  const acting = limits.map(limit => limit.back_to);
  if (verdict !== 'PASS' && obstacle(output) === null) acting.push(fault === 'tests' ? 'tests' : 'tree');
  const back_to = ORDER.find(one => acting.includes(one)) ?? 'tree';
  const lowest = lowering[0];
  if (!lowest) return { verdict, lowered: null, back_to };
  const reasons = lowering.map(limit => limit.because).join('; ');
  return { verdict: lowest.at, lowered: `${verdict} became ${lowest.at}: ${reasons}`, back_to };
}

/** Returns all limits that apply to a verdict, including those that do not lower it. */
export const ceilingsOfVerdict = (
  verdict: string,
  output: CeilingInput | null,
  criteria: CriteriaSetup,
  fault: VerdictFault,
  checks: readonly CheckResult[],
): CeilingReason[] => [...ceilingsOfProof(verdict, output, criteria, fault), ...ceilingsOfChecks(checks)];

function ceilingsOfProof(
  verdict: string,
  output: CeilingInput | null,
  criteria: CriteriaSetup,
  fault: VerdictFault,
): CeilingReason[] {
  const blocked = obstacle(output);
  if (blocked) return [blocked];
  const found = [
    byTests(output, criteria, fault),
    // Coverage and criteria only matter for a PASS; other verdicts have their own reasons.
    ...(verdict === 'PASS'
      ? [byCoverage(output, criteria), ...ceilingsOfExam(output?.exam ?? null, criteria)]
      : []),
  ];
  return found.filter(limit => limit !== null);
}

function byTests(
  output: CeilingInput | null,
  { tests_passing }: CriteriaSetup,
  fault: VerdictFault,
): CeilingReason | null {
  if (output?.machine !== 'fail' || !tests_passing) return null;
  const { passed, failed, total } = output.test_results ?? { passed: 0, failed: 0, total: 0 };
  const minor = total > 0 && failed <= 5 && passed / total >= 0.9;
  const because = total > 0 ? `${failed} of ${total} tests failed` : 'tests failed';
  return { at: minor ? 'MINOR_FAIL' : 'FAIL', because, back_to: fault === 'tests' ? 'tests' : 'tree' };
}

function byCoverage(output: CeilingInput | null, { min_test_coverage }: CriteriaSetup): CeilingReason | null {
  const covered = output?.changed_coverage;
  if (covered === undefined || covered >= min_test_coverage) return null;
  const because = `${covered}% of the added and changed lines are covered, below the minimum of ${min_test_coverage}%`;
  return { at: 'MINOR_FAIL', because, back_to: 'tests' };
}
