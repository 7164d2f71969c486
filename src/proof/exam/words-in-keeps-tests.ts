/** Finds the names that the tests of `keeps` criteria mention, which show what these tests exercise. */
import type { Criterion } from '../../formats/exam/acceptance-criteria.ts';
import type { TestClaim } from './break-until-tests-fail.ts';
import { wordsIn } from './syntax/identifiers.ts';
import { removeOtherTests } from './syntax/remove-other-tests.ts';
import type { TestFile } from './test-files-in-known-languages.ts';

/** Returns the words in `keeps` criteria, in their tests, and in the code that these tests use in their files. */
export function keptBehaviourWords(
  files: readonly TestFile[],
  criteria: readonly Criterion[],
  claims: readonly TestClaim[],
): Set<string> {
  const ids = claims.flatMap(({ test, kind }) => (kind === 'keeps' ? [test] : []));
  if (ids.length === 0) return new Set();
  const tests = files.map(({ text, language }) => removeOtherTests(text, language, ids));
  const texts = criteria.flatMap(({ kind, text }) => (kind === 'keeps' ? [text] : []));
  return wordsIn([...tests, ...texts].join('\n'));
}
