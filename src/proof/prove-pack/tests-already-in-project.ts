/** Finds tests of a pack that are not the Verifier's alone: base or the result has a file with the same content. */
import { testTitle } from '../../core/policy/criteria/judge-criteria.ts';
import { entryOf, git, type Repository, zSplit } from '../../workspace/git/run-git.ts';
import type { OpenPack } from './read-and-verify-pack.ts';

/** Test files of the pack with the same content as a file of base or of the result. */
export async function testsAlreadyInProject(
  repo: Repository,
  { evidence, commit }: OpenPack,
): Promise<Set<string>> {
  const blobs = async (treeish: string) =>
    zSplit(await git(repo, ['ls-tree', '-r', '-l', '-z', '--full-tree', treeish])).map(entry => {
      const { fields, path } = entryOf(entry);
      return { path, id: fields[2], isEmpty: fields[3] === '0' };
    });
  const [base, head, tests] = await Promise.all(
    [evidence.base, evidence.commit, `${commit}:verifier`].map(blobs),
  );
  const known = new Set([...base!, ...head!].map(({ id }) => id));
  return new Set(
    tests!
      .filter(({ path, id, isEmpty }) => path.startsWith('tests/') && !isEmpty && known.has(id))
      .map(({ path }) => path.slice('tests/'.length)),
  );
}

/**
 * Returns a file that contains one of these tests and is not the Verifier's alone; null if there is none. `all`
 * contains the paths of all test files.
 */
export function fileAlreadyInProject(
  ids: readonly string[],
  shared: ReadonlySet<string>,
  all: readonly string[],
): string | null {
  const files = [...shared];
  // A test whose id names no file may be in any of the test files.
  const isOnly = all.length > 0 && all.every(path => shared.has(path));
  for (const id of ids) {
    const isAnywhere = isOnly && testTitle(id) === id;
    const found = files.find(path => id.startsWith(`${path}::`)) ?? (isAnywhere ? files[0] : undefined);
    if (found !== undefined) return found;
  }
  return null;
}
