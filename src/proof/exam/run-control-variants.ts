/** Runs the tests on variants that contain the same code as base or the result, or parts of both. */
import { isGreen, isRed, outcomeIn } from '../../core/policy/criteria/test-outcomes.ts';
import type { TestOutcome } from '../../formats/exam/criteria-report.ts';
import type { FailureKind, TestCaseResult, TestCases } from '../../formats/test-cases.ts';
import { mapParallel } from '../../process/map-parallel.ts';
import type { Change } from './changed-code.ts';
import { testsWithoutBodies } from './syntax/remove-test-bodies-and-helpers.ts';
import type { TestFile } from './test-files-in-known-languages.ts';
import { ghostBase, ghostBaseWithParameters, placebo } from './variants/ghost-and-placebo.ts';
import { type HiddenSource, hiddenSource } from './variants/hidden-source.ts';
import type { StubbedResult } from './variants/restore-old-and-stub-new-functions.ts';
import { type RunTests, type Variant, withoutTypeChecks } from './variants/variant.ts';

export interface ControlsOf {
  readonly change: Change;
  readonly stubbed: StubbedResult | null;
  readonly files: readonly TestFile[];
  /** Ids of the tests that claim a criterion. */
  readonly tests: readonly string[];
  /** Whether one ghost and one placebo are enough, because nothing will be confirmed. */
  readonly isQuick: boolean;
  /** Maximum number of concurrent test runs. */
  readonly jobs: number;
  readonly run: RunTests;
  readonly runAllTests: RunTests;
}

interface ControlRuns extends PlaceboRuns {
  ghost: TestCases | null;
  stubs?: TestCases | undefined;
}

/** Runs the controls that have not been run before. */
export async function runControls(of: ControlsOf, seen: ControlRuns): Promise<void> {
  const { change, stubbed, files, tests, isQuick, jobs, run, runAllTests } = of;
  const controls = [
    async () => {
      const withParameters = isQuick ? null : ghostBaseWithParameters(change);
      seen.ghost ??= await runGhost(ghostBase(change), withParameters, runAllTests);
    },
    async () => {
      if (seen.placebo !== null) return;
      const hidden = isQuick ? null : hiddenSource(change, files);
      const hiddenRun = hidden && {
        ...hidden,
        run: () => runAllTests(hidden),
        runImports: () => run({ ...hidden, tests: testsWithoutBodies(files) }),
      };
      await runPlacebo(seen, tests, () => run(placebo(change)), hiddenRun);
    },
    async () => {
      if (stubbed && !isQuick) seen.stubs ??= await runAllTests(withoutTypeChecks(stubbed));
    },
  ];
  await mapParallel(jobs, controls, control => control());
}

/**
 * A test passes on the ghost if it passes with the parameters that the change adds, or if it passes without them. Types
 * are not checked, because the code that never runs may use names that only the result imports.
 */
async function runGhost(base: Variant, withParameters: Variant | null, run: RunTests): Promise<TestCases> {
  const ghost = await run(withoutTypeChecks(base));
  if (withParameters === null) return ghost;
  const { cases } = await run(withoutTypeChecks(withParameters));
  const passing = cases.filter(each => each.outcome === 'pass');
  // Without the parameters, a test file might not even compile, and then none of its tests is reported.
  const others = ghost.cases.filter(({ id }) => !passing.some(each => each.id === id));
  return { ...ghost, cases: [...others, ...passing] };
}

interface HiddenRun extends Pick<HiddenSource, 'loads'> {
  readonly run: () => Promise<TestCases>;
  /** Runs the test files with only their imports and empty tests. */
  readonly runImports: () => Promise<TestCases>;
}

interface PlaceboRuns {
  /** The tests on the result, in each round. */
  readonly head: TestCases[];
  placebo: TestCases | null;
}

/** A test passes on the placebo if it passes with the added text and, where possible, with the source text hidden. */
export async function runPlacebo(
  seen: PlaceboRuns,
  tests: readonly string[],
  run: () => Promise<TestCases>,
  hidden: HiddenRun | null,
): Promise<void> {
  const placebo = await runOfSameCode(seen, tests, run);
  const hiddenCases = hidden && (await runOfSameCode(seen, tests, hidden.run));
  const failures = hiddenCases ? await failuresOf(hiddenCases, placebo, hidden!) : [];
  const others = placebo.cases.filter(({ id }) => !failures.some(each => each.id === id));
  seen.placebo = { ...placebo, cases: [...others, ...failures] };
}

/**
 * The tests that pass on the placebo and fail where the source text is hidden. Includes tests that claim nothing,
 * because their failures must not count as evidence for the changed lines.
 */
async function failuresOf(
  hidden: TestCases,
  placebo: TestCases,
  { loads, runImports }: HiddenRun,
): Promise<TestCaseResult[]> {
  const failures = placebo.cases.flatMap(({ id }): TestCaseResult[] => {
    const failure = outcomeIn(hidden, id);
    return isGreen(outcomeIn(placebo, id)) && isFailure(failure) ? [{ id, outcome: 'fail', failure }] : [];
  });
  if (loads || !failures.some(({ failure }) => failure === 'load')) return failures;
  const imports = await runImports();
  // If a test file loads with only its imports, the rest of the file depends on the source text.
  const importsLoad = (id: string) => !NOT_LOADED.includes(outcomeIn(imports, id));
  return failures.filter(({ id, failure }) => failure !== 'load' || importsLoad(id));
}

const NOT_LOADED: readonly TestOutcome[] = ['load', 'missing'];

const isFailure = (outcome: TestOutcome): outcome is FailureKind => isRed(outcome);

/**
 * Runs a variant with the same code as the result. A test that fails there may depend on the source text or on timing.
 * If it passes in a second run, its outcome is not stable, so the first run counts as another round on the result.
 */
async function runOfSameCode(
  seen: PlaceboRuns,
  tests: readonly string[],
  run: () => Promise<TestCases>,
): Promise<TestCases> {
  const first = await run();
  const failed = tests.filter(
    test => isRed(outcomeIn(first, test)) && seen.head.every(round => isGreen(outcomeIn(round, test))),
  );
  const second = failed.length > 0 ? await run() : first;
  const isUnstable = failed.length > 0 && failed.every(test => isGreen(outcomeIn(second, test)));
  if (isUnstable) seen.head.push(first);
  return isUnstable ? second : first;
}
