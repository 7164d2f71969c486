/**
 * Reruns, on base, the tests that could not be loaded there, without the other tests in their files: perhaps only the
 * other tests use names that the change introduces.
 */
import { outcomeIn } from '../../../core/policy/criteria/judge-test.ts';
import type { TestCases } from '../../../formats/test-cases.ts';
import type { ProofJob } from '../../run-proof.ts';
import { readTestFiles } from '../read-test-files.ts';
import { removeOtherTests } from '../syntax/remove-other-tests.ts';
import type { Variant } from './variant.ts';

export interface RerunTestsOf {
  readonly job: ProofJob;
  /** Tests that should pass on base. */
  readonly ids: readonly string[];
  run(variant: Variant): Promise<TestCases>;
}

/** `whole`: the run of all tests on base. */
export async function rerunWithoutOthers(
  whole: TestCases,
  { job, ids, run }: RerunTestsOf,
): Promise<TestCases> {
  const notLoaded = ids.filter(id => outcomeIn(whole, id) === 'load');
  if (notLoaded.length === 0) return whole;
  const alone = await run({ of: 'base', edits: new Map(), tests: await testsWithOnly(notLoaded, job) });
  const found = alone.cases.filter(({ id }) => notLoaded.includes(id));
  const others = whole.cases.filter(({ id }) => !found.some(each => each.id === id));
  return { ...whole, cases: [...others, ...found] };
}

/** The texts of the test files with only these tests, by path. */
export async function testsWithOnly(ids: readonly string[], job: ProofJob): Promise<Map<string, string>> {
  const files = await readTestFiles(job);
  return new Map(files.map(({ path, text, language }) => [path, removeOtherTests(text, language, ids)]));
}
