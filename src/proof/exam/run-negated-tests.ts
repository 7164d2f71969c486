/**
 * Runs the tests on the result with their assertions negated. Those that still pass are not evidence: the result may
 * disable the assertions, or report the tests itself.
 */
import { isGreen, isRed, outcomeIn } from '../../core/policy/judge-test.ts';
import type { NegatedOutcome, TestOutcome } from '../../formats/criteria-report.ts';
import type { TestCases } from '../../formats/test-cases.ts';
import { mapParallel } from '../../process/map-parallel.ts';
import { treeWithTests } from '../../workspace/add-tests.ts';
import { distinguished } from '../normalize-test-cases.ts';
import type { ProofJob } from '../run-proof.ts';
import { failingVersions, type TestVersions } from './failing-test-versions.ts';
import { imports } from './negate-assertion.ts';
import { readTestFiles, type TestFile } from './read-test-files.ts';
import { hasTitle, testTitles, titleOfAssertions } from './test-titles.ts';
import type { Variant } from './variant.ts';

export interface NegatedTestsOf {
  readonly job: ProofJob;
  readonly head: TestCases;
  isClaimed(test: string): boolean;
  /** Maximum number of runs at the same time. */
  readonly jobs: number;
  run(variant: Variant): Promise<TestCases>;
}

type Outcomes = ReadonlyMap<string, NegatedOutcome>;

/** Keyed by test id; empty if assertions cannot be recognized in the language of the tests. */
export async function runNegatedTests(of: NegatedTestsOf): Promise<Outcomes> {
  const files = (await readTestFiles(of.job)).map(versionsOfFile);
  if (files.every(({ isReadable }) => !isReadable)) return new Map();
  const altered = await runVersion(files, 'altered', of);
  const open = of.head.cases
    .map(({ id }) => id)
    .filter(id => of.isClaimed(id) && isUnexplained(altered.get(id) ?? 'unrecognized'));
  if (open.length === 0) return altered;
  const [reached, negated] = await mapParallel(of.jobs, ['reached', 'negated'] as const, version =>
    runVersion(files, version, of),
  );
  const isUnreached = (id: string) => altered.get(id) === 'pass' && reached.get(id) === 'pass';
  const unloadable = open.some(isUnreached) ? await runVersion(files, 'unloadable', of) : null;
  const isForged = (id: string) => unloadable?.get(id) === 'pass';
  const isAlarm = (id: string) => altered.get(id) === 'pass' && (!isUnreached(id) || isForged(id));
  const finallyOf = (id: string): NegatedOutcome => {
    const outcome = negated.get(id) ?? 'unrecognized';
    return isAlarm(id) ? 'pass' : isUnexplained(outcome) ? 'unrecognized' : outcome;
  };
  return new Map([...altered, ...open.map(id => [id, finallyOf(id)] as const)]);
}

/** The test passed, or it is not known why it failed. */
const isUnexplained = (outcome: NegatedOutcome): boolean => outcome === 'unrecognized' || isGreen(outcome);

interface TestFileVersions extends TestVersions {
  readonly path: string;
  readonly text: string;
  readonly isReadable: boolean;
  readonly titles: readonly string[];
}

const versionsOfFile = ({ path, text, language }: TestFile): TestFileVersions => ({
  path,
  text,
  isReadable: language.grammar !== null,
  titles: testTitles(text, language),
  ...failingVersions(text, language),
});

/**
 * The outcomes of the tests in a version of their files; empty if it does not differ. A test that passes although none
 * of its own assertions is changed is not recognized, and neither is one that does not run.
 */
async function runVersion(
  files: readonly TestFileVersions[],
  version: keyof TestVersions,
  { job, head, run }: NegatedTestsOf,
): Promise<Outcomes> {
  const changed = files.flatMap(file => (file[version] ? [[file.path, file[version].text] as const] : []));
  if (changed.length === 0) return new Map();
  const { own, inTape, others } = titlesOf(files, version);
  const all = await run({
    of: 'head',
    edits: new Map(),
    tests_tree: await treeWithTests(job.workspace.repository, job.tests_tree, new Map(changed)),
  });
  const cases = distinguished(all, head);
  return new Map(
    head.cases.map(({ id }) => {
      const outcome = hasTitle(id, inTape, others) ? outcomeOfTitle(all, id) : outcomeIn(cases, id);
      const isRecognized = isGreen(outcome)
        ? hasTitle(id, [...own, ...inTape], others)
        : isRed(outcome) && outcome !== 'load';
      return [id, isRecognized ? outcome : 'unrecognized'];
    }),
  );
}

/** Titles of the tests that a version changes, of their assertions in tape, and of the other tests. */
function titlesOf(files: readonly TestFileVersions[], version: keyof TestVersions) {
  const own: string[] = [];
  const inTape: string[] = [];
  const others: string[] = [];
  for (const file of files) {
    const changed = file[version]?.titles ?? [];
    const rest = file.titles.filter(title => !changed.includes(title));
    own.push(...changed);
    others.push(...rest);
    if (!imports('tape', file.text)) continue;
    inTape.push(...changed.map(titleOfAssertions));
    others.push(...rest.map(titleOfAssertions));
  }
  return { own, inTape, others };
}

/**
 * The outcome of all assertions of a test in tape: tape continues after a failed assertion, and the message of a
 * negated assertion may differ.
 */
function outcomeOfTitle(run: TestCases, id: string): TestOutcome {
  const title = id.slice(0, id.lastIndexOf(' > ') + ' > '.length);
  const outcomes = run.cases.filter(each => each.id.startsWith(title)).map(each => outcomeIn(run, each.id));
  return outcomes.find(isRed) ?? outcomes.find(isGreen) ?? outcomeIn(run, id);
}
