/**
 * Handles a test command that fails on base before it reports a test, because the tests are compiled together and some
 * of them use names that the change introduces. If the command works with all tests removed, the tests are to blame;
 * each file is then run without the tests of the others, which shows what its own tests do.
 */
import type { TestCases } from '../../../formats/test-cases.ts';
import { TIME_LIMIT } from '../../command-problem.ts';
import { hasTitle, testTitles } from '../syntax/test-titles.ts';
import type { TestFile } from '../test-files-in-known-languages.ts';
import { testsWithOnly } from './rerun-without-other-tests.ts';
import { NOTHING_REPORTED } from './run-variants.ts';
import type { RunTests, Variant } from './variant.ts';

export interface UnloadedTestsOf {
  readonly files: readonly TestFile[];
  /** The tests on the result. */
  readonly head: TestCases;
  readonly isClaimed: (test: string) => boolean;
}

export type RunUnloaded = (whole: TestCases, variant: Variant, run: RunTests) => Promise<TestCases>;

const MAX_FILES = 10;

/** The returned function takes a run of all tests on a variant of base, and remembers which tests can be loaded. */
export function unloadedTestsRunner({ files, head, isClaimed }: UnloadedTestsOf): RunUnloaded {
  let loaded: readonly string[] | null = null;
  return async (whole, variant, run) => {
    if (whole.problem !== NOTHING_REPORTED) return whole;
    const only = (ids: readonly string[]) => run({ ...variant, tests: testsWithOnly(ids, files) });
    const { problem } = await only([]);
    if (problem === NOTHING_REPORTED || problem === TIME_LIMIT) return whole;
    const parts = loaded ? [loaded] : testsByFile(files, head).filter(ids => ids.some(isClaimed));
    const seen: TestCases['cases'] = [];
    for (const ids of parts.slice(0, MAX_FILES))
      if (ids.length > 0 && ids.length < head.cases.length)
        seen.push(...(await only(ids)).cases.filter(({ id }) => ids.includes(id)));
    loaded ??= seen.map(({ id }) => id);
    const others = head.cases.filter(({ id }) => !seen.some(each => each.id === id));
    return { ...whole, cases: [...seen, ...others.map(({ id }) => ({ id, ...NOT_LOADED }))] };
  };
}

const NOT_LOADED = { outcome: 'fail', failure: 'load', line: NOTHING_REPORTED } as const;

/** The ids of the tests in each file. */
function testsByFile(files: readonly TestFile[], head: TestCases): string[][] {
  const titles = files.map(({ text, language }) => testTitles(text, language));
  return titles.map((own, at) => {
    const others = titles.flatMap((each, n) => (n === at ? [] : each));
    return head.cases.flatMap(({ id }) => (hasTitle(id, own, others) ? [id] : []));
  });
}
