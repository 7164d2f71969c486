/**
 * Builds a variant of the result with the test settings and test data of base, because evidence must not depend on
 * files through which the author of the code can influence the tests.
 */

import { withIsolatedGit } from '../../../workspace/git/isolated-git.ts';
import { readBlob } from '../../../workspace/git/read-blobs.ts';
import type { Repository } from '../../../workspace/git/run-git.ts';
import { treeEntries } from '../../../workspace/git/tree-entries.ts';
import { isTestSupport } from '../../test-paths.ts';
import type { Change } from '../changed-code.ts';
import type { Variant } from './variant.ts';

/** Null if the change affects no test settings or test data. Links and submodules are left as they are. */
export async function withBaseTestSupport(
  repository: Repository,
  { base, head }: { readonly base: string; readonly head: string },
  { others }: Change,
): Promise<Variant | null> {
  const paths = others.filter(isTestSupport);
  if (paths.length === 0) return null;
  const entries = await withIsolatedGit(repository, null, async isolated => [
    ...(await treeEntries(isolated.git, base)),
    ...(await treeEntries(isolated.git, head)),
  ]);
  const special = new Set(
    entries.flatMap(({ path, kind }) => (kind === 'link' || kind === 'submodule' ? [path] : [])),
  );
  const edits = new Map<string, Buffer | null>();
  for (const path of paths) if (!special.has(path)) edits.set(path, await readBlob(repository, base, path));
  return edits.size > 0 ? { of: 'head', edits } : null;
}
