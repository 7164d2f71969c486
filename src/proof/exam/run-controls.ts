/** Runs the tests on variants that contain the same code as the base and the result. */
import { isGreen, isRed, outcomeIn } from '../../core/policy/criteria/judge-test.ts';
import type { TestCases } from '../../formats/test-cases.ts';
import type { Change } from './changed-code.ts';
import { ghostBase, ghostBaseWithParameters } from './variants/same-code-variants.ts';
import type { Variant } from './variants/variant.ts';

/** A test passes on the ghost if it passes with or without the parameters that the change adds. */
export async function runGhost(
  change: Change,
  run: (variant: Variant) => Promise<TestCases>,
): Promise<TestCases> {
  const ghost = await run(ghostBase(change));
  const variant = ghostBaseWithParameters(change);
  if (variant === null) return ghost;
  const { cases } = await run(variant);
  const passing = new Map(cases.flatMap(each => (each.outcome === 'pass' ? [[each.id, each]] : [])));
  return { ...ghost, cases: ghost.cases.map(each => passing.get(each.id) ?? each) };
}

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
