/**
 * Stores a pack as a commit on top of the sealed result. Its ref is `refs/dure/packs/<run>`. The sealed result, its
 * base, the tests and the pack then form one chain of git objects: changing any byte changes the commit id.
 * The same files, result and date give the same commit.
 */
import { commitTree, storeTexts, treeWith } from '../git/build-trees-and-commits.ts';
import { withIsolatedGit } from '../git/isolated-git.ts';
import { entryOf, git, type Repository, zSplit } from '../git/run-git.ts';

export const packRef = (runId: string): string => `refs/dure/packs/${runId}`;

export interface PackContents {
  readonly runId: string;
  /** The commit of the sealed result. */
  readonly result: string;
  /** ISO 8601. */
  readonly date: string;
  /** Files on disk by their path in the pack. */
  readonly files: Readonly<Record<string, string>>;
  /** Sealed trees by their path in the pack. */
  readonly trees: Readonly<Record<string, string>>;
  /** Sealed files by their path in the pack: the tree-ish that contains each, and its path there. */
  readonly blobs: Readonly<Record<string, readonly [treeish: string, path: string]>>;
}

/** Returns a copy of a pack commit that also contains `files`. The same arguments give the same commit. */
export async function extendPack(
  repo: Repository,
  commit: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const [date = '', parent = '', ...message] = (
    await git(repo, ['log', '-1', '--format=%cI%n%P%n%B', commit])
  ).split('\n');
  return withIsolatedGit(repo, null, async isolated => {
    await isolated.git(['read-tree', commit]);
    const tree = await treeWith(isolated, await storeTexts(isolated, Object.entries(files)));
    return commitTree(isolated, { tree, parents: [parent], message: message.join('\n').trim(), date });
  });
}

/** Creates the commit of a pack, without a ref yet, and returns its id. */
export const commitPack = (repo: Repository, of: PackContents): Promise<string> =>
  withIsolatedGit(repo, null, async isolated => {
    for (const [at, tree] of Object.entries(of.trees))
      await isolated.git(['read-tree', `--prefix=${at}/`, tree]);
    const paths = Object.keys(of.files);
    // Not as lines of `--stdin-paths`: the name of a folder may contain a line break.
    const files = Object.values(of.files);
    const written = await isolated.git(['hash-object', '-w', '--no-filters', '--', ...files]);
    const entries = written.split('\n').map((id, i) => `100644 blob ${id}\t${paths[i]}`);
    for (const [at, [treeish, path]] of Object.entries(of.blobs)) {
      const [found] = zSplit(await isolated.git(['ls-tree', '-z', treeish, '--', path]));
      if (found) entries.push(`100644 blob ${entryOf(found).fields[2]}\t${at}`);
    }
    const tree = await treeWith(isolated, entries);
    const message = `Dure: pack of ${of.runId}`;
    return commitTree(isolated, { tree, parents: [of.result], message, date: of.date });
  });
