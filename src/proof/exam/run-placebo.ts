/** Runs the tests on the placebo, the result with comments, spaces and empty statements added. */
import { isGreen, isRed, outcomeIn } from '../../core/policy/criteria/judge-test.ts';
import type { TestCases } from '../../formats/test-cases.ts';

interface PlaceboRuns {
  /** The tests on the result, in each round. */
  readonly head: TestCases[];
  placebo: TestCases | null;
}

/**
 * A test that fails there may depend on the added text or on the time. If it passes when they are run again, it does not
 * always pass, so the first run counts as another round on the result.
 */
export async function runPlacebo(
  seen: PlaceboRuns,
  tests: readonly string[],
  run: () => Promise<TestCases>,
): Promise<void> {
  const first = await run();
  const failed = tests.filter(
    test => isRed(outcomeIn(first, test)) && seen.head.every(round => isGreen(outcomeIn(round, test))),
  );
  const second = failed.length > 0 ? await run() : first;
  const isUnstable = failed.length > 0 && failed.every(test => isGreen(outcomeIn(second, test)));
  if (isUnstable) seen.head.push(first);
  seen.placebo = isUnstable ? second : first;
}
