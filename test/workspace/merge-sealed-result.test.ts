import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runBranch } from '../../src/formats/layout.ts';
import { resolveBase } from '../../src/workspace/base-and-snapshot-commits.ts';
import { mergeSealed } from '../../src/workspace/merge/merge-sealed-result.ts';
import { FILES, finished, ready, sealedFiles, WORK } from './ready-result.ts';
import {
  approved,
  build,
  everyByte,
  folder,
  named,
  open,
  person,
  RUN,
  repositoryWith,
  trap,
  withPath,
  write,
} from './temporary-projects.ts';

const BACKUP = `refs/dure/backup/${RUN}`;

/** Everything that a refusal must not change. */
const look = async (root: string) => ({
  files: await everyByte(root),
  status: person(root, '--no-optional-locks', 'status', '--porcelain=v2', '--branch'),
  branch: person(root, 'rev-parse', '--verify', '-q', 'main'),
});
/** A fake git that executes `command` but reports a failure, and behaves as given on later calls. */
async function gitThatFails(command: string, after: 'true' | 'false'): Promise<string> {
  const bin = await folder();
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh
here=$(dirname "$0")
[ -e "$here/failed" ] && { ${after} || exit 1; }
case "$*" in *'${command}'*) ${git} "$@"; touch "$here/failed"; exit 1 ;; esac
exec ${git} "$@"
`;
  await writeFile(join(bin, 'git'), script, { mode: 0o755 });
  return bin;
}
describe('approving on the base branch of the run', () => {
  test('applies exactly the sealed tree to the files, the index and the branch', async () => {
    const { root, tree, base, approve } = await ready();
    const { commit, ...merged } = await approve();
    expect(merged).toEqual({ merged: true, into: 'main', how: 'merge', url: null });
    expect(person(root, 'rev-parse', 'HEAD', '--abbrev-ref', 'HEAD')).toBe(`${commit}\nmain`);
    expect(person(root, 'log', '-1', '--format=%P %an <%ae> %cn: %s')).toBe(
      `${base} Ada <ada@example.org> Ada: Add what was asked`,
    );
    expect(person(root, 'status', '--porcelain')).toBe('');
    expect(person(root, 'write-tree')).toBe(tree);
    expect(await everyByte(root)).toEqual(await sealedFiles(root, commit));
    expect(existsSync(join(root, 'd'))).toBe(false);
    expect(person(root, 'rev-parse', BACKUP)).toBe(base);
  });

  test('does not touch other changed, staged or ignored files', async () => {
    const { root, approve } = await ready();
    await write(root, {
      'same.txt': 'mine\n',
      'mine.txt': 'mine\n',
      'x.log': 'mine\n',
      'staged.txt': 'mine\n',
    });
    person(root, 'add', 'staged.txt');
    await approve();
    expect(person(root, 'status', '--porcelain')).toBe(' M same.txt\nA  staged.txt\n?? mine.txt');
    expect(await everyByte(root)).toMatchObject({
      'same.txt': '- mine\n',
      'mine.txt': '- mine\n',
      'x.log': '- mine\n',
    });
  });

  test('merges only once, however often it is called', async () => {
    const { root, approve } = await ready();
    const { commit } = await approve();
    await write(root, { 'a.txt': 'later work\n' });
    person(root, 'commit', '-qam', 'later');
    const before = await look(root);
    expect(await approve()).toMatchObject({ merged: true, commit: before.branch });
    expect(await look(root)).toEqual(before);
    expect(person(root, 'merge-base', commit, 'HEAD')).toBe(commit);
  });

  test('works when the user has already made the same change by hand', async () => {
    const { root, approve } = await ready(FILES, { 'a.txt': 'by the agent\n', 'new.txt': 'n\n' });
    await write(root, { 'a.txt': 'by the agent\n', 'new.txt': 'n\n' });
    person(root, 'add', 'a.txt');
    expect(await approve()).toMatchObject({ merged: true });
    expect(person(root, 'status', '--porcelain')).toBe('');
  });

  test('turns files into folders, links and executables, and back', async () => {
    const root = await repositoryWith({ file: 'f\n', 'folder/x': 'x\n', plain: 'p\n' });
    const base = person(root, 'rev-parse', 'HEAD');
    const { dir } = await build(root, base, { file: null, 'file/x': 'x\n', folder: null, plain: null });
    await write(dir, { folder: 'f\n', tool: '#!/bin/sh\n' });
    await chmod(join(dir, 'tool'), 0o755);
    await symlink('tool', join(dir, 'plain'));
    const { repo, commit } = await build(root, base, {});
    await mergeSealed(repo, approved(root, { commit, base }), 'merge');
    expect(await everyByte(root)).toEqual(await everyByte(dir));
    expect(person(root, 'status', '--porcelain')).toBe('');
  });

  test("runs the user's filters, like `git checkout`, but none of their hooks", async () => {
    const { root, approve } = await ready(
      { '.gitattributes': '*.big filter=big\n', 'x.big': 'x\n' },
      { 'x.big': 'y\n' },
    );
    const [filter, hook] = [await trap(), await trap()];
    person(root, 'config', 'filter.big.smudge', filter.program);
    for (const name of ['post-checkout', 'post-merge', 'reference-transaction', 'post-index-change'])
      await copyFile(hook.program, join(root, '.git/hooks', name));
    await approve();
    expect([filter.sprung(), hook.sprung()]).toEqual([true, false]);
    expect(await readFile(join(root, 'x.big'), 'utf8')).toBe('y\n');
  });

  test('converts line endings as git does, and ignores modes if git does', async () => {
    const root = await repositoryWith({ 'crlf.txt': 'a\r\n', 'lf.txt': 'a\n' });
    person(root, 'config', 'core.autocrlf', 'true');
    person(root, 'config', 'core.fileMode', 'false');
    const base = person(root, 'rev-parse', 'HEAD');
    await build(root, base, { 'crlf.txt': 'b\r\n', 'lf.txt': 'b\n', 'new.txt': 'n\r\n' });
    // A file whose line endings git does not convert, and a program.
    const raw = person(root, 'hash-object', '-w', '--no-filters', join(root, 'crlf.txt'));
    const { repo, commit } = await build(root, base, {});
    person(root, 'read-tree', commit);
    for (const [mode, path] of [
      [100644, 'raw.txt'],
      [100755, 'tool'],
    ])
      person(root, 'update-index', '--add', '--cacheinfo', `${mode},${raw},${path}`);
    const tree = person(root, 'write-tree');
    person(root, 'read-tree', base);
    const more = person(root, 'commit-tree', tree, '-p', base, '-m', 'more');
    await mergeSealed(repo, approved(root, { commit: more, base }), 'merge');
    expect(await everyByte(root)).toMatchObject({
      'lf.txt': '- b\r\n',
      'new.txt': '- n\r\n',
      'raw.txt': '- a\r\n',
    });
    expect(person(root, 'status', '--porcelain')).toBe('');
  });

  test('works in a sparse checkout that includes the changed files', async () => {
    const { root, approve } = await ready(
      { 'in/a.txt': 'a\n', 'out/b.txt': 'b\n' },
      { 'in/a.txt': 'n\n', 'in/new/c.txt': 'n\n', 'top.txt': 'n\n' },
    );
    person(root, 'sparse-checkout', 'set', 'in');
    expect(await approve()).toMatchObject({ merged: true });
    expect(person(root, 'status', '--porcelain')).toBe('');
    expect(Object.keys(await everyByte(root))).toEqual(['in/a.txt', 'in/new/c.txt', 'top.txt']);
  });
});

describe('approval is refused and nothing changes', () => {
  const refused = async (root: string, approve: () => Promise<unknown>, why: RegExp) => {
    const before = await look(root);
    await expect(approve()).rejects.toMatchObject({ code: 'E_MERGE', message: expect.stringMatching(why) });
    expect(await look(root)).toEqual(before);
    expect(person(root, 'rev-parse', runBranch(RUN))).not.toBe('');
  };

  test('when the branch has moved', async () => {
    const { root, approve } = await ready();
    person(root, 'rm', '-q', 'same.txt');
    person(root, 'commit', '-qm', 'moved');
    await refused(root, approve, /main is at [0-9a-f]{10}, but the result was tested on/);
  });

  test('when the user is on another branch with other files', async () => {
    const { root, approve } = await ready();
    person(root, 'checkout', '-q', '-b', 'topic');
    person(root, 'commit', '-q', '--allow-empty', '-m', 'x');
    await write(root, { 'more.txt': 'm\n' });
    person(root, 'add', '.');
    person(root, 'commit', '-qm', 'moved');
    await refused(root, approve, /topic is at/);
  });

  test('when a file of the result was changed', async () => {
    const { root, approve } = await ready();
    await write(root, { 'a.txt': 'mine\n' });
    await refused(root, approve, /that the run started from: a\.txt\./);
  });

  test('when a file that the result deletes was changed, or one that it changes was deleted', async () => {
    const { root, approve } = await ready();
    await write(root, { 'gone.txt': 'mine\n' });
    await rm(join(root, 'a.txt'));
    await refused(root, approve, /a\.txt, gone\.txt/);
  });

  test('when an untracked or ignored file is at the path of an added file', async () => {
    const { root, approve } = await ready(FILES, { 'new.txt': 'n\n', 'x.log2': 'n\n' });
    await write(root, { 'new.txt': 'mine\n', '.git/info/exclude': 'new.txt\n' });
    await refused(root, approve, /new\.txt/);
  });

  test("when a folder is at an added file's path, or a file is at an added folder's path", async () => {
    const { root, approve } = await ready(FILES, { x: 'n\n', 'y/z': 'n\n' });
    await write(root, { 'x/mine.txt': 'mine\n' });
    await refused(root, approve, /x\/mine\.txt/);
    await rm(join(root, 'x'), { recursive: true });
    await write(root, { y: 'mine\n' });
    await refused(root, approve, /y/);
  });

  test('when an ignored file or link is where the result adds a folder, or an ignored folder is where it adds a file', async () => {
    const { root, approve } = await ready(
      { ...FILES, '.gitignore': 'x\ny\nz\n' },
      { '.gitignore': '', 'x/n.txt': 'n\n', 'y/deep/n.txt': 'n\n', z: 'n\n' },
    );
    await write(root, { x: 'mine\n' });
    await refused(root, approve, /the run started from: x\./);
    await rm(join(root, 'x'));
    await symlink(await folder({ 'n.txt': 'mine\n' }), join(root, 'x'));
    await refused(root, approve, /the run started from: x\./);
    await rm(join(root, 'x'));
    await write(root, { 'y/deep': '' });
    person(root, 'update-ref', BACKUP, 'HEAD');
    await refused(root, approve, /the run started from: y\/deep\./);
    await rm(join(root, 'y'), { recursive: true });
    await write(root, { 'z/mine.txt': 'mine\n', 'z/more/mine.txt': 'mine\n' });
    await refused(root, approve, /z\/mine\.txt, z\/more\/mine\.txt/);
    await rm(join(root, 'z'), { recursive: true });
    await write(root, { 'z/lost+found/.git/HEAD': 'mine\n' });
    await refused(root, approve, /z\/lost\+found\/\.git\/HEAD/);
    await rm(join(root, 'z'), { recursive: true });
    expect(await approve()).toMatchObject({ merged: true });
  });

  test('when a file of a nested repository is at the path of an added file', async () => {
    const { root, approve } = await ready(FILES, { 'inner/n.txt': 'n\n' });
    await write(root, { 'inner/n.txt': 'mine\n', '.git/info/exclude': 'n.txt\n' });
    person(join(root, 'inner'), 'init', '-q');
    await refused(root, approve, /inner\/n\.txt/);
  });

  test('when a link is in place of a folder in which the result changes files', async () => {
    const { root, approve } = await ready(FILES, { 'd/e.txt': 'n\n' });
    const elsewhere = await folder({ 'e.txt': 'e\n' });
    await rm(join(root, 'd'), { recursive: true });
    await symlink(elsewhere, join(root, 'd'));
    await refused(root, approve, /the run started from: d\./);
  });

  test('when a sparse checkout excludes changed or added files', async () => {
    for (const work of [{ 'out/b.txt': 'n\n' }, { 'out/c.txt': 'n\n' }, { 'new/c.txt': 'n\n' }]) {
      const { root, approve } = await ready({ 'in/a.txt': 'a\n', 'out/b.txt': 'b\n' }, work);
      person(root, 'sparse-checkout', 'set', 'in');
      const [left] = Object.keys(work);
      await refused(root, approve, new RegExp(`is sparse and leaves out .*: ${left}\\. .*--how branch`));
    }
  });

  describe('even after some files were written,', () => {
    const filtered = async (smudge: string, work: Record<string, string | null> = {}) => {
      const made = await ready(
        {
          ...FILES,
          '.gitattributes': '*.dat filter=slow\n',
          file: 'f\n',
          'folder/x': 'x\n',
          'old.dat': 'o\n',
        },
        { ...WORK, file: null, 'file/x': 'x\n', folder: null, 'old.dat': 'n\n', 'z.dat': 'z\n', ...work },
      );
      person(made.root, 'config', 'filter.slow.clean', 'cat');
      person(made.root, 'config', 'filter.slow.smudge', smudge);
      person(made.root, 'config', 'filter.slow.required', 'true');
      return made;
    };
    const unbacked = (root: string) =>
      expect(person(root, 'for-each-ref', 'refs/dure/backup'), 'nothing was begun').toBe('');

    test('when a required filter fails', async () => {
      const { root, approve } = await filtered('cat; false');
      await chmod(join(root, 'a.txt'), 0o600);
      await symlink('same.txt', join(root, 'mine'));
      await refused(root, approve, /smudge filter slow failed/);
      unbacked(root);
      expect((await lstat(join(root, 'a.txt'))).mode & 0o777).toBe(0o600);
      person(root, 'config', 'filter.slow.smudge', 'cat');
      expect(await approve()).toMatchObject({ merged: true });
    });

    test('when the branch cannot be moved', async () => {
      const { root, approve } = await filtered('cat');
      person(root, 'rm', '-q', '--cached', 'same.txt');
      await write(root, { '.git/refs/heads/main.lock': '' });
      await refused(root, approve, /main\.lock/);
      unbacked(root);
      await rm(join(root, '.git/refs/heads/main.lock'));
      expect(await approve()).toMatchObject({ merged: true });
    });

    test('when a filter writes what it cannot convert back', async () => {
      const { root, approve } = await filtered('tr z y');
      await refused(root, approve, /differ from the result .* written them: z\.dat\. /);
      unbacked(root);
      person(root, 'config', 'filter.slow.smudge', 'cat');
      expect(await approve()).toMatchObject({ merged: true });
    });

    test('when another program changes a file as soon as it is written, and that change is kept', async () => {
      const { root, approve } = await filtered('cat; echo mine > a.txt');
      const before = await look(root);
      await expect(approve()).rejects.toMatchObject({
        code: 'E_MERGE',
        message: expect.stringMatching(/differ from the result .* written them: a\.txt\. /),
      });
      const after = await look(root);
      expect(after).toEqual({
        ...before,
        files: { ...before.files, 'a.txt': '- mine\n' },
        status: expect.stringMatching(/^1 \.M .* a\.txt$/m),
      });
      unbacked(root);
    });

    test('but edits that the user made in the meantime are kept', async () => {
      const { root, approve } = await filtered('echo mine > a.txt; cat; false');
      const before = await everyByte(root);
      await expect(approve()).rejects.toMatchObject({ code: 'E_MERGE' });
      expect(await everyByte(root)).toEqual({ ...before, 'a.txt': '- mine\n' });
    });
  });

  test('when staged content exists only in the index', async () => {
    const { root, approve } = await ready();
    await write(root, { 'a.txt': 'staged\n' });
    person(root, 'add', 'a.txt');
    await write(root, { 'a.txt': 'a\n' });
    await refused(root, approve, /a\.txt/);
  });

  test('while a merge, a rebase or git am is in progress, or another git process is running', async () => {
    const { root, base, approve } = await ready();
    await writeFile(join(root, '.git/MERGE_HEAD'), `${base}\n`);
    await refused(root, approve, /merge is in progress/);
    await rm(join(root, '.git/MERGE_HEAD'));
    for (const [folder, operation] of [
      ['rebase-apply/applying', '`git am` session'],
      ['rebase-apply', 'rebase'],
      ['rebase-merge', 'rebase'],
    ] as const) {
      await mkdir(join(root, '.git', folder), { recursive: true });
      await refused(root, approve, new RegExp(`a ${operation} is in progress`));
      await rm(join(root, '.git', folder.split('/')[0]!), { recursive: true });
    }
    for (const name of ['index.lock', 'HEAD.lock', 'refs/heads/main.lock']) {
      await writeFile(join(root, '.git', name), '');
      await refused(root, approve, new RegExp(`left .*/${name}`));
      await rm(join(root, '.git', name));
    }
    expect(await approve()).toMatchObject({ merged: true });
  });
});

describe('approving when HEAD still has the tree that the run started from', () => {
  test('merges when the commit was only rewritten', async () => {
    const { root, tree, approve } = await ready();
    person(root, 'commit', '-q', '--amend', '-m', 'better words');
    const head = person(root, 'rev-parse', 'HEAD');
    person(root, 'config', 'user.name', 'Grace');
    person(root, 'config', 'user.email', 'grace@example.org');
    expect(await approve()).toMatchObject({ merged: true, commit: person(root, 'rev-parse', 'HEAD') });
    expect(person(root, 'log', '-1', '--format=%T %P %an')).toBe(`${tree} ${head} Grace`);
    expect(person(root, 'status', '--porcelain')).toBe('');
  });

  test('is refused on a detached HEAD, and the message says how to create only the branch', async () => {
    const { root, repo, result, approve } = await ready();
    person(root, 'checkout', '-q', '--detach');
    const before = await look(root);
    await expect(approve()).rejects.toMatchObject({
      code: 'E_MERGE',
      message: expect.stringMatching(/not on any branch.*--how branch/s),
    });
    expect(await look(root)).toEqual(before);
    const { commit, ...left } = await mergeSealed(repo, result, 'branch');
    expect(left).toEqual({ merged: false, into: null, how: 'branch', url: null });
    expect(person(root, 'rev-parse', runBranch(RUN))).toBe(commit);
  });

  test('creates the first branch of a repository without commits', async () => {
    const root = await folder();
    person(root, 'init', '-q', '-b', 'trunk');
    named(root);
    const repo = await open(root);
    const { commit: base } = await resolveBase(repo, null);
    const { commit } = await build(root, base, { 'a.txt': 'a\n' });
    const result = approved(root, { commit, base });
    await write(root, { 'a.txt': 'mine\n' });
    await expect(mergeSealed(repo, result, 'merge')).rejects.toMatchObject({ code: 'E_MERGE' });
    await rm(join(root, 'a.txt'));
    expect(await mergeSealed(repo, result, 'merge')).toMatchObject({ merged: true, into: 'trunk' });
    expect(person(root, 'log', '--format=%an: %s%n%P', 'trunk')).toBe('Ada: Add what was asked\n');
    expect(await everyByte(root)).toEqual({ 'a.txt': '- a\n' });
  });
});

test('approving with --how branch changes only the branch, which can be checked out', async () => {
  const { root, repo, result, base, tree } = await ready();
  const before = await look(root);
  const { commit, ...left } = await mergeSealed(repo, result, 'branch');
  expect(left).toEqual({ merged: false, into: null, how: 'branch', url: null });
  expect(await look(root)).toEqual(before);
  expect(person(root, 'log', '-1', '--format=%H %P %T %an', runBranch(RUN))).toBe(
    `${commit} ${base} ${tree} Ada`,
  );
  person(root, 'checkout', '-q', runBranch(RUN));
  expect(person(root, 'status', '--porcelain')).toBe('');
});

describe('approving in a folder without a repository', () => {
  const shadowed = async () => {
    const root = await folder({
      'a.txt': 'a\n',
      'gone.txt': 'g\n',
      'same.txt': 's\n',
      'sub/z.txt': 'z\n',
      'node_modules/x.js': 'x\n',
    });
    person(join(root, 'sub'), 'init', '-q');
    const repo = await open(root);
    const { commit: base } = await resolveBase(repo, null);
    const { commit } = await build(root, base, {
      'a.txt': 'agent\n',
      'gone.txt': null,
      'sub/z.txt': 'agent\n',
      'n/n.txt': 'n\n',
    });
    const result = approved(root, { commit, base });
    return { root, repo, base, commit, approve: () => mergeSealed(repo, result, 'merge') };
  };

  test('writes changed files, removes deleted ones, and keeps a backup', async () => {
    const { root, repo, base, commit, approve } = await shadowed();
    expect(await approve()).toEqual({ merged: true, into: null, commit, how: 'merge', url: null });
    expect(await everyByte(root, ['.dure/', 'sub/.git/'])).toEqual({
      'a.txt': '- agent\n',
      'same.txt': '- s\n',
      'sub/z.txt': '- agent\n',
      'n/n.txt': '- n\n',
      'node_modules/x.js': '- x\n',
    });
    expect(person(repo.gitDir, 'rev-parse', `${BACKUP}^{tree}`)).toBe(
      person(repo.gitDir, 'rev-parse', `${base}^{tree}`),
    );
    expect((await resolveBase(repo, null)).commit).toBe(commit);
    await write(root, { 'a.txt': 'later\n' });
    await approve();
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('later\n');
  });

  test('is refused when any file has changed since the run began, because the tests did not run on that change', async () => {
    const { root, approve } = await shadowed();
    await write(root, { 'same.txt': 'mine\n' });
    const before = await everyByte(root, ['.dure/']);
    await expect(approve()).rejects.toMatchObject({
      code: 'E_MERGE',
      message: expect.stringContaining('same.txt'),
    });
    expect(await everyByte(root, ['.dure/'])).toEqual(before);
  });

  test('is refused when it would overwrite an ignored file that the result no longer ignores', async () => {
    const root = await folder({ '.gitignore': '.env\ncache\n', '.env': 'KEY=precious\n', cache: 'mine\n' });
    const repo = await open(root);
    const { commit: base } = await resolveBase(repo, null);
    const work = { '.gitignore': 'dist\n', '.env': 'KEY=example\n', 'cache/n.txt': 'n\n' };
    const { commit } = await build(root, base, work);
    const before = await everyByte(root);
    await expect(mergeSealed(repo, approved(root, { commit, base }), 'merge')).rejects.toMatchObject({
      code: 'E_MERGE',
      message: expect.stringMatching(/: \.env, cache\./),
    });
    expect(await everyByte(root)).toEqual(before);
  });

  test('restores everything when it cannot finish', async () => {
    const { root, commit, approve } = await shadowed();
    const before = await everyByte(root, ['.dure/', 'sub/.git/']);
    await expect(withPath(await gitThatFails('read-tree -m', 'true'), approve)).rejects.toMatchObject({
      code: 'E_MERGE',
      message: expect.not.stringContaining('could not be restored'),
    });
    expect(await everyByte(root, ['.dure/', 'sub/.git/'])).toEqual(before);
    expect(await approve()).toMatchObject({ merged: true, commit });
  });

  test('names the written files when it can neither finish nor restore them', async () => {
    const { root, commit, approve } = await shadowed();
    await expect(withPath(await gitThatFails('read-tree -m', 'false'), approve)).rejects.toMatchObject({
      code: 'E_MERGE',
      message: expect.stringMatching(/could not be restored: a\.txt, gone\.txt, n\/n\.txt, sub\/z\.txt\./),
    });
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('agent\n');
    expect(await approve()).toMatchObject({ merged: true, commit });
  });

  test('is finished by the next attempt after an interruption', async () => {
    const { root, repo, base, commit, approve } = await shadowed();
    person(repo.gitDir, 'update-ref', BACKUP, base);
    await write(root, { 'a.txt': 'age', 'n/n.txt': '' });
    await rm(join(root, 'gone.txt'));
    expect(await approve()).toMatchObject({ merged: true, commit });
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('agent\n');
    expect(await readFile(join(root, 'n/n.txt'), 'utf8')).toBe('n\n');
  });
});

describe('an interrupted approval', () => {
  test('is finished by the next approval if it had begun to write files, even if some are incomplete or missing', async () => {
    const { root, base, commit, tree, approve } = await ready(FILES, {
      'a.txt': 'by the agent\n',
      'gone.txt': null,
      'd/e.txt': 'e2\n',
      'n.txt': 'n\n',
      'z.txt': 'z\n',
    });
    person(root, 'update-ref', BACKUP, base);
    await write(root, { 'a.txt': 'by the ag', 'n.txt': 'n\n' });
    await rm(join(root, 'gone.txt'));
    await rm(join(root, 'd/e.txt'));
    await approve();
    await finished(root, commit, tree);
  });

  test("is not finished by the next approval if the user has since edited a file, and the user's edit is kept", async () => {
    const { root, base, approve } = await ready();
    person(root, 'update-ref', BACKUP, base);
    await write(root, { 'a.txt': 'mine\n' });
    await expect(approve()).rejects.toMatchObject({ code: 'E_MERGE' });
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('mine\n');
  });

  test('is finished by the next approval, whether or not it had written the index', async () => {
    const { root, commit, tree, approve } = await ready();
    await approve();
    // The state after writing the files: index and branch unchanged.
    person(root, 'update-ref', 'refs/heads/main', `${commit}^`);
    person(root, 'read-tree', `${commit}^`);
    await approve();
    await finished(root, commit, tree);
    // The state after writing the index: only the branch unchanged.
    person(root, 'update-ref', 'refs/heads/main', `${commit}^`);
    await approve();
    await finished(root, commit, tree);
  });
});

describe('opening a pull request', () => {
  const withRemote = async (gh: string | null) => {
    const made = await ready();
    const remote = join(await folder(), 'remote.git');
    await mkdir(remote);
    person(remote, 'init', '-q', '--bare');
    person(made.root, 'remote', 'add', 'origin', remote);
    const bin = await folder();
    if (gh !== null) await writeFile(join(bin, 'gh'), `#!/bin/sh\n${gh}`, { mode: 0o755 });
    return { ...made, remote, bin };
  };
  test('pushes the branch, calls gh with the title and the summary of the pack, and returns the URL', async () => {
    const gh = `cd "$(dirname "$0")"; printf '%s\\n' "$@" > asked; cat > body; echo https://example.org/pr/7`;
    const summary = '# Merge-readiness pack: run (agents without a sandbox)\n\nIt greets.\n';
    const { root, repo, remote, bin, result } = await withRemote(gh);
    const before = await look(root);
    const { commit, ...left } = await withPath(bin, () => mergeSealed(repo, { ...result, summary }, 'pr'));
    const url = 'https://example.org/pr/7';
    expect(left).toEqual({ merged: false, into: 'main', how: 'pr', url, opened: true });
    expect(person(remote, 'rev-parse', runBranch(RUN))).toBe(commit);
    expect((await readFile(join(bin, 'asked'), 'utf8')).split('\n')).toEqual([
      'pr',
      'create',
      '--head',
      runBranch(RUN),
      '--title',
      'Add what was asked',
      '--body-file',
      '-',
      '--base',
      'main',
      '',
    ]);
    expect(await readFile(join(bin, 'body'), 'utf8')).toBe(summary.trim());
    expect(await look(root)).toEqual(before);
  });

  test('if a pull request already exists, its URL is returned', async () => {
    const gh = `[ "$1" = --version ] && exit; echo 'a pull request already exists: https://example.org/pr/7' >&2; exit 1`;
    const { repo, bin, result } = await withRemote(gh);
    expect(await withPath(bin, () => mergeSealed(repo, result, 'pr'))).toMatchObject({
      url: 'https://example.org/pr/7',
    });
  });

  test('if gh fails, the error contains its message', async () => {
    const { repo, bin, result } = await withRemote(
      `[ "$1" = --version ] && exit; echo 'not logged in' >&2; exit 4`,
    );
    await expect(withPath(bin, () => mergeSealed(repo, result, 'pr'))).rejects.toMatchObject({
      code: 'E_MERGE',
      message: expect.stringContaining('not logged in'),
    });
  });

  test('without gh, the branch is pushed, and the URL at which the user can open a pull request is returned', async () => {
    const { root, repo, remote, bin, result } = await withRemote('exit 127');
    const merged = await withPath(bin, () => mergeSealed(repo, result, 'pr'));
    expect(merged).toMatchObject({ how: 'pr', url: null, opened: false });
    expect(person(remote, 'rev-parse', runBranch(RUN))).toBe(merged.commit);
    person(root, 'config', `url.${remote}.pushInsteadOf`, 'git@github.com:ada/engine.git');
    person(root, 'remote', 'set-url', 'origin', 'git@github.com:ada/engine.git');
    expect(await withPath(bin, () => mergeSealed(repo, result, 'pr'))).toMatchObject({
      url: `https://github.com/ada/engine/compare/main...${runBranch(RUN)}?expand=1`,
      opened: false,
    });
  });

  test('the branch can be pushed again, but never overwrites commits that others pushed', async () => {
    const { repo, remote, bin, result } = await withRemote('exit 127');
    const approve = (message: string) =>
      withPath(bin, () => mergeSealed(repo, { ...result, message: `${message}\n` }, 'pr'));
    const branch = runBranch(RUN);
    await approve('one');
    const { commit } = await approve('two');
    expect(person(remote, 'rev-parse', branch)).toBe(commit);
    expect(await approve('two')).toMatchObject({ commit });

    const colleague = person(remote, 'commit-tree', '-p', commit, '-m', 'theirs', `${commit}^{tree}`);
    person(remote, 'update-ref', `refs/heads/${branch}`, colleague);
    await expect(approve('three')).rejects.toMatchObject({
      code: 'E_MERGE',
      message: expect.stringMatching(/on origin has commits that this run did not push.*--delete/),
    });
    expect(person(remote, 'rev-parse', branch)).toBe(colleague);

    person(remote, 'update-ref', '-d', `refs/heads/${branch}`);
    const again = await approve('three');
    expect(person(remote, 'rev-parse', branch)).toBe(again.commit);
  });

  test('requires a remote', async () => {
    const { repo, result } = await ready();
    await expect(mergeSealed(repo, result, 'pr')).rejects.toMatchObject({
      code: 'E_MERGE',
      message: /no remote/,
    });
  });
});
