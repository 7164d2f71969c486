/** What the user's git commands can do while a result is merged, with real hooks. */
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitPrograms } from '../../src/workspace/git/configured-programs.ts';
import { mergeSealed } from '../../src/workspace/merge/merge-sealed-result.ts';
import { finished } from './ready-result.ts';
import {
  approved,
  build,
  everyByte,
  folder,
  hook,
  lockContent,
  open,
  person,
  RUN,
  repositoryWith,
  write,
} from './temporary-projects.ts';

const LOCK = '.git/index.lock';

/** A run in a project with a hook. What the hook prints is in the file that `noted` reads. */
async function ready(name: string, script: string) {
  const root = await repositoryWith({ 'a.txt': 'a\n', 'gone.txt': 'g\n', 'same.txt': 's\n' });
  const notes = join(await folder(), 'notes');
  // As in a shell of the user: the index is the one of the checkout.
  const output = `unset GIT_INDEX_FILE\nexec >> '${notes.replaceAll("'", `'"'"'`)}' 2>&1`;
  await hook(root, name, `${output}\n${script}`);
  const programs = await gitPrograms(await open(root));
  const base = person(root, 'rev-parse', 'HEAD');
  const work = { 'a.txt': 'by the agent\n', 'gone.txt': null, 'new/n.txt': 'n\n' };
  const { repo, commit, tree } = await build(root, base, work);
  const approve = (how: 'merge' | 'branch' = 'merge') =>
    mergeSealed(repo, approved(root, { commit, base }, { programs }), how);
  return { root, base, commit, tree, approve, noted: () => readFile(notes, 'utf8') };
}

const branches = (root: string) =>
  person(root, 'for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads/[!d]*');

describe('while the pre-commit hook runs,', () => {
  test.each([
    'git commit -qm "my own file" --no-verify',
    'git commit -qam "my changes" --no-verify',
    'git add same.txt',
    'git stash',
    'git reset -q --hard',
    'git switch -q release',
    'git checkout -q --detach',
  ])('git refuses to change what is merged: %s', async command => {
    const { root, base, commit, tree, approve, noted } = await ready(
      'pre-commit',
      `${command}; echo "status $?"`,
    );
    person(root, 'commit-tree', `${base}^{tree}`, '-p', base, '-m', 'release');
    person(root, 'branch', 'release');
    await write(root, { 'mine.txt': 'mine\n', 'same.txt': 'mine\n' });
    person(root, 'add', 'mine.txt');
    const { commit: merged, ...how } = await approve();
    expect(await noted()).toMatch(/^status [1-9]/m);
    expect(how).toMatchObject({ merged: true, into: 'main' });
    expect(person(root, 'rev-parse', 'HEAD', 'main', 'release')).toBe(`${merged}\n${merged}\n${base}`);
    expect(person(root, 'log', '-1', '--format=%T %P')).toBe(`${tree} ${base}`);
    expect(person(root, 'status', '--porcelain')).toBe('A  mine.txt\n M same.txt');
    person(root, 'commit', '-qm', 'mine', '--no-verify');
    expect(person(root, 'diff-tree', '-r', '--name-only', 'HEAD^', 'HEAD')).toBe('mine.txt');
    expect(person(root, 'diff', '--name-only', commit, 'HEAD')).toBe('mine.txt');
  });

  test.each([
    'git switch -q -c other',
    'git symbolic-ref HEAD refs/heads/release',
    'git update-ref --no-deref HEAD main',
  ])(
    'if a hook switches to another branch, the approval changes neither the working tree nor the branch: %s',
    async command => {
      const { root, base, approve } = await ready('pre-commit', command);
      person(root, 'branch', 'release');
      const before = await everyByte(root);
      await expect(approve()).rejects.toMatchObject({
        code: 'E_MERGE',
        message: expect.stringMatching(/your working tree is no longer on main\. Check out main/),
      });
      for (const line of branches(root).split('\n')) expect(line).toMatch(new RegExp(`^\\w+ ${base}$`));
      expect(await everyByte(root)).toEqual(before);
      expect(person(root, 'status', '--porcelain')).toBe('');
      expect(existsSync(join(root, LOCK))).toBe(false);
    },
  );

  test('a commit by somebody who removed the lock is kept, and the error names the files already written, which are left as they are', async () => {
    const { root, base, approve } = await ready('pre-commit', `rm ${LOCK}; git commit -qam mine --no-verify`);
    await expect(approve()).rejects.toMatchObject({
      code: 'E_MERGE',
      message: expect.stringMatching(
        /main moved to \w{10} during the merge\. .*left as they are, because HEAD has moved: a\.txt, gone\.txt, new\/n\.txt\. /s,
      ),
    });
    expect(person(root, 'log', '--format=%s %P')).toBe(`mine ${base}\nfirst `);
    expect(person(root, 'status', '--porcelain')).toBe('?? new/');
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('by the agent\n');
  });

  test('if the lock is removed, the approval stops and restores the files', async () => {
    const { root, base, approve } = await ready('pre-commit', `rm ${LOCK}; git add same.txt`);
    await write(root, { 'same.txt': 'mine\n' });
    const before = await everyByte(root);
    await expect(approve()).rejects.toMatchObject({
      code: 'E_MERGE',
      message: expect.stringMatching(/index\.lock was removed during the merge/),
    });
    expect(person(root, 'rev-parse', 'HEAD')).toBe(base);
    expect(await everyByte(root)).toEqual(before);
    expect(person(root, 'status', '--porcelain')).toBe('M  same.txt');
  });
});

describe('a lock held by another git process', () => {
  test('an approval waits for a lock that is soon removed', async () => {
    const brief = `touch ${LOCK}; (sleep 1; rm ${LOCK}) < /dev/null > /dev/null 2>&1 &`;
    const { root, commit, tree, approve } = await ready('commit-msg', brief);
    expect(await approve()).toMatchObject({ merged: true });
    await finished(root, commit, tree);
  });

  test('if the lock stays, the approval is refused and the lock is not removed', async () => {
    const { root, base, approve } = await ready('commit-msg', `touch ${LOCK}`);
    const before = await everyByte(root);
    await expect(approve()).rejects.toMatchObject({
      code: 'E_MERGE',
      message: expect.stringMatching(/another git process is running .*index\.lock/),
    });
    expect(existsSync(join(root, LOCK))).toBe(true);
    expect(person(root, 'rev-parse', 'HEAD')).toBe(base);
    expect(await everyByte(root)).toEqual(before);
    expect(person(root, 'for-each-ref', 'refs/dure/backup')).toBe('');
  });
});

test('no approval removes a lock that belongs to another process or run', async () => {
  const { root, approve } = await ready('post-commit', '');
  for (const content of ['', lockContent('run-20250101-000000')]) {
    await write(root, { [LOCK]: content });
    await expect(approve()).rejects.toMatchObject({ code: 'E_MERGE' });
    await approve('branch');
    expect(await readFile(join(root, LOCK), 'utf8')).toBe(content);
  }
  await rm(join(root, LOCK));
});

describe('a lock left behind by a killed approval of the run', () => {
  test('is removed, however the run is approved afterwards', async () => {
    for (const how of ['merge', 'branch'] as const) {
      const { root, approve } = await ready('post-commit', '');
      await write(root, { [LOCK]: lockContent(RUN) });
      expect(await approve(how)).toMatchObject({ how });
      expect(existsSync(join(root, LOCK))).toBe(false);
    }
  });

  test('is removed even if the approval is refused afterwards', async () => {
    const { root, approve } = await ready('post-commit', '');
    await write(root, { [LOCK]: lockContent(RUN), 'a.txt': 'mine\n' });
    await expect(approve()).rejects.toMatchObject({
      message: expect.stringMatching(/differ from .*a\.txt/),
    });
    expect(existsSync(join(root, LOCK))).toBe(false);
  });

  test('is removed once the index is replaced, if the branch had already moved', async () => {
    for (const how of ['merge', 'branch'] as const)
      for (const locked of [true, false]) {
        const { root, base, commit, tree, approve } = await ready('post-commit', '');
        const { commit: merged } = await approve();
        // The state right after the branch has moved. The user may then remove the lock.
        person(root, 'read-tree', base);
        await write(root, { 'mine.txt': 'mine\n', ...(locked && { [LOCK]: lockContent(RUN) }) });
        await mkdir(join(root, `.git/dure-kept-${tree}`));
        if (!locked) person(root, 'add', 'mine.txt');
        await approve(how);
        expect(person(root, 'rev-parse', 'main')).toBe(merged);
        expect(person(root, 'status', '--porcelain')).toBe(locked ? '?? mine.txt' : 'A  mine.txt');
        expect(person(root, 'diff', '--cached', '--name-only', commit)).toBe(locked ? '' : 'mine.txt');
        expect(existsSync(join(root, LOCK))).toBe(false);
        expect(existsSync(join(root, `.git/dure-kept-${tree}`))).toBe(false);
      }
  });
});

test('a file that the user changes just after staging it is still shown as changed after a merge', async () => {
  const { root, tree, approve } = await ready('post-commit', '');
  await write(root, { 'same.txt': 'x\n' });
  person(root, 'add', 'same.txt');
  await write(root, { 'same.txt': 'y\n' });
  await approve();
  expect(person(root, 'status', '--porcelain')).toBe('MM same.txt');
  expect(person(root, 'rev-parse', 'HEAD^{tree}')).toBe(tree);
});

test('the user may work in a linked worktree, which has its own index', async () => {
  const { root, base } = await ready('post-commit', '');
  const linked = join(await folder(), 'linked');
  person(root, 'worktree', 'add', '-q', '-b', 'topic', linked);
  await cp(join(root, '.dure'), join(linked, '.dure'), { recursive: true });
  const { repo, commit, tree } = await build(linked, base, { 'a.txt': 'n\n' }, 'run-20260131-142234');
  const result = approved(linked, { commit, base }, { runId: 'run-20260131-142234', hooks: 'skip' });
  await write(root, { [LOCK]: '' });
  expect(await mergeSealed(repo, result, 'merge')).toMatchObject({ merged: true, into: 'topic' });
  expect(person(linked, 'write-tree')).toBe(tree);
  expect(person(root, 'rev-parse', 'main')).toBe(base);
});
