/**
 * The machine's result is a ceiling on the Gatekeeper's verdict, and says who has to act on it. Pure. A verdict is
 * lowered or left, never raised. Each kind of proof adds its limit here, with the reason and with who can mend it.
 */
import type { CheckResult } from '../../formats/checks.ts';
import type { TestOutput } from '../../formats/tests.ts';
import type { BackTo, Verdict } from '../../formats/verdict.ts';
import { limitsOfChecks } from './check-ceiling.ts';

export interface Criteria {
  readonly tests_passing: boolean;
  readonly min_test_coverage: number;
}

export interface Ceiling {
  readonly verdict: string;
  /** Why the verdict was lowered; null when it stands. */
  readonly lowered: string | null;
  /** Who has to act when the verdict is no pass. */
  readonly back_to: BackTo;
}

/** As much of a test run as the ceiling looks at. */
export type CeilingInput = Pick<
  TestOutput,
  'machine' | 'test_results' | 'changed_coverage' | 'problem' | 'back_to'
>;

/** What the Gatekeeper, or the Verifier where the Gatekeeper is silent, says of who is wrong. */
export type Fault = Verdict['fault'];

/** A FAIL cannot be lowered, and what other words mean is not the machine's to say. */
const RANKS = ['FAIL', 'MINOR_FAIL', 'PASS'] as const;
type Rank = (typeof RANKS)[number];
const rank = (verdict: string) => RANKS.indexOf(verdict as Rank);

/** Where several have to act, the first of these does: what comes after it is done again anyway. */
const ORDER: readonly BackTo[] = ['person', 'setup', 'tree', 'tests'];

export interface CeilingReason {
  readonly at: Rank;
  readonly because: string;
  readonly back_to: BackTo;
}

/** Of a pipeline that runs no tests: they limit nothing, and `judge` lets nothing pass without them. */
export const NO_PROOF: CeilingInput = { machine: 'not-run' };

/** What keeps a result from being judged at all: nothing is proven, and nothing is known against the code. */
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
  criteria: Criteria,
  fault: Fault = undefined,
  checks: readonly CheckResult[] = [],
): Ceiling {
  const limits = [...limitsOf(verdict, output, criteria, fault), ...limitsOfChecks(checks)];
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

function limitsOf(
  verdict: string,
  output: CeilingInput | null,
  criteria: Criteria,
  fault: Fault,
): CeilingReason[] {
  const blocked = obstacle(output);
  if (blocked) return [blocked];
  const found = [
    byTests(output, criteria, fault),
    // Coverage is asked of what would pass; a verdict that is no pass has reasons of its own.
    verdict === 'PASS' ? byCoverage(output, criteria) : null,
  ];
  return found.filter(limit => limit !== null);
}

function byTests(
  output: CeilingInput | null,
  { tests_passing }: Criteria,
  fault: Fault,
): CeilingReason | null {
  if (output?.machine !== 'fail' || !tests_passing) return null;
  const { passed, failed, total } = output.test_results ?? { passed: 0, failed: 0, total: 0 };
  const minor = total > 0 && failed <= 5 && passed / total >= 0.9;
  const because = total > 0 ? `${failed} of ${total} tests failed` : 'tests failed';
  return { at: minor ? 'MINOR_FAIL' : 'FAIL', because, back_to: fault === 'tests' ? 'tests' : 'tree' };
}

function byCoverage(output: CeilingInput | null, { min_test_coverage }: Criteria): CeilingReason | null {
  const covered = output?.changed_coverage;
  if (covered === undefined || covered >= min_test_coverage) return null;
  const because = `${covered} % of the added and changed lines are covered, less than ${min_test_coverage} %`;
  return { at: 'MINOR_FAIL', because, back_to: 'tests' };
}
