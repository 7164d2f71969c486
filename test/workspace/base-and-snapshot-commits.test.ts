import { readdir, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runBranch } from '../../src/formats/layout.ts';
import { dirtyFiles, resolveBase, snapshot } from '../../src/workspace/base-and-snapshot-commits.ts';
import { readBlob } from '../../src/workspace/git/read-blobs.ts';
import { addWorktree } from '../../src/workspace/worktree.ts';
import {
  build,
  everyByte,
  filesIn,
  folder,
  open,
  person,
  RUN,
  repositoryWith,
  seal,
  trap,
  worktreeOf,
  write,
} from './temporary-projects.ts';

describe('the repository of a project', () => {
  test('is the repository at the root of the project, if any', async () => {
    const root = await repositoryWith({ 'a.txt': 'a\n' });
    expect(await open(root)).toEqual({
      gitDir: join(root, '.git'),
      commonDir: join(root, '.git'),
      workTree: root,
      prefix: '',
      shadow: false,
    });
  });

  test('is the enclosing repository if the project is a folder in it', async () => {
    const root = await repositoryWith({ 'packages/web/a.txt': 'a\n' });
    const project = join(root, 'packages/web');
    expect(await open(project)).toMatchObject({ workTree: root, prefix: 'packages/web/', shadow: false });
    const { commit, repo } = await build(project, person(root, 'rev-parse', 'HEAD'), {
      'packages/web/b.txt': 'b\n',
      'packages/web/.dure/config/x.json': 'evil\n',
    });
    expect(filesIn(root, commit)).toEqual(['.dure/.gitignore', 'packages/web/a.txt', 'packages/web/b.txt']);
    await write(project, { '.dure/new': 'x' });
    expect(await dirtyFiles(repo)).toEqual([]);
  });

  test('is a shadow repository if the enclosing repository ignores the folder', async () => {
    const root = await repositoryWith({ '.gitignore': 'scratch/\n' });
    await write(root, { 'scratch/a.txt': 'a\n' });
    expect(await open(join(root, 'scratch'))).toMatchObject({
      workTree: join(root, 'scratch'),
      shadow: true,
    });
  });

  test('is a linked worktree if the user works in one', async () => {
    const root = await repositoryWith({ 'a.txt': 'a\n' });
    const other = join(await folder(), 'linked');
    person(root, 'worktree', 'add', '-q', '-b', 'topic', other);
    const repo = await open(other);
    expect(repo).toMatchObject({ commonDir: join(root, '.git'), workTree: other, shadow: false });
    expect(await resolveBase(repo, null)).toMatchObject({ branch: 'topic' });
    const { commit } = await build(other, person(other, 'rev-parse', 'HEAD'), { 'b.txt': 'b\n' });
    expect(filesIn(root, commit)).toContain('b.txt');
  });

  test('is not misled by GIT_DIR in the environment', async () => {
    const [root, other] = [
      await repositoryWith({ 'a.txt': 'a\n' }),
      await repositoryWith({ 'b.txt': 'b\n' }),
    ];
    process.env['GIT_DIR'] = join(other, '.git');
    try {
      expect((await resolveBase(await open(root), null)).commit).toBe(person(root, 'rev-parse', 'HEAD'));
    } finally {
      delete process.env['GIT_DIR'];
    }
  });
});

describe('the base of a run', () => {
  test('is HEAD, or the named commit', async () => {
    const root = await repositoryWith({ 'a.txt': 'a\n' });
    const repo = await open(root);
    const first = person(root, 'rev-parse', 'HEAD');
    person(root, 'tag', '-a', '-m', 'one', 'v1');
    person(root, 'commit', '-q', '--allow-empty', '-m', 'second');
    const second = person(root, 'rev-parse', 'HEAD');
    expect(await resolveBase(repo, null)).toEqual({ commit: second, name: 'main', branch: 'main' });
    expect(await resolveBase(repo, 'v1')).toEqual({ commit: first, name: 'v1', branch: 'main' });
    person(root, 'checkout', '-q', '--detach');
    expect(await resolveBase(repo, null)).toEqual({ commit: second, name: 'HEAD', branch: null });
  });

  test.each(['nowhere', '--all', '', 'HEAD:a.txt', '$(touch pwned)'])(
    'is refused when %j names no commit',
    async name => {
      const repo = await open(await repositoryWith({ 'a.txt': 'a\n' }));
      await expect(resolveBase(repo, name)).rejects.toMatchObject({ code: 'E_BASE' });
    },
  );

  test('is an empty commit on no branch when there are no commits yet', async () => {
    const root = await folder();
    person(root, 'init', '-q', '-b', 'trunk');
    const repo = await open(root);
    const base = await resolveBase(repo, null);
    expect(base).toMatchObject({ name: 'trunk', branch: 'trunk' });
    expect(await resolveBase(repo, null)).toEqual(base);
    expect(filesIn(root, base.commit)).toEqual([]);
    expect(person(root, 'for-each-ref', 'refs/heads')).toBe('');
  });

  test('is a snapshot of the files if there is no repository, and a new one when they change', async () => {
    const root = await folder({
      'a.txt': 'a\n',
      '.dure/config/x': 'x',
      'node_modules/x/y.js': 'y',
      'sub/z.txt': 'z\n',
    });
    person(join(root, 'sub'), 'init', '-q');
    const before = await everyByte(root, ['.dure/']);
    const repo = await open(root);
    expect(repo.shadow).toBe(true);
    const first = await resolveBase(repo, null);
    expect(filesIn(repo.gitDir, first.commit)).toEqual(['a.txt', 'sub/z.txt']);
    expect(await resolveBase(await open(root), null)).toEqual(first);
    await write(root, { 'b.txt': 'b\n' });
    const second = await resolveBase(repo, null);
    expect(filesIn(repo.gitDir, second.commit)).toEqual(['a.txt', 'b.txt', 'sub/z.txt']);
    expect(person(repo.gitDir, 'rev-parse', `${second.commit}^`)).toBe(first.commit);
    expect(await everyByte(root, ['.dure/'])).toEqual({ ...before, 'b.txt': '- b\n' });
  });

  test('is in one complete shadow repository, with nothing left over, even if several callers open it at once', async () => {
    const root = await folder({ 'a.txt': 'a\n' });
    const repos = await Promise.all(Array.from({ length: 4 }, () => open(root)));
    for (const repo of repos) expect(repo).toEqual(repos[0]);
    expect(await readdir(join(root, '.dure'))).toEqual(['shadow.git']);
    expect(filesIn(repos[0]!.gitDir, (await resolveBase(repos[0]!, null)).commit)).toEqual(['a.txt']);
  });

  test('is an empty tree for an empty folder, and a run can start from it', async () => {
    const root = await folder();
    const repo = await open(root);
    const { commit: base } = await resolveBase(repo, null);
    const { commit } = await build(root, base, { 'a.txt': 'a\n' });
    expect(filesIn(repo.gitDir, commit)).toEqual(['a.txt']);
  });
});

describe('a dirty working tree', () => {
  const dirty = async () => {
    const root = await repositoryWith({
      'a.txt': 'a\n',
      'b.txt': 'b\n',
      'c.txt': 'c\n',
      'd.txt': 'd\n',
      '.gitignore': '*.log\n',
    });
    await write(root, { 'a.txt': 'changed\n', 'ünt racked.txt': 'new\n', 'x.log': 'x', 'b.txt': 'staged\n' });
    person(root, 'add', 'b.txt');
    await write(root, { 'b.txt': 'staged and changed\n' });
    person(root, 'rm', '-q', 'c.txt');
    person(root, 'mv', 'd.txt', 'e.txt');
    await symlink('a.txt', join(root, 'link'));
    return root;
  };
  const look = async (root: string) => ({
    // `git status` itself may rewrite the index, so it runs last.
    bytes: await everyByte(root, [
      '.git/objects/',
      '.git/refs/dure/',
      '.git/refs/heads/dure/',
      '.git/worktrees/',
      '.git/logs/refs/heads/dure/',
      '.dure/',
    ]),
    status: person(root, '--no-optional-locks', 'status', '--porcelain=v2', '--branch'),
  });

  test('has its changes listed, and neither its files nor its index change during a run', async () => {
    const root = await dirty();
    const before = await look(root);
    const repo = await open(root);
    const { commit: base } = await resolveBase(repo, null);
    expect(await dirtyFiles(repo)).toEqual([
      'a.txt',
      'b.txt',
      'c.txt',
      'd.txt',
      'e.txt',
      'link',
      'ünt racked.txt',
    ]);
    const snap = await snapshot(repo, base);
    await addWorktree(repo, worktreeOf(root), runBranch(RUN), snap);
    await write(worktreeOf(root), { 'a.txt': 'by the agent\n' });
    await seal(repo, root, snap);
    expect(await look(root)).toEqual(before);
  });

  test('yields a snapshot on top of base, with its changes but without ignored files', async () => {
    const root = await dirty();
    const repo = await open(root);
    const { commit: base } = await resolveBase(repo, null);
    const snap = await snapshot(repo, base);
    expect(filesIn(root, snap)).toEqual([
      '.dure/.gitignore',
      '.gitignore',
      'a.txt',
      'b.txt',
      'e.txt',
      'link',
      'ünt racked.txt',
    ]);
    expect((await readBlob(repo, snap, 'b.txt'))?.toString()).toBe('staged and changed\n');
    expect(person(root, 'rev-parse', `${snap}^`)).toBe(base);
  });

  test("goes through the user's filters when it is stored, as with git add", async () => {
    const root = await repositoryWith({ '.gitattributes': '*.big filter=big\n', 'x.big': 'x\n' });
    const { program, sprung } = await trap();
    person(root, 'config', 'filter.big.clean', program);
    await write(root, { 'x.big': 'changed\n' });
    const repo = await open(root);
    await snapshot(repo, (await resolveBase(repo, null)).commit);
    expect(sprung()).toBe(true);
  });

  test('yields a snapshot with a change made at the moment when git wrote the index', async () => {
    const root = await repositoryWith({ 'a.txt': 'a\n' });
    person(root, 'config', 'core.trustctime', 'false');
    const [file, index] = [join(root, 'a.txt'), join(root, '.git/index')];
    const moment = new Date('2026-01-31T14:22:33Z');
    await utimes(file, moment, moment);
    person(root, 'update-index', '--refresh');
    await utimes(index, moment, moment);
    await write(root, { 'a.txt': 'b\n' });
    await utimes(file, moment, moment);
    const repo = await open(root);
    const snap = await snapshot(repo, (await resolveBase(repo, null)).commit);
    expect((await readBlob(repo, snap, 'a.txt'))?.toString()).toBe('b\n');
  });

  test('the snapshot of a clean working tree is the base itself', async () => {
    const root = await repositoryWith({ 'a.txt': 'a\n' });
    const repo = await open(root);
    const { commit: base } = await resolveBase(repo, null);
    expect(await snapshot(repo, base)).toBe(base);
  });
});
