/** The machine's result is a ceiling on the Gatekeeper's verdict. Pure. A verdict is lowered or left, never raised. */
import type { TestOutput } from '../formats/tests.ts';

export interface Criteria {
  readonly tests_passing: boolean;
  readonly min_test_coverage: number;
}

export interface Ceiling {
  readonly verdict: string;
  /** Why the verdict was lowered; null when it stands. */
  readonly lowered: string | null;
}

/** As much of a test run as the ceiling looks at. */
export type Result = Pick<TestOutput, 'machine' | 'test_results' | 'coverage' | 'problem'>;

/** A FAIL cannot be lowered, and what other words mean is not the machine's to say. */
const RANKS = ['FAIL', 'MINOR_FAIL', 'PASS'] as const;
type Rank = (typeof RANKS)[number];
const rank = (verdict: string) => RANKS.indexOf(verdict as Rank);

interface Limit {
  readonly at: Rank;
  readonly because: string;
}

export function ceiling(verdict: string, output: Result | null, criteria: Criteria): Ceiling {
  const given = rank(verdict);
  const limits = [byTests(output, criteria), ...(verdict === 'PASS' ? [byCoverage(output, criteria)] : [])];
  const lowering = limits
    .filter(limit => limit !== null)
    .filter(limit => rank(limit.at) < given)
    .sort((a, b) => rank(a.at) - rank(b.at));
  const lowest = lowering[0];
  if (!lowest) return { verdict, lowered: null };
  const reasons = lowering.map(limit => limit.because).join('; ');
  return { verdict: lowest.at, lowered: `${verdict} became ${lowest.at}: ${reasons}` };
}

function byTests(output: Result | null, { tests_passing }: Criteria): Limit | null {
  if (output === null || output.machine === 'not-run')
    return { at: 'FAIL', because: 'the tests were not run' };
  if (output.machine === 'could-not-run') {
    const because = `the tests could not be run${output.problem ? ` (${output.problem})` : ''}`;
    return { at: 'FAIL', because };
  }
  if (output.machine === 'pass' || !tests_passing) return null;
  const { passed, failed, total } = output.test_results ?? { passed: 0, failed: 0, total: 0 };
  const minor = total > 0 && failed <= 5 && passed / total >= 0.9;
  const because = total > 0 ? `${failed} of ${total} tests failed` : 'tests failed';
  return { at: minor ? 'MINOR_FAIL' : 'FAIL', because };
}

function byCoverage(output: Result | null, { min_test_coverage }: Criteria): Limit | null {
  const covered = output?.coverage;
  if (covered === undefined || covered >= min_test_coverage) return null;
  return { at: 'FAIL', because: `${covered} % of the lines are covered, less than ${min_test_coverage} %` };
}
