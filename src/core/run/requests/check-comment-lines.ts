/**
 * Checks that the lines that a person comments on exist. A comment becomes an acceptance criterion, and nobody could
 * fulfil or prove one about a file or line that is not there.
 */
import { dureError } from '../../../errors.ts';
import type { Feedback } from '../../../formats/requests-and-feedback.ts';
import { entryOf, git, gitBytes, type Repository, revParse, zSplit } from '../../../workspace/git/run-git.ts';

type Comment = Feedback['comments'][number];

/** The trees of the two sides of a review. */
export interface ReviewedTrees {
  readonly base: string;
  readonly tree: string;
}

/** Throws `E_COMMENT_PLACE`. */
export async function checkCommentLines(
  repo: Repository,
  { base, tree }: ReviewedTrees,
  comments: readonly Comment[],
): Promise<void> {
  // If the repository has lost the result, nothing can be checked here; the driver restores the result.
  if (comments.length === 0 || (await revParse(repo, `${tree}^{tree}`)) === null) return;
  for (const { file, line, end_line = line, side = 'new' } of comments) {
    const there = await lineCount(repo, side === 'old' ? base : tree, file);
    // The deleted lines of a renamed file are shown under its new name, which base need not contain.
    if (there === null && side === 'old' && (await lineCount(repo, tree, file)) !== null) continue;
    if (there === null || end_line > there)
      throw dureError('E_COMMENT_PLACE', { file, line: end_line, lines: there });
  }
}

/** Null if there is no file at this path. A submodule has one line: its commit. */
async function lineCount(repo: Repository, treeish: string, path: string): Promise<number | null> {
  const listed = await git(repo, [
    '--literal-pathspecs',
    'ls-tree',
    '-z',
    '--full-tree',
    treeish,
    '--',
    path,
  ]);
  const entry = zSplit(listed)
    .map(entryOf)
    .find(one => one.path === path);
  const [, type, id] = entry?.fields ?? [];
  if (type === 'commit') return 1;
  if (type !== 'blob') return null;
  const text = await gitBytes(repo, ['cat-file', 'blob', id!]);
  const ends = text.reduce((count, byte) => (byte === 0x0a ? count + 1 : count), 0);
  return text.length > 0 && text.at(-1) !== 0x0a ? ends + 1 : ends;
}
