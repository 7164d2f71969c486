/**
 * The result with test settings and test data as they were on base: evidence must not depend on files with which the
 * author of the code affects the tests.
 */
import { readBlob } from '../../workspace/diff.ts';
import type { Repository } from '../../workspace/git.ts';
import { type Change, isTestSupport } from './changed-code.ts';
import type { Variant } from './variant.ts';

/** Null if the change affects no such file. */
export async function withBaseTestSupport(
  repository: Repository,
  base: string,
  { others }: Change,
): Promise<Variant | null> {
  const edits = new Map<string, Buffer | null>();
  for (const path of others.filter(isTestSupport)) edits.set(path, await readBlob(repository, base, path));
  return edits.size > 0 ? { of: 'head', edits } : null;
}
