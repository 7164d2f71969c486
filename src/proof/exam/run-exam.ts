/**
 * Examines a result: repeats its tests on the result and on base, on the control variants (ghost base, placebo and
 * stubs) and with negated assertions, then on broken versions of the result, and judges the criteria by the outcomes.
 */
import { candidates, judgeCriteria, testsOf } from '../../core/policy/criteria/judge-criteria.ts';
import { ONLY_BASE, type Reasons, TIME_UP } from '../../core/policy/criteria/judge-test.ts';
import { isGreen, isRed, outcomeIn, type TestRuns } from '../../core/policy/criteria/test-outcomes.ts';
import { type ExamOutput, type ExamSettings, examOutputFile } from '../../formats/exam/exam-output.ts';
import type { Exam } from '../../formats/exam/exam-units-and-faults.ts';
import type { ExamRuns, VariantResult } from '../../formats/exam/runs-of-unfinished-exam.ts';
import { diskFault } from '../../formats/file-system/temporary-disk-errors.ts';
import type { ExamJob } from '../../formats/launch-jobs.ts';
import { runFiles } from '../../formats/layout.ts';
import { load } from '../../formats/read-and-write-files.ts';
import { type TestCases, testCasesFile } from '../../formats/test-cases.ts';
import { testOutputFile } from '../../formats/test-config-and-results.ts';
import { withoutSecrets } from '../../process/redact-secrets.ts';
import { removeCheckouts } from '../../workspace/checkout.ts';
import { readSealedTests } from '../../workspace/read-and-commit-sealed-tests.ts';
import type { ProofOf } from '../run-proof.ts';
import { isTestSupport } from '../test-paths.ts';
import { type BreakChangeOf, breakChange } from './break-change.ts';
import type { TestClaim } from './break-until-tests-fail.ts';
import { storedReport } from './build-exam-report.ts';
import { type Change, readChange } from './changed-code.ts';
import { findTestDetection } from './find-test-aware-code.ts';
import { oldBehaviourOf } from './ignore-old-behaviour-failures.ts';
import { killsIn } from './kills-by-test.ts';
import { runNegatedTests } from './negation/run-negated-tests.ts';
import { runControls } from './run-control-variants.ts';
import { runRounds } from './run-rounds.ts';
import { type TestFile, testFilesIn } from './test-files-in-known-languages.ts';
import { isCodeBroken, testsOfBrokenCode, unbrokenFiles } from './tests-independent-of-unbroken-files.ts';
import { composeVariantRuns } from './variants/compose-variant-runners.ts';
import { errorsIn } from './variants/failures-as-evidence.ts';
import { parallelRunCount } from './variants/parallel-run-count.ts';
import { restoreBaseFiles } from './variants/restore-base-files.ts';
import { type StubbedResult, stubNewFunctions } from './variants/restore-old-and-stub-new-functions.ts';
import type { RunTests, RunVariant } from './variants/variant.ts';
import { keptBehaviourWords } from './words-in-keeps-tests.ts';

export interface ExamLaunchOf extends ProofOf {
  readonly job: ExamJob;
  /** The test runs of an earlier exam of the same trees that ran out of time; they are not repeated. */
  readonly earlier?: ExamRuns | null;
  /** `base`: runs the tests only on the result and on base, so nothing can be confirmed. */
  readonly until?: 'base';
  /** Saves the results of the test runs if the exam runs out of time. */
  readonly keep?: (runs: ExamRuns) => Promise<ExamOutput['runs']>;
}

/** Rejects if the disk is full or fails; any other error ends the exam early, and becomes its `problem`. */
export async function runExam(of: ExamLaunchOf): Promise<ExamOutput> {
  const started = performance.now();
  const { tree, tests_tree, base, workspace } = of.job;
  const head = await headCases(of);
  const seen = await examineTests(of, head).finally(() => removeCheckouts(workspace.state, of.runDir));
  const { change, problem } = seen;
  const runs = isUnfinished(seen) ? await of.keep?.(runsOf(seen, of.job.settings)) : undefined;
  return examOutputFile.shape.parse({
    tree,
    tests_tree,
    base,
    change: change && storedReport(change),
    criteria: judged(of, seen),
    ...(problem !== null && { problem }),
    ...(runs && { runs }),
    duration_ms: Math.round(performance.now() - started),
  });
}

/** The results of the exam so far. */
interface ExamProgress extends TestRuns, Reasons {
  head: TestCases[];
  base: TestCases[];
  ghost: TestCases | null;
  placebo: TestCases | null;
  stubs?: TestCases | undefined;
  negated?: TestRuns['negated'];
  /** Keyed by the hash of the variant. */
  variants: Map<string, VariantResult>;
  kills: TestRuns['kills'];
  change: Exam | null;
  problem: string | null;
  limit: string | null;
}

const isUnfinished = ({ change, problem, limit }: ExamProgress): boolean =>
  problem === null && limit !== NO_CODE && change?.complete !== true;

const runsOf = (
  { head, base, ghost, placebo, stubs, negated, variants }: ExamProgress,
  { budget_s }: ExamSettings,
): ExamRuns => ({
  head,
  base,
  // With a budget of 0, not all controls were run, so a longer exam runs all of them.
  ...(budget_s === 0 ? { ghost: null, placebo: null } : { ghost, placebo }),
  variants: Object.fromEntries(variants),
  ...(stubs && { stubs }),
  ...(negated && { negated: [...negated].map(([test, outcome]) => ({ test, outcome })) }),
});

const claimsOn = ({ job: { config } }: ExamLaunchOf, seen: ExamProgress) => ({
  config,
  head: seen.head[0] ?? null,
  exam: seen,
});
const judged = (of: ExamLaunchOf, seen: ExamProgress) => judgeCriteria(of.job.criteria, claimsOn(of, seen));

/** The first round on the result, as recorded by the proof. */
async function headCases({ runDir, job }: ExamLaunchOf): Promise<TestCases> {
  const cases = await load(testCasesFile, runFiles(runDir).testCases);
  if (cases?.side !== 'head' || cases.tree !== job.tree || cases.tests_tree !== job.tests_tree)
    throw new Error('test-cases.json was not made from the result and tests to be examined');
  return cases;
}

/** `head`: the first round on the result. */
async function examineTests(of: ExamLaunchOf, head: TestCases): Promise<ExamProgress> {
  const { settings, workspace, base, commit, tests_tree } = of.job;
  const suite_ms = (await load(testOutputFile, runFiles(of.runDir).testOutput))?.duration_ms ?? 0;
  const started = performance.now();
  const first = { head: [head], base: [], ghost: null, placebo: null, variants: {} };
  const { negated, variants, ...runs }: ExamRuns = of.earlier ?? first;
  const seen: ExamProgress = {
    ...runs,
    variants: new Map(Object.entries(variants)),
    ...(negated && { negated: new Map(negated.map(each => [each.test, each.outcome])) }),
    kills: null,
    change: null,
    problem: null,
    limit: null,
  };
  const claims = claimsIn(of, head);
  try {
    const sealedTests = await readSealedTests(workspace.repository, tests_tree);
    const files = testFilesIn(sealedTests);
    const { run, runAllTests, runRound, runWithReportedNames, longest } = composeVariantRuns(of, {
      head,
      suite_ms,
      claims,
      sealedTests,
    });
    const jobs = await parallelRunCount(of.env, workspace.network);
    const rounds = { run: runRound, settings, longest, jobs, ...(of.echo && { echo: of.echo }) };
    seen.problem = await runRounds(rounds, seen);
    if (of.until === 'base') seen.limit = ONLY_BASE;
    if (seen.problem !== null || of.until === 'base') return seen;
    const change = await readChange(workspace.repository, base, commit);
    if (change.code.length === 0) {
      seen.limit = NO_CODE;
      return seen;
    }
    const isQuick = settings.budget_s === 0;
    const tests = claims.map(({ test }) => test);
    const stubbed = stubNewFunctions(change);
    const controls = { change, stubbed, files, tests, isQuick, jobs, runAllTests };
    await runControls({ ...controls, run: variant => run(variant, of.signal) }, seen);
    // If the tests are sent back anyway, the next exam does what is left to do.
    const goesBack = () => of.job.may_question && judged(of, seen).some(each => each.failed !== undefined);
    if (isQuick || goesBack()) return seen;
    seen.negated ??= await runNegatedTests({
      job: of.job,
      files,
      head,
      candidates: candidates(of.job.criteria, claimsOn(of, seen)),
      jobs,
      run: runWithReportedNames,
    });
    if (goesBack()) return seen;
    const doubt = await reasonForDoubt(of, change, head, runAllTests);
    const budget_ms = 1000 * settings.budget_s - (performance.now() - started);
    seen.limit = await runBrokenVersions(of, run, change, seen, {
      files,
      stubbed,
      budget_ms,
      run_ms: longest(),
      jobs,
    });
    if (doubt !== null) Object.assign(seen, { kills: null, limit: doubt });
  } catch (error) {
    of.signal.throwIfAborted();
    // The launch is repeated once the disk works again.
    if (diskFault(error)) throw error;
    const { message, stack } = error as Error;
    of.echo?.(Buffer.from(`\n${stack}\n`));
    seen.problem = `the exam ended early: ${withoutSecrets(message)}`;
  }
  return seen;
}

/** Returns why the result may behave differently when it is not being tested; null if no reason is known. */
async function reasonForDoubt(
  of: ExamLaunchOf,
  change: Change,
  head: TestCases,
  run: RunTests,
): Promise<string | null> {
  const detection = findTestDetection(change);
  if (detection !== null) return `the result can tell whether it is being tested: ${detection}`;
  const paths = change.others.filter(isTestSupport);
  const variant = await restoreBaseFiles(of.job.workspace.repository, of.job, paths);
  if (variant.edits.size === 0) return null;
  const cases = await run(variant);
  const isNeeded = claimsIn(of, head).some(({ test }) => !isGreen(outcomeIn(cases, test)));
  const [path] = variant.edits.keys();
  return isNeeded
    ? `its tests need test settings or test data that the result changes, such as ${path}`
    : null;
}

const NO_CODE =
  'the exam reads none of the changed files: they are tests, generated, or not code in a supported language';
const NOT_ALL_CODE = 'its tests may depend on changed files that the exam cannot break';

interface BrokenVersionsOf extends Pick<BreakChangeOf, 'run_ms' | 'jobs'> {
  readonly files: readonly TestFile[];
  readonly stubbed: StubbedResult | null;
  readonly budget_ms: number;
}

/** Takes out and breaks the changed lines. Returns why not everything was tried; null if everything was. */
async function runBrokenVersions(
  of: ExamLaunchOf,
  runVariant: RunVariant,
  change: Change,
  seen: ExamProgress,
  { files, stubbed, ...limits }: BrokenVersionsOf,
): Promise<string | null> {
  const { settings, workspace, base, commit } = of.job;
  of.echo?.(Buffer.from('\nThe tests on broken versions of the result:\n'));
  const errors = errorsIn(seen.ghost ?? { cases: [] });
  const open = candidates(of.job.criteria, claimsOn(of, seen));
  const claims = claimsIn(of, seen.head[0]!).filter(({ test }) => open.includes(test));
  const newBehaviour = claims.flatMap(({ test, kind }) => (kind === 'behaviour' ? [test] : []));
  const exam = await breakChange({
    repository: workspace.repository,
    base,
    head: commit,
    runVariant,
    headCases: countedTests(seen),
    claims,
    ...(stubbed && { oldBehaviour: oldBehaviourOf(stubbed, newBehaviour, seen.stubs) }),
    keptBehaviourWords: keptBehaviourWords(files, of.job.criteria, claims),
    known: seen.variants,
    ...limits,
    errors,
    mutants: settings.mutants,
    signal: of.signal,
  });
  seen.change = exam;
  const isComplete = isCodeBroken(change, exam);
  const restored = await restoreBaseFiles(workspace.repository, of.job, unbrokenFiles(change));
  const runRestored = () => runVariant(restored, of.signal);
  const tests = isComplete ? await testsOfBrokenCode(seen.head[0]!, restored, runRestored) : [];
  seen.kills = killsIn(exam, errors, tests);
  if (!exam.complete) return TIME_UP;
  return isComplete && restored.edits.size + restored.left.length === 0 ? null : NOT_ALL_CODE;
}

/**
 * The tests that pass in every round, do not fail merely because the source text differs, and do not pass with their
 * assertions negated.
 */
const countedTests = ({ head, placebo, negated }: ExamProgress): TestCases => ({
  ...head[0]!,
  cases: head[0]!.cases.filter(
    ({ id }) =>
      head.every(round => isGreen(outcomeIn(round, id))) &&
      !(placebo && isRed(outcomeIn(placebo, id))) &&
      negated?.get(id) !== 'pass',
  ),
});

const claimsIn = ({ job: { criteria, config } }: ExamLaunchOf, head: TestCases): TestClaim[] =>
  criteria.flatMap(criterion =>
    criterion.kind === 'look'
      ? []
      : testsOf(criterion, { config, head }).map(({ id }) => ({
          test: id,
          kind: criterion.kind as TestClaim['kind'],
        })),
  );
