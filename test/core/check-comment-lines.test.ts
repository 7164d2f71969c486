/** A comment becomes an acceptance criterion, so it must be about a line that exists. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectLinesExist, type ReviewedTrees } from '../../src/core/run/check-comment-lines.ts';
import type { Repository } from '../../src/workspace/git.ts';
import { openRepository } from '../../src/workspace/repository.ts';
import { newRepository, signIn } from '../helpers/git-repositories.ts';

let root: string;
let repo: Repository;
let sides: ReviewedTrees;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'dure-comments-'));
  await newRepository(root, { 'old.txt': 'a\nb\n', 'gone.txt': 'x\n' });
  signIn(root);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const base = git('rev-parse', 'HEAD');
  git('mv', 'old.txt', 'new [1].txt');
  git('rm', '--quiet', 'gone.txt');
  execFileSync('sh', ['-c', 'printf "a\\nb\\nc" > "new [1].txt"; mkdir src; echo 1 > src/a.txt'], {
    cwd: root,
  });
  git('add', '-A');
  git('commit', '--quiet', '-m', 'the result');
  sides = { base, tree: git('rev-parse', 'HEAD^{tree}') };
  repo = await openRepository(root, join(root, '.dure/shadow.git'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const comment = (file: string, line: number, more: object = {}) =>
  expectLinesExist(repo, sides, [{ file, line, comment: 'x', ...more }]);

test.each<[file: string, line: number, more?: object]>([
  ['new [1].txt', 3],
  ['src/a.txt', 1],
  ['gone.txt', 1, { side: 'old' as const }],
  // Shown on the page under its new name.
  ['new [1].txt', 2, { side: 'old' as const }],
])('%s:%i is accepted', async (file, line, more = {}) => {
  await comment(file, line, more);
});

test.each([
  ['nofile.go', 3, {}, null],
  ['src', 1, {}, null],
  ['gone.txt', 1, {}, null],
  ['new [1].txt', 4, {}, 3],
  ['new [1].txt', 1, { end_line: 4 }, 3],
  ['gone.txt', 2, { side: 'old' as const }, 1],
])('%s:%i %o is refused', async (file, line, more, lines) => {
  await expect(comment(file, line, more)).rejects.toMatchObject({
    code: 'E_COMMENT_PLACE',
    context: { file, lines },
  });
});

test('comments on a result that is lost in the repository are left to the driver, which restores it', async () => {
  await expectLinesExist(repo, { ...sides, tree: 'b'.repeat(40) }, [{ file: 'x', line: 9, comment: 'x' }]);
});
