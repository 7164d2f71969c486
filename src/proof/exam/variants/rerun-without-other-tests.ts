/**
 * Reruns, on base, the tests that could not be loaded there, without the other tests in their files: perhaps only the
 * other tests use names that the change introduces.
 */
import { outcomeIn } from '../../../core/policy/criteria/test-outcomes.ts';
import type { TestCases } from '../../../formats/test-cases.ts';
import { removeOtherTests } from '../syntax/remove-other-tests.ts';
import type { TestFile } from '../test-files-in-known-languages.ts';
import type { RunTests } from './variant.ts';

export interface RerunTestsOf {
  readonly files: readonly TestFile[];
  /** Tests that should pass on base. */
  readonly ids: readonly string[];
  readonly run: RunTests;
}

/** `whole`: the run of all tests on base. */
export async function rerunWithoutOthers(
  whole: TestCases,
  { files, ids, run }: RerunTestsOf,
): Promise<TestCases> {
  const notLoaded = ids.filter(id => outcomeIn(whole, id) === 'load');
  if (notLoaded.length === 0) return whole;
  const alone = await run({ of: 'base', edits: new Map(), tests: testsWithOnly(notLoaded, files) });
  const found = alone.cases.filter(({ id }) => notLoaded.includes(id));
  const others = whole.cases.filter(({ id }) => !found.some(each => each.id === id));
  return { ...whole, cases: [...others, ...found] };
}

/** The texts of the test files with only these tests, by path. */
export const testsWithOnly = (ids: readonly string[], files: readonly TestFile[]): Map<string, string> =>
  new Map(files.map(({ path, text, language }) => [path, removeOtherTests(text, language, ids)]));
