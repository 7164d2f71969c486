/** Which names the tests of the criteria of the kind `keeps` mention: they show what these tests exercise. */
import type { Criterion } from '../../formats/exam/acceptance-criteria.ts';
import type { ProofJob } from '../run-proof.ts';
import type { TestClaim } from './gather-kills.ts';
import { readTestFiles } from './read-test-files.ts';
import { wordsIn } from './syntax/identifiers.ts';
import { removeOtherTests } from './syntax/remove-other-tests.ts';

/** Words in these tests, in what they use of their files, and in their criteria. */
export async function keptBehaviourWords(
  job: ProofJob & { readonly criteria: readonly Criterion[] },
  claims: readonly TestClaim[],
): Promise<Set<string>> {
  const ids = claims.flatMap(({ test, kind }) => (kind === 'keeps' ? [test] : []));
  if (ids.length === 0) return new Set();
  const files = await readTestFiles(job);
  const tests = files.map(({ text, language }) => removeOtherTests(text, language, ids));
  const criteria = job.criteria.flatMap(({ kind, text }) => (kind === 'keeps' ? [text] : []));
  return wordsIn([...tests, ...criteria].join('\n'));
}
