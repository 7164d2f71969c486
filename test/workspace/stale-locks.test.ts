/** Locks on refs that a killed git left behind. Git waits five seconds for each of them, so the tests run at once. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openRepository } from '../../src/workspace/git/open-repository.ts';
import { git, type Repository } from '../../src/workspace/git/run-git.ts';
import { newRepository } from '../helpers/git-repositories.ts';

const top = mkdtempSync(join(tmpdir(), 'dure-locks-'));
afterAll(() => rmSync(top, { recursive: true }));

const temporaryFolder = (): string => mkdtempSync(join(top, 'project-'));

function lock(repo: Repository, name: string): string {
  const file = join(repo.commonDir, `${name}.lock`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  return file;
}

test.concurrent.each(['refs/dure/run-1/build.1', 'refs/dure/backup/run-1', 'refs/heads/dure/run-1'])(
  'a stale lock does not prevent writing a ref of a run: %s',
  async ref => {
    const root = join(temporaryFolder(), 'project');
    const base = await newRepository(root, {});
    const repo = await openRepository(root, join(root, '.dure/shadow.git'));
    const stale = lock(repo, ref);
    await git(repo, ['update-ref', ref, base]);
    expect(await git(repo, ['rev-parse', ref])).toBe(base);
    expect(existsSync(stale)).toBe(false);
  },
);

test.concurrent('stale locks on several refs that are written together are removed', async () => {
  const root = join(temporaryFolder(), 'project');
  const base = await newRepository(root, {});
  const repo = await openRepository(root, join(root, '.dure/shadow.git'));
  const refs = ['refs/dure/run-1/build.1', 'refs/heads/dure/run-1'];
  for (const ref of refs) lock(repo, ref);
  await git(repo, ['update-ref', '--stdin'], { input: refs.map(ref => `update ${ref} ${base}\n`).join('') });
  for (const ref of refs) expect(await git(repo, ['rev-parse', ref])).toBe(base);
});

test.concurrent.each(['HEAD', 'refs/heads/main'])(
  'a stale lock does not prevent writing to a shadow repository: %s',
  async name => {
    const root = temporaryFolder();
    const repo = await openRepository(root, join(root, '.dure/shadow.git'));
    const tree = await git(repo, ['mktree'], { input: '' });
    const who = {
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@b',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@b',
    };
    const commit = await git(repo, ['commit-tree', tree, '-m', 'first'], { env: who });
    lock(repo, name);
    await git(repo, ['update-ref', 'refs/heads/main', commit]);
    expect(await git(repo, ['rev-parse', 'refs/heads/main'])).toBe(commit);
  },
);

test.concurrent("a lock on one of the user's refs is left in place, and the error names it", async () => {
  const root = join(temporaryFolder(), 'project');
  const base = await newRepository(root, {});
  const repo = await openRepository(root, join(root, '.dure/shadow.git'));
  const stale = lock(repo, 'refs/heads/topic');
  await expect(git(repo, ['update-ref', 'refs/heads/topic', base])).rejects.toThrow(stale);
  expect(existsSync(stale)).toBe(true);
});
