/**
 * The ways in which the exam runs the tests on a variant. They are layers, each of which calls the one before:
 * `runVariant` runs the tests, `runLimited` runs them with a time limit, `timed` measures the longest run and
 * recognizes errors that the tests throw themselves, `run` distinguishes tests with the same name, `runAllTests` also
 * runs tests that were not loaded or reported, and `runRound` on base also runs the tests of criteria of the kind
 * `keeps`. `runWithReportedNames` also runs tests that were not reported, and does not distinguish names.
 */
import { join, relative } from 'node:path';
import type { TestCases } from '../../../formats/test-cases.ts';
import type { SealedTest } from '../../../workspace/read-and-commit-sealed-tests.ts';
import type { ProofOf } from '../../run-proof.ts';
import { distinguished } from '../../test-cases-from-report.ts';
import type { TestClaim } from '../break-until-tests-fail.ts';
import { testFilesIn } from '../test-files-in-known-languages.ts';
import { withThrownErrorsAsAssertions } from './errors-thrown-by-tests.ts';
import { unloadedTestsRunner } from './rerun-unloaded-tests-by-file.ts';
import { rerunWithoutOthers } from './rerun-without-other-tests.ts';
import { runMissingTests } from './run-missing-tests.ts';
import { type RunWith, variantRunner } from './run-variants.ts';
import { limitedRunner } from './run-with-test-timeout.ts';
import type { RunTests, RunVariant } from './variant.ts';

export interface VariantRunsOf {
  /** The first round on the result. */
  readonly head: TestCases;
  readonly suite_ms: number;
  readonly claims: readonly TestClaim[];
  readonly sealedTests: readonly SealedTest[];
}

export interface ComposedVariantRuns
  extends Record<'runAllTests' | 'runRound' | 'runWithReportedNames', RunTests> {
  readonly run: RunVariant;
  /** Duration in milliseconds of the longest test run so far. */
  longest(): number;
}

export function composeVariantRuns(
  of: ProofOf,
  { head, suite_ms, claims, sealedTests }: VariantRunsOf,
): ComposedVariantRuns {
  const { signal } = of;
  const { config, workspace } = of.job;
  const { test_command: command } = config;
  // Without the change, a test may wait for something that never happens.
  const timeout_ms = Math.min(config.timeout_ms, 30_000 + 3 * suite_ms);
  const runVariant = variantRunner(
    { ...of, job: { ...of.job, config: { ...config, timeout_ms } } },
    sealedTests,
  );
  const runLimited = limitedRunner(runVariant, { command, limit_ms: 5000 + 5 * suite_ms });
  const files = testFilesIn(sealedTests);
  const withAssertions = withThrownErrorsAsAssertions(files);
  let longest = suite_ms;
  const timed: RunWith = async (...variant) => {
    const from = performance.now();
    const cases = await runLimited(...variant);
    longest = Math.max(longest, performance.now() - from);
    return withAssertions(cases);
  };
  const run: RunWith = async (...variant) => distinguished(await timed(...variant), head);
  const folder = join(workspace.repository.prefix, workspace.directory);
  const paths = sealedTests.map(({ path }) => relative(folder, path));
  const withMissing = (whole: TestCases, runPart: (part: string) => Promise<TestCases>) =>
    runMissingTests(whole, { command, files: paths, head, run: runPart });
  const isClaimed = (id: string) => claims.some(({ test }) => test === id);
  const runUnloaded = unloadedTestsRunner({ files, head, isClaimed });
  const runAllTests: RunTests = async variant => {
    const all = await run(variant, signal);
    const whole = variant.of === 'base' ? await runUnloaded(all, variant, each => run(each, signal)) : all;
    return withMissing(whole, part => run(variant, signal, part));
  };
  const runWithReportedNames: RunTests = async variant =>
    withMissing(await timed(variant, signal), part => timed(variant, signal, part));
  const keeps = claims.flatMap(({ test, kind }) => (kind === 'keeps' ? [test] : []));
  const runRound: RunTests = async variant => {
    const whole = await runAllTests(variant);
    if (variant.of === 'head') return whole;
    return rerunWithoutOthers(whole, { files, ids: keeps, run: each => run(each, signal) });
  };
  return { run, runAllTests, runRound, runWithReportedNames, longest: () => longest };
}
