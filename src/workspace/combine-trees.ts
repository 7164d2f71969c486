/**
 * Creates a commit that combines one tree with some files from another, so that checks can run on the result
 * with the tests from the base.
 */
import { type Repository, signedByDure } from './git.ts';
import { withIsolatedGit } from './isolated-git.ts';

export interface CombinedTree {
  /** The commit that provides all other files. */
  readonly of: string;
  /** The commit that provides `paths`; paths that it does not contain are removed. */
  readonly from: string;
  readonly paths: readonly string[];
  /** Files with explicit content. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The commit is on no branch, so git garbage-collects it later. */
export const combineTrees = (repo: Repository, { of, from, paths, texts }: CombinedTree): Promise<string> =>
  withIsolatedGit(repo, null, async isolated => {
    await isolated.git(['read-tree', of]);
    const literal = { env: { GIT_LITERAL_PATHSPECS: '1' } };
    for (const path of paths) {
      const listed = await isolated.git(['ls-tree', '-z', from, '--', path], literal);
      const [mode, , id] = listed.slice(0, listed.indexOf('\t')).split(' ');
      await isolated.git(['update-index', '--force-remove', '--', path]);
      if (mode && id)
        await isolated.git(['update-index', '--add', '--replace', '--cacheinfo', `${mode},${id},${path}`]);
    }
    for (const [path, text] of texts) {
      const id = (await isolated.git(['hash-object', '-w', '--stdin'], { input: text })).trim();
      await isolated.git(['update-index', '--add', '--replace', '--cacheinfo', `100644,${id},${path}`]);
    }
    const tree = (await isolated.git(['write-tree'])).trim();
    const commit = await isolated.git(
      ['commit-tree', tree, '-m', 'Dure: the result with tests and settings of its base'],
      {
        env: signedByDure('1970-01-02T00:00:00Z'),
      },
    );
    return commit.trim();
  });
