/** A commit of one tree with some files of another: for a look at the result with the tests of base. */
import { type Repository, signedByDure } from './git.ts';
import { inRoom } from './room.ts';

export interface Combination {
  /** The commit that gives all other files. */
  readonly of: string;
  /** The commit that gives `paths`; what it does not have is taken away. */
  readonly from: string;
  readonly paths: readonly string[];
  /** Files with a text of their own. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The commit is on no branch; git removes it in its own time. */
export const combine = (repo: Repository, { of, from, paths, texts }: Combination): Promise<string> =>
  inRoom(repo, null, async room => {
    await room.git(['read-tree', of]);
    const literal = { env: { GIT_LITERAL_PATHSPECS: '1' } };
    for (const path of paths) {
      const listed = await room.git(['ls-tree', '-z', from, '--', path], literal);
      const [mode, , id] = listed.slice(0, listed.indexOf('\t')).split(' ');
      await room.git(['update-index', '--force-remove', '--', path]);
      if (mode && id)
        await room.git(['update-index', '--add', '--replace', '--cacheinfo', `${mode},${id},${path}`]);
    }
    for (const [path, text] of texts) {
      const id = (await room.git(['hash-object', '-w', '--stdin'], { input: text })).trim();
      await room.git(['update-index', '--add', '--replace', '--cacheinfo', `100644,${id},${path}`]);
    }
    const tree = (await room.git(['write-tree'])).trim();
    const made = await room.git(
      ['commit-tree', tree, '-m', 'Dure: the result with tests and settings of its base'],
      {
        env: signedByDure('1970-01-02T00:00:00Z'),
      },
    );
    return made.trim();
  });
