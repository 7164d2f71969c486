import { constants } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmod,
  copyFile,
  mkdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runBranch } from '../../src/formats/layout.ts';
import { dirtyFiles, resolveBase } from '../../src/workspace/base-and-snapshot-commits.ts';
import {
  changedFiles,
  diffStat,
  isSamePatch,
  readPatch,
  writeChanged,
  writePatch,
} from '../../src/workspace/git/diff-trees.ts';
import { withExactGit } from '../../src/workspace/git/isolated-git.ts';
import { openRepository } from '../../src/workspace/git/open-repository.ts';
import { readBlob } from '../../src/workspace/git/read-blobs.ts';
import { type Repository, runGit } from '../../src/workspace/git/run-git.ts';
import { writeTreeToFolder } from '../../src/workspace/git/write-tree-to-folder.ts';
import { sealFolder, sealRef } from '../../src/workspace/seal/seal.ts';
import { addWorktree } from '../../src/workspace/worktree.ts';
import {
  build,
  DATE,
  everyByte,
  filesIn,
  open,
  person,
  RUN,
  repositoryWith,
  seal,
  trap,
  withPath,
  worktreeOf,
  write,
} from './temporary-projects.ts';

const started = async (files: Record<string, string> = { 'a.txt': 'a\n' }) => {
  const root = await repositoryWith(files);
  const repo = await open(root);
  const { commit: base } = await resolveBase(repo, null);
  const dir = worktreeOf(root);
  await addWorktree(repo, dir, runBranch(RUN), base);
  return { root, repo, base, dir };
};

describe('a sealed worktree', () => {
  test('stores a big file unchanged in a git pack, not as a loose object', async () => {
    const { root, repo, base, dir } = await started();
    const big = randomBytes(20_000_000);
    await writeFile(join(dir, 'big.bin'), big);
    const { commit } = await seal(repo, root, base);
    expect((await readBlob(repo, commit, 'big.bin'))?.equals(big)).toBe(true);
    const { stdout } = await runGit(['count-objects', '-v'], { cwd: repo.commonDir });
    const [, size] = /^size: (\d+)$/m.exec(stdout.toString()) ?? [];
    const [, packed] = /^size-pack: (\d+)$/m.exec(stdout.toString()) ?? [];
    expect(Number(size)).toBeLessThan(1000);
    expect(Number(packed)).toBeGreaterThan(19_000);
  });

  test('records changed, new and deleted files, but no ignored ones', async () => {
    const { root, repo, base, dir } = await started({
      'a.txt': 'a\n',
      'b.txt': 'b\n',
      '.gitignore': 'dist/\n',
    });
    await write(dir, { 'a.txt': 'changed\n', 'src/new file.ts': 'new\n', 'dist/out.js': 'made\n' });
    await rm(join(dir, 'b.txt'));
    const { commit } = await seal(repo, root, base);
    expect(await changedFiles(repo, base, commit)).toEqual(['a.txt', 'b.txt', 'src/new file.ts']);
    expect(person(root, 'rev-parse', sealRef(RUN, 'build-1'), runBranch(RUN))).toBe(`${commit}\n${commit}`);
    expect(person(root, 'log', '-1', '--format=%an <%ae> %cn %aI %P', commit)).toBe(
      `Dure <dure@localhost> Dure 2026-01-31T14:22:33+00:00 ${base}`,
    );
  });

  test('is the same commit for the same files, wherever and whenever it is created', async () => {
    const { root, repo, base, dir } = await started();
    await write(dir, { 'b.txt': 'b\n' });
    const first = await seal(repo, root, base);
    await write(dir, { 'b.txt': 'other\n' });
    await seal(repo, root, base);
    await write(dir, { 'b.txt': 'b\n' });
    expect(await seal(repo, root, base)).toEqual(first);
  });

  test('does not contain later edits', async () => {
    const { root, repo, base, dir } = await started();
    await write(dir, { 'a.txt': 'in time\n' });
    const { commit } = await seal(repo, root, base);
    await write(dir, { 'a.txt': 'late\n', 'late.txt': 'late\n' });
    expect((await readBlob(repo, commit, 'a.txt'))?.toString()).toBe('in time\n');
    expect(await readBlob(repo, commit, 'late.txt')).toBeNull();
  });

  test('contains the files of nested repositories, not gitlinks to their commits', async () => {
    const { root, repo, base, dir } = await started({ 'a.txt': 'a\n', '.gitignore': '*.log\n' });
    await write(dir, {
      'app/index.js': '1\n',
      'app/.gitignore': 'tmp/\n',
      'app/tmp/x': 'x\n',
      'app/debug.log': 'x\n',
      'app/lib/deep/x.js': '2\n',
    });
    const { program, sprung } = await trap();
    for (const inner of ['app/lib', 'app']) person(join(dir, inner), 'init', '-q');
    person(join(dir, 'app'), 'add', 'index.js');
    person(join(dir, 'app'), 'commit', '-q', '-m', 'scaffold');
    for (const inner of ['app/lib', 'app']) person(join(dir, inner), 'config', 'core.fsmonitor', program);
    const { commit } = await seal(repo, root, base);
    expect(await changedFiles(repo, base, commit)).toEqual([
      'app/.gitignore',
      'app/index.js',
      'app/lib/deep/x.js',
    ]);
    expect(person(root, 'ls-tree', '-r', commit)).not.toContain('160000');
    expect(sprung()).toBe(false);
  });

  test('contains a folder, link or repository that replaced a file', async () => {
    const { root, repo, base, dir } = await started({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c/d.txt': 'd\n' });
    await rm(join(dir, 'a.txt'));
    await rm(join(dir, 'b.txt'));
    await rm(join(dir, 'c'), { recursive: true });
    await write(dir, { 'a.txt/in.txt': '1\n', 'b.txt/in.txt': '2\n' });
    await symlink('b.txt', join(dir, 'c'));
    person(join(dir, 'b.txt'), 'init', '-q');
    person(join(dir, 'b.txt'), 'add', '.');
    person(join(dir, 'b.txt'), 'commit', '-q', '-m', 'x');
    const { commit } = await seal(repo, root, base);
    expect(filesIn(root, commit)).toEqual(['.dure/.gitignore', 'a.txt/in.txt', 'b.txt/in.txt', 'c']);
    expect(person(root, 'ls-tree', '-r', commit)).not.toContain('160000');
  });

  test('keeps a submodule unchanged, and runs no program of a repository that replaced it', async () => {
    const other = await repositoryWith({ 'lib.c': 'x\n' });
    const root = await repositoryWith({ 'a.txt': 'a\n' });
    person(root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', other, 'vendor');
    person(root, 'commit', '-q', '-m', 'submodule');
    const base = person(root, 'rev-parse', 'HEAD');
    const repo = await open(root);
    const dir = worktreeOf(root);
    await addWorktree(repo, dir, runBranch(RUN), base);
    expect((await seal(repo, root, base)).tree).toBe(person(root, 'rev-parse', 'HEAD^{tree}'));
    await write(dir, { 'vendor/evil.c': 'x\n' });
    person(join(dir, 'vendor'), 'init', '-q');
    person(join(dir, 'vendor'), 'add', '.');
    person(join(dir, 'vendor'), 'commit', '-q', '-m', 'evil');
    const { program, sprung } = await trap();
    person(join(dir, 'vendor'), 'config', 'core.fsmonitor', program);
    expect((await seal(repo, root, base)).tree).toBe(person(root, 'rev-parse', 'HEAD^{tree}'));
    expect(sprung()).toBe(false);
    person(dir, 'status');
    expect(sprung(), 'the trap works').toBe(true);
  });

  test('is complete even if .gitignore excludes .dure', async () => {
    const { root, repo, base, dir } = await started({ 'a.txt': 'a\n', '.gitignore': '.dure/\n' });
    await write(dir, { '.dure/x': 'x\n', 'b.txt': 'b\n' });
    expect(filesIn(root, (await seal(repo, root, base)).commit)).toEqual(['.gitignore', 'a.txt', 'b.txt']);
  });

  test('keeps .dure as it is on base', async () => {
    const { root, repo, base, dir } = await started({ 'a.txt': 'a\n', '.dure/config/global.json': '{}\n' });
    await rm(join(dir, '.dure'), { recursive: true });
    await write(dir, { '.dure/config/agents.json': 'evil\n' });
    expect((await seal(repo, root, base)).tree).toBe(person(root, 'rev-parse', `${base}^{tree}`));
  });

  test('keeps links as links, even when they lead out of the worktree, and keeps modes', async () => {
    const { root, repo, base, dir } = await started();
    await symlink('/etc/passwd', join(dir, 'outside'));
    await symlink('a.txt', join(dir, 'beside'));
    await write(dir, { 'run.sh': '#!/bin/sh\n' });
    await chmod(join(dir, 'run.sh'), 0o755);
    const { commit } = await seal(repo, root, base);
    expect((await readBlob(repo, commit, 'outside'))?.toString()).toBe('/etc/passwd');
    const copy = join(root, '.dure/copy');
    await writeTreeToFolder(repo, commit, copy);
    expect(await readlink(join(copy, 'beside'))).toBe('a.txt');
    expect(await everyByte(copy)).toEqual(await everyByte(dir));
  });

  test('keeps unusual names and contents byte for byte', async () => {
    const { root, repo, base, dir } = await started();
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    await write(dir, {
      ' lead and trail ': 'x',
      '-rf': 'x',
      ':(exclude)a.txt': 'x',
      'q"uo\'te\\': 'x',
      '$(touch pwned)`id`;#': 'x',
      'ünïcødé 漢字 🙂': 'x',
      '*.txt': 'x',
      'bin.dat': bytes,
      'latin1.txt': Buffer.from('caf\xe9\n', 'latin1'),
      empty: '',
    });
    const { commit } = await seal(repo, root, base);
    const copy = join(root, '.dure/copy');
    await writeTreeToFolder(repo, commit, copy);
    expect(await everyByte(copy)).toEqual(await everyByte(dir));
    expect(await readBlob(repo, commit, 'bin.dat')).toEqual(bytes);
    expect((await readBlob(repo, commit, '*.txt'))?.toString()).toBe('x');
  });

  test('is complete whatever the agent did to .git in the worktree', async () => {
    const { root, repo, base, dir } = await started();
    const victim = await repositoryWith({ 'v.txt': 'v\n' });
    await write(dir, { '.git': `gitdir: ${join(victim, '.git')}\n`, 'b.txt': 'b\n' });
    const { commit } = await seal(repo, root, base);
    expect(filesIn(root, commit)).toContain('b.txt');
    await rm(join(dir, '.git'));
    person(dir, 'init', '-q');
    expect(await seal(repo, root, base)).toMatchObject({ commit });
    expect(person(victim, 'log', '--oneline', '--all').split('\n')).toHaveLength(1);
  });

  test('is clean and on its branch once it is sealed, as git in the worktree shows', async () => {
    const { root, repo, base, dir } = await started();
    await write(dir, { 'b.txt': 'b\n' });
    expect(person(dir, 'status', '--porcelain')).toBe('?? b.txt');
    person(dir, 'checkout', '-q', '-b', 'elsewhere');
    const { commit } = await seal(repo, root, base);
    expect(person(dir, 'status', '--porcelain')).toBe('');
    expect(person(dir, 'rev-parse', 'HEAD', '--abbrev-ref', 'HEAD')).toBe(`${commit}\n${runBranch(RUN)}`);
  });
});

test('no filter, hook, monitor, textconv, external diff or merge program runs, whoever configured it', async () => {
  const { root, repo, base, dir } = await started();
  const { program, sprung } = await trap();
  for (const key of ['filter.evil.clean', 'filter.evil.smudge', 'diff.evil.textconv', 'diff.evil.command'])
    person(root, 'config', key, program);
  for (const key of [
    'diff.external',
    'merge.evil.driver',
    'core.fsmonitor',
    'core.sshCommand',
    'core.editor',
  ])
    person(root, 'config', key, program);
  person(root, 'config', 'filter.evil.required', 'true');
  for (const hook of [
    'post-checkout',
    'pre-commit',
    'reference-transaction',
    'post-index-change',
    'post-merge',
  ])
    await copyFile(program, join(root, '.git/hooks', hook));

  await write(dir, { '.gitattributes': '* filter=evil diff=evil merge=evil\n', 'a.txt': 'changed\n' });
  const { commit, tree } = await seal(repo, root, base);
  await writeTreeToFolder(repo, tree, join(root, '.dure/copy'));
  const patch = join(root, '.dure/changes.patch');
  await writePatch(repo, base, commit, patch);
  expect(await readFile(patch, 'utf8')).toContain('+changed');
  const changed = join(root, '.dure/changed');
  await mkdir(changed);
  await writeChanged(repo, base, commit, changed);
  expect(await dirtyFiles(repo)).toEqual([]);
  const again = worktreeOf(root, 'run-20260131-142234');
  await addWorktree(repo, again, runBranch('run-20260131-142234'), commit);
  expect(await readFile(join(again, 'a.txt'), 'utf8')).toBe('changed\n');
  expect(sprung()).toBe(false);

  person(root, '-c', 'core.fsmonitor=', 'diff', base, commit);
  expect(sprung(), 'the trap works').toBe(true);
});

test('a pipe in place of a file that git reads does not block git', async () => {
  const { root, repo, base, dir } = await started({ 'a.txt': 'a\n', '.gitattributes': '* text\n' });
  await write(dir, { 'b.txt': 'b\n' });
  await rm(join(dir, '.gitattributes'));
  await mkdir(join(dir, 'nested/.git/objects'), { recursive: true });
  await mkdir(join(dir, 'nested/.git/refs'));
  execFileSync(
    'mkfifo',
    ['.gitignore', '.gitattributes', 'nested/.git/HEAD'].map(path => join(dir, path)),
  );
  const { commit } = await seal(repo, root, base);
  expect(filesIn(root, commit)).toEqual(['.dure/.gitignore', 'a.txt', 'b.txt']);
});

describe('a sealed folder', () => {
  test('contains all files, ignored or not, but no special files', async () => {
    const { root, repo } = await started();
    const verifier = join(root, '.dure/runs', RUN, 'verifier');
    await write(verifier, {
      '.gitignore': '*\n',
      'tests/a.test.ts': 't\n',
      'tests/node_modules/x.js': 'x\n',
      'nested/file': 'n\n',
      '.dure/file': 'n\n',
    });
    person(join(verifier, 'nested'), 'init', '-q');
    execFileSync('mkfifo', [join(verifier, 'pipe')]);
    const ref = sealRef(RUN, 'verifier-1');
    const sealed = await sealFolder(repo, verifier, { ref, message: 'tests', date: DATE });
    expect(filesIn(root, ref)).toEqual([
      '.dure/file',
      '.gitignore',
      'nested/file',
      'tests/a.test.ts',
      'tests/node_modules/x.js',
    ]);
    expect(await sealFolder(repo, verifier, { ref, message: 'tests', date: DATE })).toEqual(sealed);
  });

  test('keeps line endings, whatever the settings and attributes', async () => {
    const root = await repositoryWith({ 'a.txt': 'a\n' });
    await runGit(['config', 'core.autocrlf', 'true'], { cwd: root });
    const repo = await open(root);
    const files = { 'unix.sh': 'a\nb\n', 'dos.bat': 'a\r\nb\r\n', '.gitattributes': '* text eol=crlf\n' };
    await write(join(root, '.dure/lines'), files);
    const as = { ref: 'refs/dure/l', message: 'l', date: DATE };
    const { commit } = await sealFolder(repo, join(root, '.dure/lines'), as);
    const copy = join(root, '.dure/copy');
    await writeTreeToFolder(repo, commit, copy, withExactGit);
    for (const [name, text] of Object.entries(files)) {
      expect((await readBlob(repo, commit, name))?.toString()).toBe(text);
      expect(await readFile(join(copy, name), 'utf8')).toBe(text);
    }
  });

  test('may be empty', async () => {
    const { root, repo } = await started();
    await mkdir(join(root, '.dure/empty'));
    const { commit } = await sealFolder(repo, join(root, '.dure/empty'), {
      ref: 'refs/dure/e',
      message: 'e',
      date: DATE,
    });
    expect(filesIn(root, commit)).toEqual([]);
  });
});

test('a tree can be written only to an empty folder', async () => {
  const { root, repo, base } = await started();
  await write(root, { '.dure/copy/mine': 'mine' });
  await expect(writeTreeToFolder(repo, base, join(root, '.dure/copy'))).rejects.toThrow('not empty');
});

describe('a diff', () => {
  test('is a patch with which git apply turns base into exactly the result', async () => {
    const root = await repositoryWith({
      'a.txt': 'a\n',
      'gone.txt': 'g\n',
      'kind.txt': 'k\n',
      'moved.txt': 'long enough\n',
    });
    const base = person(root, 'rev-parse', 'HEAD');
    const { repo, commit, dir } = await build(root, base, {
      'a.txt': 'a',
      'gone.txt': null,
      'moved.txt': null,
      'moved 2.txt': 'long enough\n',
      'latin "1".txt': Buffer.from('caf\xe9\n', 'latin1'),
      'bom.txt': '\uFEFFbom\r\n',
      'bin.dat': Buffer.from([0, 1, 2, 255, 254]),
      'kind.txt': null,
    });
    await symlink('a.txt', join(dir, 'kind.txt'));
    const sealed = await seal(repo, root, base);
    expect(sealed.commit).not.toBe(commit);
    const patch = join(root, '.dure/changes.patch');
    await writePatch(repo, base, sealed.commit, patch);
    const text = await readFile(patch, 'latin1');
    expect(text).toContain('GIT binary patch');
    expect(text).toContain('deleted file mode');
    expect(text, 'text in any encoding can be read').toContain('+caf\xe9\n');
    const copy = join(root, '.dure/copy');
    await writeTreeToFolder(repo, base, copy);
    execFileSync('git', ['apply', '--whitespace=nowarn', patch], {
      cwd: copy,
      env: { ...process.env, GIT_CEILING_DIRECTORIES: join(root, '.dure') },
    });
    expect(await everyByte(copy)).toEqual(await everyByte(dir));
  });

  test('may exceed the maximum length of a string', async () => {
    const { root, repo, base } = await started();
    await writeFile(join(root, '.dure/large'), `${'x'.repeat(999_999)}\n`.repeat(60));
    const blob = person(root, 'hash-object', '-w', '.dure/large');
    // Git stores one object for ten names, and the patch repeats it.
    const entries = Array.from({ length: 10 }, (_, i) => `100644 blob ${blob}\tlarge${i}\n`).join('');
    const tree = execFileSync('git', ['mktree'], { cwd: root, input: entries, encoding: 'utf8' }).trim();
    const patch = join(root, '.dure/changes.patch');
    await writePatch(repo, base, tree, patch);
    expect((await stat(patch)).size).toBeGreaterThan(constants.MAX_STRING_LENGTH);
    expect(execFileSync('grep', ['-c', '^+++ b/large', patch], { encoding: 'utf8' })).toBe('10\n');
  }, 120_000);

  test('names a file of more than 100 MB and its hash, without its content', async () => {
    const { root, repo, base, dir } = await started();
    await write(dir, { 'a.txt': 'changed\n', 'b.dat': Buffer.from([0, 1, 2, 255, 254]) });
    const patchOf = async (size: number) => {
      await writeFile(join(dir, 'big [1].bin'), '');
      await truncate(join(dir, 'big [1].bin'), size);
      const { commit } = await seal(repo, root, base);
      const patch = join(root, '.dure/changes.patch');
      await writePatch(repo, base, commit, patch);
      const text = await readFile(patch, 'utf8');
      expect((await readPatch(repo, base, commit)).toString()).toBe(text);
      return { commit, text, files: await diffStat(repo, base, commit) };
    };
    const { commit, text, files } = await patchOf(100_000_001);
    expect(text).toContain('+changed');
    expect(text.match(/^GIT binary patch$/gm)).toHaveLength(1);
    const blob = person(root, 'rev-parse', `${commit}:big [1].bin`);
    expect(text).toContain(
      `index ${'0'.repeat(40)}..${blob}\nBinary files /dev/null and b/big [1].bin differ\n`,
    );
    expect(files.map(({ path, bytes }) => [path, bytes])).toEqual([
      ['a.txt', undefined],
      ['b.dat', undefined],
      ['big [1].bin', 100_000_001],
    ]);
    const other = await patchOf(100_000_002);
    const change = { from: base, to: commit };
    expect(await isSamePatch(repo, change, change)).toBe(true);
    expect(await isSamePatch(repo, change, { from: base, to: other.commit })).toBe(false);
  }, 120_000);

  test('a patch that cannot be written causes an error', async () => {
    const { root, repo, base } = await started();
    await expect(writePatch(repo, base, base, join(root, 'absent/changes.patch'))).rejects.toThrow('ENOENT');
  });

  test('counts lines, except those of binary files', async () => {
    const root = await repositoryWith({ 'a.txt': 'a\nb\n' });
    const base = person(root, 'rev-parse', 'HEAD');
    const { repo, commit } = await build(root, base, {
      'a.txt': 'a\nc\nd\n',
      'tab\tname': 'x\n',
      'b.bin': '\0',
    });
    expect(await diffStat(repo, base, commit)).toEqual([
      { path: 'a.txt', added: 2, removed: 1, kind: null },
      { path: 'b.bin', added: null, removed: null, kind: null },
      { path: 'tab\tname', added: 1, removed: 0, kind: null },
    ]);
    expect(await diffStat(repo, base, base)).toEqual([]);
  });

  test('distinguishes links and executable files from regular files', async () => {
    const root = await repositoryWith({ 'a.sh': 'a\n' });
    const base = person(root, 'rev-parse', 'HEAD');
    await symlink('/etc/passwd', join(root, ':link'));
    await chmod(join(root, 'a.sh'), 0o755);
    person(root, 'add', '--all');
    person(root, 'commit', '--quiet', '-m', 'more');
    const repo = await openRepository(root, join(root, '.dure/shadow.git'));
    expect(await diffStat(repo, base, person(root, 'rev-parse', 'HEAD'))).toEqual([
      { path: ':link', added: 1, removed: 0, kind: 'link' },
      { path: 'a.sh', added: 0, removed: 0, kind: 'executable' },
    ]);
  });
});

test('a name that is not UTF-8 causes an error that spells out its bytes', async () => {
  const { root, repo } = await started();
  const folder = join(root, '.dure/odd');
  await mkdir(folder);
  await writeFile(Buffer.concat([Buffer.from(`${folder}/b`), Buffer.from([0xff]), Buffer.from('d')]), 'x');
  const seal = sealFolder(repo, folder, { ref: 'refs/dure/x', message: 'm', date: '2026-01-31T00:00:00Z' });
  await expect(seal).rejects.toThrow('the name of the file b\\xffd is not valid UTF-8');
});

describe('the files that differ between two commits', () => {
  const changed = async (repo: Repository, root: string, base: string, commit: string) => {
    const dir = join(root, '.dure/changed');
    await mkdir(dir);
    await writeChanged(repo, base, commit, dir);
    return everyByte(dir);
  };

  test('are written as stored in git, whatever their names and attributes; a link is written as a file with its target', async () => {
    const root = await repositoryWith({
      'a.txt': 'a\n',
      'gone.txt': 'g\n',
      'same.txt': 's\n',
      'was/in.txt': 'x',
    });
    person(root, 'config', 'core.autocrlf', 'true');
    const base = person(root, 'rev-parse', 'HEAD');
    const worktree = worktreeOf(root);
    const repo = await open(root);
    await addWorktree(repo, worktree, runBranch(RUN), base);
    await rm(join(worktree, 'gone.txt'));
    await rm(join(worktree, 'was'), { recursive: true });
    await write(worktree, {
      '.gitattributes': '*.crlf text eol=crlf\n*.wide working-tree-encoding=UTF-16\n*.id ident\n',
      'a.txt': 'changed\n',
      was: 'a folder\n',
      'b.crlf': 'b\n',
      'c.id': '$Id$\n',
      'latin1.txt': Buffer.from('caf\xe9\n', 'latin1'),
      'bin.dat': Buffer.from([0, 1, 2, 255, 254]),
      ':(exclude)a.txt': 'x',
      '*.txt': 'x',
      ' q"uo\'te\\ \t\n漢字': 'x',
      'deep/er/-rf': 'x',
      'run.sh': '#!/bin/sh\n',
      empty: '',
    });
    await chmod(join(worktree, 'run.sh'), 0o755);
    await symlink('/etc/passwd', join(worktree, 'outside'));
    const { commit } = await seal(repo, root, base);
    expect(await changed(repo, root, base, commit)).toEqual({
      '.gitattributes': '- *.crlf text eol=crlf\n*.wide working-tree-encoding=UTF-16\n*.id ident\n',
      'a.txt': '- changed\n',
      was: '- a folder\n',
      'b.crlf': '- b\n',
      'c.id': '- $Id$\n',
      'latin1.txt': '- caf\xe9\n',
      'bin.dat': '- \0\x01\x02\xff\xfe',
      ':(exclude)a.txt': '- x',
      '*.txt': '- x',
      ' q"uo\'te\\ \t\n漢字': '- x',
      'deep/er/-rf': '- x',
      'run.sh': 'x #!/bin/sh\n',
      outside: '- /etc/passwd',
      empty: '- ',
    });
  });

  test('need the same number of git calls, however many files there are', async () => {
    const bin = join(await repositoryWith({}), 'bin');
    const git = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    await write(bin, { git: `#!/bin/sh\necho call >> "\${0%/*}/calls"\nexec ${git} "$@"\n` });
    await chmod(join(bin, 'git'), 0o755);
    const calls = async (files: number): Promise<number> => {
      const root = await repositoryWith({ 'a.txt': 'a\n' });
      const base = person(root, 'rev-parse', 'HEAD');
      const work = Object.fromEntries(Array.from({ length: files }, (_, i) => [`${i}.txt`, `${i}\n`]));
      const { repo, commit } = await build(root, base, work);
      await writeFile(join(bin, 'calls'), '');
      await withPath(bin, async () => {
        expect(Object.keys(await changed(repo, root, base, commit))).toHaveLength(files);
      });
      return (await readFile(join(bin, 'calls'), 'utf8')).split('\n').length;
    };
    expect(await calls(40)).toBe(await calls(1));
  });
});
