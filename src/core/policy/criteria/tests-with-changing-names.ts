/** Finds tests whose names change from run to run, for example because they contain the time. Pure. */
import type { TestCaseResult, TestCases } from '../../../formats/test-cases.ts';

/**
 * Finds the tests of the first run that a later run of the same code reports under other names. Tests count as renamed
 * only if the missing tests and the new ones have the same outcomes; otherwise, tests may have been lost.
 */
export function unstableNames([first, ...others]: readonly TestCases[]): ReadonlySet<string> {
  const renamed = others.flatMap(other => {
    const missing = without(first!, other);
    const added = without(other, first!);
    const isRenamed = other.ended && outcomes(missing) === outcomes(added);
    return isRenamed ? missing.map(({ id }) => id) : [];
  });
  return new Set(renamed);
}

/** Returns the cases of one run that are missing from the other. */
function without({ cases }: TestCases, other: TestCases): TestCaseResult[] {
  const known = new Set(other.cases.map(({ id }) => id));
  return cases.filter(({ id }) => !known.has(id));
}

const outcomes = (cases: readonly TestCaseResult[]): string =>
  JSON.stringify(cases.map(({ outcome }) => outcome).sort());
