/**
 * Runs the tests on the result with their assertions negated. Those that still pass are not evidence: the result may
 * disable the assertions, or report the tests itself.
 */
import { isGreen, isRed, outcomeIn } from '../../core/policy/judge-test.ts';
import type { NegatedOutcome, TestOutcome } from '../../formats/criteria-report.ts';
import type { TestCases } from '../../formats/test-cases.ts';
import { testPaths, treeWithTests } from '../../workspace/add-tests.ts';
import { readBlob } from '../../workspace/diff.ts';
import { distinguished } from '../normalize-test-cases.ts';
import type { ProofJob } from '../run-proof.ts';
import { languageOfFile } from './languages.ts';
import { hasTitle, imports, negateAssertions, testTitles, titleOfAssertions } from './negate-assertions.ts';
import type { Variant } from './variant.ts';

/** Keyed by test id; empty if no assertion was recognized in any test. */
export async function runNegatedTests(
  { tests_tree, workspace: { repository } }: ProofJob,
  head: TestCases,
  run: (variant: Variant) => Promise<TestCases>,
): Promise<ReadonlyMap<string, NegatedOutcome>> {
  const titles: string[] = [];
  const inTape: string[] = [];
  const others: string[] = [];
  const texts = new Map<string, string>();
  for (const path of await testPaths(repository, tests_tree)) {
    const language = languageOfFile(path);
    const bytes = language && (await readBlob(repository, tests_tree, `tests/${path}`));
    if (!bytes) continue;
    const text = bytes.toString();
    const negated = negateAssertions(text, language);
    const own = negated?.titles ?? [];
    const rest = testTitles(text, language).filter(title => !own.includes(title));
    titles.push(...own);
    others.push(...rest);
    if (imports('tape', text)) {
      inTape.push(...own.map(titleOfAssertions));
      others.push(...rest.map(titleOfAssertions));
    }
    if (negated) texts.set(path, negated.text);
  }
  if (texts.size === 0) return new Map();
  const all = await run({
    of: 'head',
    edits: new Map(),
    tests_tree: await treeWithTests(repository, tests_tree, texts),
  });
  const cases = distinguished(all, head);
  return new Map(
    head.cases.map(({ id }) => {
      const outcome = hasTitle(id, inTape, others) ? outcomeOfTitle(all, id) : outcomeIn(cases, id);
      const isUnrecognized = isGreen(outcome) && !hasTitle(id, [...titles, ...inTape], others);
      return [id, isUnrecognized ? 'unrecognized' : outcome];
    }),
  );
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
