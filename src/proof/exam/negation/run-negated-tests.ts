/**
 * Runs the tests on the result with their assertions negated. Those that still pass are not evidence: the result may
 * disable the assertions, or report outcomes itself. Tests that prove nothing anyway are not negated: a test runner
 * may need far more time to report hundreds of failed tests than to run them, or may stop at the first failed test.
 */
import { isGreen, isRed, outcomeIn } from '../../../core/policy/criteria/test-outcomes.ts';
import type { NegatedOutcome, TestOutcome } from '../../../formats/exam/criteria-report.ts';
import type { ProofJob } from '../../../formats/launch-jobs.ts';
import type { TestCases } from '../../../formats/test-cases.ts';
import { mapParallel } from '../../../process/map-parallel.ts';
import { distinguished } from '../../test-cases-from-report.ts';
import { hasTitle, testTitles, titleOfAssertions } from '../syntax/test-titles.ts';
import type { TestFile } from '../test-files-in-known-languages.ts';
import type { RunTests } from '../variants/variant.ts';
import { failingVersions, type TestVersions } from './failing-test-versions.ts';
import { imports } from './negate-assertion.ts';
import { negatedHelpers } from './negated-helpers.ts';

export interface NegatedTestsOf {
  readonly job: ProofJob;
  readonly files: readonly TestFile[];
  readonly head: TestCases;
  /** Ids of the tests that can still prove a criterion. */
  readonly candidates: readonly string[];
  /** Maximum number of concurrent test runs. */
  readonly jobs: number;
  readonly run: RunTests;
}

type Outcomes = ReadonlyMap<string, NegatedOutcome>;

/** Returns the candidates' outcomes by id; empty if assertions in the language of the tests cannot be recognized. */
export async function runNegatedTests(of: NegatedTestsOf): Promise<Outcomes> {
  if (of.candidates.length === 0) return new Map();
  const files = versionsOfFiles(of);
  if (files.every(({ isReadable }) => !isReadable)) return new Map();
  const altered = await runVersion(files, 'altered', of);
  const open = of.candidates.filter(id => !isExplained(altered.get(id)));
  if (open.length === 0) return altered;
  const [reached, negated] = await mapParallel(of.jobs, ['reached', 'negated'] as const, version =>
    runVersion(files, version, of),
  );
  const isUnreached = (id: string) => altered.get(id) === 'pass' && reached.get(id) === 'pass';
  const unloadable = open.some(isUnreached) ? await runVersion(files, 'unloadable', of) : null;
  const isForged = (id: string) => unloadable?.get(id) === 'pass';
  const isAlarm = (id: string) => altered.get(id) === 'pass' && (!isUnreached(id) || isForged(id));
  const finallyOf = (id: string): NegatedOutcome => {
    if (isAlarm(id)) return 'pass';
    const outcomes = [negated.get(id), altered.get(id)];
    return outcomes.find(isExplained) ?? outcomes.find(isUnreported) ?? 'unrecognized';
  };
  const outcomes = new Map([...altered, ...open.map(id => [id, finallyOf(id)] as const)]);
  const unrecognized = open.filter(id => outcomes.get(id) === 'unrecognized');
  const inHelpers = await runWithNegatedHelpers(unrecognized, of);
  return new Map([...outcomes, ...inHelpers]);
}

/** The outcomes of those tests that fail when the assertions of their helpers are negated. */
async function runWithNegatedHelpers(
  ids: readonly string[],
  { job, files, head, run }: NegatedTestsOf,
): Promise<Outcomes> {
  const found = new Map<string, NegatedOutcome>();
  if (ids.length === 0) return found;
  for (const edits of await negatedHelpers(job, files)) {
    const cases = distinguished(await run({ of: 'head', edits }), head);
    for (const id of ids) if (isExplained(outcomeIn(cases, id))) found.set(id, outcomeIn(cases, id));
    if (found.size === ids.length) break;
  }
  return found;
}

/** Whether the test failed for a known reason. */
const isExplained = (outcome: NegatedOutcome | undefined): boolean =>
  outcome !== undefined && outcome !== 'unrecognized' && outcome !== 'load' && isRed(outcome);

/** Whether the test did not run to the end. */
const isUnreported = (outcome: NegatedOutcome | undefined): boolean =>
  outcome !== undefined && outcome !== 'unrecognized' && !isGreen(outcome) && !isExplained(outcome);

interface TestFileVersions extends TestVersions {
  readonly path: string;
  readonly text: string;
  readonly isReadable: boolean;
  readonly titles: readonly string[];
}

/** Changes all assertions except those of reported tests that are not candidates. */
function versionsOfFiles({ files, candidates, head }: NegatedTestsOf): TestFileVersions[] {
  const titled = files.map(file => ({ file, titles: testTitles(file.text, file.language) }));
  const isTitleOf = (title: string) => (id: string) => hasTitle(id, [title, titleOfAssertions(title)]);
  const isCandidate = (title: string) => candidates.some(isTitleOf(title));
  const others = head.cases.map(({ id }) => id).filter(id => !candidates.includes(id));
  const areKnown = candidates.every(id =>
    titled.some(({ titles }) => titles.some(title => isTitleOf(title)(id))),
  );
  const isExamined = (title: string) => !areKnown || isCandidate(title) || !others.some(isTitleOf(title));
  return titled.map(({ file: { path, text, language }, titles }) => ({
    path,
    text,
    isReadable: language.grammar !== null,
    titles,
    ...failingVersions(text, language, isExamined),
  }));
}

/**
 * Runs a version of the test files and returns the candidates' outcomes; empty if the version changes nothing. If a
 * test passes although none of its own assertions was changed, its outcome is `unrecognized`.
 */
async function runVersion(
  files: readonly TestFileVersions[],
  version: keyof TestVersions,
  { head, candidates, run }: NegatedTestsOf,
): Promise<Outcomes> {
  const changed = files.flatMap(file => (file[version] ? [[file.path, file[version].text] as const] : []));
  if (changed.length === 0) return new Map();
  const { own, inTape, others } = titlesOf(files, version);
  const all = await run({ of: 'head', edits: new Map(), tests: new Map(changed) });
  const cases = distinguished(all, head);
  return new Map(
    candidates.map(id => {
      const outcome = hasTitle(id, inTape, others) ? outcomeOfTitle(all, id) : outcomeIn(cases, id);
      const isRecognized = !isGreen(outcome) || hasTitle(id, [...own, ...inTape], others);
      return [id, isRecognized ? outcome : 'unrecognized'];
    }),
  );
}

/** Returns the titles of the tests that a version changes, of their assertions in tape, and of all other tests. */
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
 * Combines the outcomes of all assertions of a test in tape: tape continues after a failed assertion, and the message
 * of a negated assertion may differ.
 */
function outcomeOfTitle(run: TestCases, id: string): TestOutcome {
  const title = id.slice(0, id.lastIndexOf(' > ') + ' > '.length);
  const outcomes = run.cases.filter(each => each.id.startsWith(title)).map(each => outcomeIn(run, each.id));
  return outcomes.find(isRed) ?? outcomes.find(isGreen) ?? outcomeIn(run, id);
}
