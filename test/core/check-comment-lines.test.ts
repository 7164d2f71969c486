/** A comment becomes an acceptance criterion, so it must be about a line that exists. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { checkCommentLines, type ReviewedTrees } from '../../src/core/run/requests/check-comment-lines.ts';
import type { Repository } from '../../src/workspace/git/run-git.ts';
import { open, person, repositoryWith, write } from '../workspace/temporary-projects.ts';

let repo: Repository;
let sides: ReviewedTrees;
beforeEach(async () => {
  const root = await repositoryWith({ 'old.txt': 'a\nb\n', 'gone.txt': 'x\n' });
  const base = person(root, 'rev-parse', 'HEAD');
  for (const name of ['old.txt', 'gone.txt']) await rm(join(root, name));
  await write(root, { 'new [1].txt': 'a\nb\nc', 'src/a.txt': '1\n' });
  person(root, 'add', '-A');
  sides = { base, tree: person(root, 'write-tree') };
  repo = await open(root);
});

const comment = (file: string, line: number, more: object = {}) =>
  checkCommentLines(repo, sides, [{ file, line, comment: 'x', ...more }]);

test.each<[file: string, line: number, more?: object]>([
  ['new [1].txt', 3],
  ['src/a.txt', 1],
  ['gone.txt', 1, { side: 'old' as const }],
  // Shown on the page under its new name.
  ['new [1].txt', 2, { side: 'old' as const }],
])('a comment on %s:%i is accepted', async (file, line, more = {}) => {
  await comment(file, line, more);
});

test.each([
  ['nofile.go', 3, {}, null],
  ['src', 1, {}, null],
  ['gone.txt', 1, {}, null],
  ['new [1].txt', 4, {}, 3],
  ['new [1].txt', 1, { end_line: 4 }, 3],
  ['gone.txt', 2, { side: 'old' as const }, 1],
])('a comment on %s:%i %o is refused', async (file, line, more, lines) => {
  await expect(comment(file, line, more)).rejects.toMatchObject({
    code: 'E_COMMENT_PLACE',
    context: { file, lines },
  });
});

test('comments on a result that is missing from the repository are accepted, because the driver restores it', async () => {
  await checkCommentLines(repo, { ...sides, tree: 'b'.repeat(40) }, [{ file: 'x', line: 9, comment: 'x' }]);
});
