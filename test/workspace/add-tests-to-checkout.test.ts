/** The Verifier's tests are written into a checkout as they were sealed, and nothing else. */
import { execFileSync } from 'node:child_process';
import { chmod, lstat, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addTests } from '../../src/workspace/add-tests-to-checkout.ts';
import { readSealedTests } from '../../src/workspace/read-and-commit-sealed-tests.ts';
import { folder, open, person, repositoryWith, write } from './temporary-projects.ts';

/** A repository whose last commit is a sealed verifier folder. */
async function sealed(files: Record<string, string | Buffer>, more?: (root: string) => Promise<void>) {
  const root = await repositoryWith({});
  await write(root, files);
  await more?.(root);
  person(root, 'add', '-A');
  person(root, 'commit', '-q', '-m', 'tests');
  return { root, repo: await open(root), tree: person(root, 'rev-parse', 'HEAD^{tree}') };
}

test('bytes, modes and links are kept, whatever .gitattributes says', async () => {
  const { root, repo, tree } = await sealed(
    { 'tests/a.sh': '#!/bin/sh\r\n', 'tests/b/c.bin': Buffer.from([0, 255, 10]) },
    async top => {
      await chmod(join(top, 'tests/a.sh'), 0o755);
      await symlink('b/c.bin', join(top, 'tests/link'));
    },
  );
  await write(root, { '.git/info/attributes': '* text eol=lf\n' });
  const top = await folder();
  const paths = await addTests(await readSealedTests(repo, tree), 'true', { top, cwd: top });
  expect(paths).toEqual(['a.sh', 'b/c.bin', 'link']);
  expect(await readFile(join(top, 'a.sh'), 'utf8')).toBe('#!/bin/sh\r\n');
  expect((await lstat(join(top, 'a.sh'))).mode & 0o111).toBe(0o111);
  expect((await lstat(join(top, 'b/c.bin'))).mode & 0o111).toBe(0);
  expect(await readFile(join(top, 'b/c.bin'))).toEqual(Buffer.from([0, 255, 10]));
  expect(await readlink(join(top, 'link'))).toBe('b/c.bin');
});

test('nothing is written through a link in the checkout', async () => {
  const { repo, tree } = await sealed({ 'tests/a/b.txt': 'new' });
  const [top, outside] = [await folder(), await folder()];
  await symlink(outside, join(top, 'a'));
  await expect(addTests(await readSealedTests(repo, tree), 'true', { top, cwd: top })).rejects.toMatchObject({
    code: 'E_TESTS_IN_THE_WAY',
  });
  expect(await readdir(outside)).toEqual([]);
});

test('a path outside the checkout is refused', async () => {
  const { root, repo } = await sealed({ 'tests/a.txt': 'new' });
  const make = (kind: string, id: string, name: string) =>
    execFileSync('git', ['mktree'], {
      cwd: root,
      input: `${kind} ${id}\t${name}\n`,
      encoding: 'utf8',
    }).trim();
  const above = make('100644 blob', person(root, 'rev-parse', 'HEAD:tests/a.txt'), '..');
  await expect(readSealedTests(repo, make('040000 tree', above, 'tests'))).rejects.toMatchObject({
    code: 'E_GIT',
  });
});

test('a file that git has lost is named, and never left out or written empty', async () => {
  const { root, repo, tree } = await sealed({ 'tests/a.txt': 'one', 'tests/b.txt': 'two' });
  const lost = person(root, 'rev-parse', 'HEAD:tests/b.txt');
  await rm(join(root, '.git/objects', lost.slice(0, 2), lost.slice(2)));
  await expect(readSealedTests(repo, tree)).rejects.toMatchObject({
    code: 'E_GIT',
    message: expect.stringMatching(`object ${lost} is missing.*git fsck`),
  });
});

test('submodules in the tests are left out, because their objects are in another repository', async () => {
  const { root, repo } = await sealed({ 'tests/a.txt': 'one' });
  person(root, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},tests/lib`);
  const tests = await readSealedTests(repo, person(root, 'write-tree'));
  expect(tests.map(({ path }) => path)).toEqual(['a.txt']);
});
