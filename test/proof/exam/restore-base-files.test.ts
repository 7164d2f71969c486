import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { restoreBaseFiles } from '../../../src/proof/exam/variants/restore-base-files.ts';
import { sample } from './sample-repository.ts';

test('changed files get their contents from base, new files are removed, and links stay as they are', async () => {
  const { repository, base } = await sample(
    { 'a.yml': 'a: 1\n', 'gone.css': 'b {}\n' },
    { 'a.yml': 'a: 2\n' },
  );
  const folder = repository.workTree;
  await symlink('a.yml', join(folder, 'link.yml'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  git('rm', '-q', 'gone.css');
  execFileSync('sh', ['-c', 'echo "c: 3" > new.yml'], { cwd: folder });
  git('add', '-A');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '-q', '-m', 'x');
  const commit = git('rev-parse', 'HEAD');
  const paths = ['a.yml', 'gone.css', 'link.yml', 'new.yml'];
  const { edits, left, of } = await restoreBaseFiles(repository, { base, commit }, paths);
  expect(Object.fromEntries([...edits].map(([path, bytes]) => [path, bytes?.toString() ?? null]))).toEqual({
    'a.yml': 'a: 1\n',
    'gone.css': 'b {}\n',
    'new.yml': null,
  });
  expect([of, left]).toEqual(['head', ['link.yml']]);
});

test('if no paths are given, nothing is read from the repository', async () => {
  const { repository } = await sample({ a: 'a' }, { a: 'b' });
  const nothing = { base: 'none', commit: 'none' };
  expect(await restoreBaseFiles(repository, nothing, [])).toEqual({ of: 'head', edits: new Map(), left: [] });
});
