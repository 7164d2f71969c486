/**
 * Copies the Verifier's tests into a checkout: the sealed file `verifier/tests/P` is written to `P`, where the
 * project's runners, resolvers and configuration find it like the project's own tests. No file of the tested tree is
 * overwritten.
 */
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { dureError } from '../errors.ts';
import { statsOf } from '../formats/file-system/path-status.ts';
import { filesIn } from './checkout.ts';
import { commitTree, storeTexts, treeWith } from './git/build-tree.ts';
import { withExactGit, withIsolatedGit } from './git/isolated-git.ts';
import { askGit, type Repository, zSplit } from './git/run-git.ts';

/** Tool folders: a test file there could replace a package or the git history. */
const RESERVED = /(?:^|\/)(?:node_modules|\.git|\.venv|\.dure)(?:\/|$)/;

const testsIn = (testsTree: string): string => `${testsTree}:tests`;

/** Paths of the tests, relative to the root of the checkout. `testsTree` is the sealed verifier folder. */
export async function testPaths(repo: Repository, testsTree: string): Promise<string[]> {
  const paths = await filesIn(repo, testsTree);
  return paths.filter(path => path.startsWith('tests/')).map(path => path.slice('tests/'.length));
}

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

const foldersOf = (path: string): string[] => {
  const parent = dirname(path);
  return parent === '.' ? [] : [...foldersOf(parent), parent];
};

/**
 * Writes the tests where they are expected, including the locations of the earlier layout. Returns their
 * paths.
 */
export async function addTests(
  repo: Repository,
  testsTree: string,
  command: string,
  place: { readonly top: string; readonly cwd: string },
): Promise<string[]> {
  const paths = await writeTests(repo, testsTree, place.top);
  await supportEarlierLayout(repo, testsTree, command, place);
  return paths;
}

/**
 * Writes the tests into the checkout and returns their paths. Throws `E_TESTS_IN_THE_WAY` if a file already
 * exists.
 */
async function writeTests(repo: Repository, testsTree: string, top: string): Promise<string[]> {
  const paths = await testPaths(repo, testsTree);
  for (const path of paths)
    for (const part of [...foldersOf(path), path]) {
      const found = await statsOf(join(top, part));
      if (found !== null && (part === path || !found.isDirectory()))
        throw dureError('E_TESTS_IN_THE_WAY', { path, existing: part });
    }
  if (paths.length > 0) await writeTree(repo, testsIn(testsTree), top);
  return paths;
}

/** A commit on top of `commit` that also contains the tests at their paths. */
export async function commitWithTests(
  repo: Repository,
  { commit, testsTree, date }: { readonly commit: string; readonly testsTree: string; readonly date: string },
): Promise<string> {
  const conflict = await testConflict(repo, commit, testsTree);
  if (conflict !== null) throw new Error(conflict);
  return withIsolatedGit(repo, null, async isolated => {
    await isolated.git(['read-tree', commit]);
    const tests = await isolated.git(['ls-tree', '-r', '-z', '--full-tree', testsIn(testsTree)]);
    const tree = await treeWith(isolated, zSplit(tests));
    return commitTree(isolated, {
      tree,
      parents: [commit],
      message: "Dure: with the Verifier's tests",
      date,
    });
  });
}

/** The sealed verifier folder, with the contents of some tests replaced. */
export const treeWithTests = (
  repo: Repository,
  testsTree: string,
  tests: ReadonlyMap<string, string>,
): Promise<string> =>
  withIsolatedGit(repo, null, async isolated => {
    await isolated.git(['read-tree', testsTree]);
    const texts = [...tests].map(([path, text]) => [`tests/${path}`, text] as const);
    return treeWith(isolated, await storeTexts(isolated, texts));
  });

const writeTree = (repo: Repository, treeish: string, dir: string): Promise<void> =>
  withExactGit(repo, dir, async isolated => {
    await isolated.git(['read-tree', treeish]);
    await isolated.git(['checkout-index', '--all', '--quiet']);
  });

/**
 * Supports tests and commands written for the earlier layout, which refer to `builder/output` and
 * `verifier/tests` relative to the working directory: links the checkout and copies the tests there, unless
 * the project uses these names itself.
 */
async function supportEarlierLayout(
  repo: Repository,
  testsTree: string,
  command: string,
  { top, cwd }: { readonly top: string; readonly cwd: string },
): Promise<void> {
  const names = ['builder/output', 'verifier/tests'];
  const patterns = names.flatMap(name => ['-e', name]);
  const named =
    names.some(name => command.includes(name)) ||
    (await askGit(repo, ['grep', '-q', '-F', ...patterns, testsTree, '--', ':/tests'])) !== null;
  if (!named) return;
  const output = join(cwd, 'builder', 'output');
  if ((await statsOf(join(cwd, 'builder'))) === null) {
    await mkdir(dirname(output));
    await symlink(relative(dirname(output), top) || '.', output);
  }
  const tests = join(cwd, 'verifier', 'tests');
  if ((await statsOf(join(cwd, 'verifier'))) !== null) return;
  await mkdir(tests, { recursive: true });
  if ((await testPaths(repo, testsTree)).length > 0) await writeTree(repo, testsIn(testsTree), tests);
}
