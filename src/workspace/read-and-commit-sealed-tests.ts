/**
 * Reads the Verifier's sealed tests, checks whether they conflict with a tree, and commits them on top of a commit. The
 * file `verifier/tests/P` runs as `P`. In this module, `testsTree` is the sealed verifier folder, and paths are
 * relative to the root of the repository.
 */

import { type FileKind, fileKindOfMode } from '../formats/changed-file-stats.ts';
import { foldersOf } from '../formats/file-system/path-containment.ts';
import { commitTree, treeWith } from './git/build-trees-and-commits.ts';
import { withIsolatedGit } from './git/isolated-git.ts';
import { readBlobs } from './git/read-blobs.ts';
import { entryOf, type Repository, zSplit } from './git/run-git.ts';
import { filesIn } from './git/tree-entries.ts';

export interface SealedTest {
  readonly path: string;
  /** Null for a regular file. */
  readonly kind: Exclude<FileKind, 'submodule'> | null;
  /** For a link, its target. */
  readonly bytes: Buffer;
}

const FOLDER = 'tests/';

export async function testPaths(repo: Repository, testsTree: string): Promise<string[]> {
  const paths = await filesIn(repo, testsTree);
  return paths.filter(path => path.startsWith(FOLDER)).map(path => path.slice(FOLDER.length));
}

/** Throws `E_GIT` if git would not write one of the paths, such as `../a` or `.git/a`, or has lost a file. */
export async function readSealedTests(repo: Repository, testsTree: string): Promise<SealedTest[]> {
  const entries = await withIsolatedGit(repo, null, async ({ git }) => {
    await git(['read-tree', testsTree]);
    return zSplit(await git(['ls-files', '--stage', '-z', '--', FOLDER])).map(entryOf);
  });
  const files = entries.flatMap(({ fields: [mode = '', id = ''], path }) => {
    const kind = fileKindOfMode(mode);
    return kind === 'submodule' ? [] : { path: path.slice(FOLDER.length), kind, id };
  });
  const blobs = await readBlobs(
    repo,
    files.map(({ id }) => id),
  );
  return files.map(({ path, kind, id }) => ({ path, kind, bytes: blobs.get(id)! }));
}

/** Tool folders: a test file there could replace a package or the git history. */
const RESERVED = /(?:^|\/)(?:node_modules|\.git|\.venv|\.dure)(?:\/|$)/;

/**
 * Returns why the tests conflict with this tree, as a message to the agent that wrote them; null if they do
 * not.
 */
export async function testConflict(
  repo: Repository,
  tree: string,
  testsTree: string,
): Promise<string | null> {
  const [paths, files] = await Promise.all([testPaths(repo, testsTree), filesIn(repo, tree)]);
  const existing = new Set(files);
  const folders = new Set(files.flatMap(foldersOf));
  const problems = paths.flatMap(path => {
    if (RESERVED.test(path)) return [`verifier/tests/${path} is in a folder reserved for tools`];
    const inTheWay = [...foldersOf(path), path].find(part => existing.has(part));
    if (inTheWay !== undefined || folders.has(path))
      return [
        `verifier/tests/${path} would be written to ${path}, but ${inTheWay ?? path} is part of the result: choose another name`,
      ];
    return [];
  });
  return problems.length > 0 ? problems.slice(0, 10).join('\n') : null;
}

/** Creates a commit on top of `commit` that also contains the tests at their paths. */
export async function commitWithTests(
  repo: Repository,
  { commit, testsTree, date }: { readonly commit: string; readonly testsTree: string; readonly date: string },
): Promise<string> {
  const conflict = await testConflict(repo, commit, testsTree);
  if (conflict !== null) throw new Error(conflict);
  return withIsolatedGit(repo, null, async isolated => {
    await isolated.git(['read-tree', commit]);
    const tests = await isolated.git(['ls-tree', '-r', '-z', '--full-tree', `${testsTree}:tests`]);
    const tree = await treeWith(isolated, zSplit(tests));
    return commitTree(isolated, {
      tree,
      parents: [commit],
      message: "Dure: with the Verifier's tests",
      date,
    });
  });
}
