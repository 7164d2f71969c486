import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runBranch } from '../../src/formats/layout.ts';
import { resolveBase } from '../../src/workspace/base-and-snapshot-commits.ts';
import { addWorktree, removeWorktree } from '../../src/workspace/worktree.ts';
import {
  cutShort,
  everyByte,
  folder,
  open,
  person,
  RUN,
  repositoryWith,
  seal,
  worktreeOf,
  write,
} from './temporary-projects.ts';

const ready = async () => {
  const root = await repositoryWith({ 'a.txt': 'a\n', 'sub dir/b.txt': 'b\n' });
  const repo = await open(root);
  const base = person(root, 'rev-parse', 'HEAD');
  const add = () => addWorktree(repo, worktreeOf(root), runBranch(RUN), base);
  return { root, repo, base, add, dir: worktreeOf(root) };
};

describe('a worktree', () => {
  test('is registered in git: on its branch, clean, listed, and not pruned', async () => {
    const { root, base, add, dir } = await ready();
    await add();
    expect(await everyByte(dir)).toEqual(await everyByte(root));
    expect(person(dir, 'status', '--porcelain=v2', '--branch')).toBe(
      `# branch.oid ${base}\n# branch.head ${runBranch(RUN)}`,
    );
    person(root, 'worktree', 'prune');
    expect(person(root, 'worktree', 'list', '--porcelain')).toContain(
      `worktree ${dir}\nHEAD ${base}\nbranch refs/heads/${runBranch(RUN)}\nlocked`,
    );
    expect(person(root, 'status', '--porcelain')).toBe('');
  });

  test('is kept with all changes when it is added again', async () => {
    const { add, dir } = await ready();
    await add();
    await write(dir, { 'a.txt': 'work\n', 'new.txt': 'work\n' });
    const before = await everyByte(dir, []);
    await add();
    expect(await everyByte(dir, [])).toEqual(before);
  });

  test('is created even if an earlier attempt was interrupted before moving it into place', async () => {
    const { root, repo, base, add, dir } = await ready();
    const making = join(dirname(dir), RUN);
    person(root, 'worktree', 'add', '-q', '--lock', '--no-checkout', '-b', runBranch(RUN), making, base);
    await write(making, { 'a.txt': 'tor' });
    await mkdir(dir);
    await add();
    expect(await readFile(join(dir, 'a.txt'), 'utf8')).toBe('a\n');
    expect(existsSync(making)).toBe(false);
    expect(person(dir, 'status', '--porcelain')).toBe('');
    expect((await seal(repo, root, base)).tree).toBe(person(root, 'rev-parse', `${base}^{tree}`));
  });

  test('is registered again when an attempt was interrupted just after moving it into place', async () => {
    const { root, base, add, dir } = await ready();
    const making = join(dirname(dir), RUN);
    person(root, 'worktree', 'add', '-q', '--lock', '-b', runBranch(RUN), making, base);
    await rename(making, dir);
    await write(dir, { 'work.txt': 'work\n' });
    await add();
    expect(person(root, 'worktree', 'list', '--porcelain')).toContain(`worktree ${dir}\n`);
    expect(person(root, 'worktree', 'list').split('\n')).toHaveLength(2);
    expect(person(dir, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe(runBranch(RUN));
    expect(await readFile(join(dir, 'work.txt'), 'utf8')).toBe('work\n');
  });

  test('is complete even if an earlier attempt was interrupted, whichever git call would have been next', {
    timeout: 300_000,
  }, async () => {
    for (let calls = 0, cut = true; cut; calls++) {
      const { root, repo, base, add, dir } = await ready();
      cut = await cutShort(calls, add);
      await add();
      expect(person(root, 'worktree', 'list').split('\n')).toHaveLength(2);
      expect(person(dir, 'status', '--porcelain')).toBe('');
      expect((await seal(repo, root, base)).tree).toBe(person(root, 'rev-parse', `${base}^{tree}`));
    }
  });

  test('loses no changes when git has pruned it', async () => {
    const { root, repo, base, add, dir } = await ready();
    await add();
    await write(dir, { 'work.txt': 'work\n' });
    const { commit } = await seal(repo, root, base);
    await rm(join(root, '.git/worktrees'), { recursive: true });
    await add();
    expect(person(dir, 'rev-parse', 'HEAD')).toBe(commit);
    expect(await readFile(join(dir, 'work.txt'), 'utf8')).toBe('work\n');
  });

  test('is removed even if an agent damaged its .git, and its branch is kept', async () => {
    const { root, repo, base, add, dir } = await ready();
    await add();
    await writeFile(join(dir, '.git'), 'gitdir: /nowhere\n');
    await removeWorktree(repo, dir);
    await removeWorktree(repo, dir);
    expect(existsSync(dir)).toBe(false);
    expect(person(root, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect(person(root, 'rev-parse', runBranch(RUN))).toBe(base);
  });

  test('is complete even if the user has a sparse checkout', async () => {
    const { root, add, dir } = await ready();
    person(root, 'sparse-checkout', 'set', 'nothing');
    await add();
    expect(existsSync(join(dir, 'sub dir/b.txt'))).toBe(true);
  });
});

test('worktrees of several runs are created and removed concurrently without affecting each other', async () => {
  const { root, repo, base } = await ready();
  const runs = Array.from({ length: 6 }, (_, i) => `run-20260131-14223${i}`);
  await Promise.all(runs.map(run => addWorktree(repo, worktreeOf(root, run), runBranch(run), base)));
  await Promise.all(runs.map(run => write(worktreeOf(root, run), { 'who.txt': run })));
  const sealed = await Promise.all(runs.map(run => seal(repo, root, base, run)));
  await Promise.all(runs.slice(1).map(run => removeWorktree(repo, worktreeOf(root, run))));
  for (const [i, run] of runs.entries())
    expect(person(root, 'show', `${sealed[i]!.commit}:who.txt`)).toBe(run);
  expect(person(root, 'worktree', 'list').split('\n')).toHaveLength(2);
  expect(existsSync(join(root, '.git/dure-worktrees.lock'))).toBe(false);
});

test('a lock left by a dead process is ignored, as are an incomplete lock and a link or folder in place of a lock', async () => {
  const { root, add, dir } = await ready();
  const lock = join(root, '.git/dure-worktrees.lock');
  await writeFile(lock, JSON.stringify({ pid: process.pid, boot: 'another boot', started: '1' }));
  await add();
  const left = [
    () => writeFile(lock, '{"pid":'),
    () => symlink(join(root, 'nowhere'), lock),
    () => mkdir(join(lock, 'inside'), { recursive: true }),
  ];
  for (const leave of left) {
    await leave();
    await rm(dir, { recursive: true });
    await add();
    expect(existsSync(dir)).toBe(true);
    expect(existsSync(lock)).toBe(false);
  }
});

test('a worktree in a shadow repository works like any other', async () => {
  const root = await folder({ 'a.txt': 'a\n' });
  const repo = await open(root);
  const { commit } = await resolveBase(repo, null);
  await addWorktree(repo, worktreeOf(root), runBranch(RUN), commit);
  expect(person(worktreeOf(root), 'status', '--porcelain')).toBe('');
  expect(person(worktreeOf(root), 'rev-parse', 'HEAD')).toBe(commit);
});
