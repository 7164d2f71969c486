import { execFileSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runBranch } from '../../src/formats/layout.ts';
import { gitPrograms } from '../../src/workspace/git/configured-programs.ts';
import { type ApprovedResult, type How, mergeSealed } from '../../src/workspace/merge/merge-sealed-result.ts';
import { HAS_SSH_KEYGEN } from '../helpers/optional-programs.ts';
import {
  approved,
  build,
  everyByte,
  folder,
  hook,
  open,
  person,
  RUN,
  repositoryWith,
  write,
} from './temporary-projects.ts';

const MESSAGE = `Add a limit\n\nAt most ten.\n\nDure-Run: ${RUN}\nCo-authored-by: Bob <bob@example.org>\n`;

const KEPT = `refs/dure/backup/${RUN}-pre-commit`;
const NEW_FILE = { work: { 'new.txt': 'new\n' } };

/** A run whose hooks existed when it began, and a user who approves from a shell with `env`. */
async function ready(
  hooks: Record<string, string> = {},
  { files = {}, work = {}, env = {} as Record<string, string> } = {},
) {
  const root = await repositoryWith({ 'a.txt': 'a\n', 'b.txt': 'b\n', ...files });
  for (const [name, script] of Object.entries(hooks)) await hook(root, name, script);
  const programs = await gitPrograms(await open(root));
  const base = person(root, 'rev-parse', 'HEAD');
  const { repo, tree, commit } = await build(root, base, { 'a.txt': 'agent\n', ...work });
  const shell = { PATH: process.env['PATH']!, HOME: await folder(), ...env };
  const approve = (more: Partial<ApprovedResult> = {}, how: How = 'merge') =>
    mergeSealed(
      { ...repo, shell },
      approved(root, { commit, base }, { message: MESSAGE, programs, ...more }),
      how,
    );
  return { root, repo, base, tree, shell, approve };
}

const look = async (root: string) => ({
  files: await everyByte(root),
  status: person(root, '--no-optional-locks', 'status', '--porcelain=v2', '--branch'),
  refs: person(root, 'for-each-ref', 'refs/heads/main', `refs/dure/backup/${RUN}`),
});

async function refused(
  { root, approve }: Awaited<ReturnType<typeof ready>>,
  why: RegExp,
  how: How = 'merge',
) {
  const before = await look(root);
  await expect(approve({}, how)).rejects.toMatchObject({
    code: 'E_MERGE',
    message: expect.stringMatching(why),
  });
  expect(await look(root)).toEqual(before);
}

describe('the commit of a result', () => {
  test('is one commit by the user, with the message and its trailers', async () => {
    const { root, base, tree, approve } = await ready();
    const { commit } = await approve();
    expect(person(root, 'rev-parse', 'main')).toBe(commit);
    expect(person(root, 'log', '-1', '--format=%P %T %an <%ae> %cn <%ce>%n%B')).toBe(
      `${base} ${tree} Ada <ada@example.org> Ada <ada@example.org>\n${MESSAGE}`,
    );
    expect(person(root, 'log', '-1', '--format=%(trailers:key=Dure-Run,valueonly)')).toBe(`${RUN}\n`);
    expect(person(root, 'status', '--porcelain')).toBe('');
  });

  test('takes its author and committer from the environment of the shell in which the user approves', async () => {
    const env = {
      GIT_AUTHOR_NAME: 'Grace',
      GIT_AUTHOR_EMAIL: 'grace@example.org',
      GIT_COMMITTER_NAME: 'Lin',
      GIT_COMMITTER_EMAIL: 'lin@example.org',
    };
    const { root, approve } = await ready({}, { env });
    await approve();
    expect(person(root, 'log', '-1', '--format=%an %cn')).toBe('Grace Lin');
  });

  test('needs a name: without one, the approval is refused, and the error gives the commands that set it', async () => {
    const run = await ready();
    person(run.root, 'config', '--unset', 'user.email');
    await refused(run, /git config --global user\.name .*git config --global user\.email/s);
    await refused(run, /git config --global user\.name/, 'branch');
  });

  test("is the tip of the run's branch, which can be checked out", async () => {
    const { root, approve } = await ready();
    const { commit } = await approve();
    person(root, 'checkout', '-q', runBranch(RUN));
    expect(person(root, 'rev-parse', 'HEAD')).toBe(commit);
  });
});

describe.skipIf(!HAS_SSH_KEYGEN)('where git signs commits', () => {
  const signing = async () => {
    const keys = await folder();
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'ada', '-f', join(keys, 'key')]);
    const publicKey = (await readFile(join(keys, 'key.pub'), 'utf8')).trim();
    await writeFile(join(keys, 'allowed'), `ada@example.org ${publicKey}\n`);
    const run = await ready();
    person(run.root, 'config', 'commit.gpgSign', 'true');
    person(run.root, 'config', 'gpg.format', 'ssh');
    person(run.root, 'config', 'user.signingKey', join(keys, 'key'));
    person(run.root, 'config', 'gpg.ssh.allowedSignersFile', join(keys, 'allowed'));
    return { ...run, keys };
  };

  test('the commit has a good signature, whether the approval merges it or only creates its branch', async () => {
    for (const how of ['merge', 'branch'] as const) {
      const { root, approve } = await signing();
      const { commit } = await approve({}, how);
      expect(person(root, 'log', '-1', '--format=%G? %GS', commit)).toBe('G ada@example.org');
      person(root, 'verify-commit', commit);
    }
  });

  test('an approval whose commit cannot be signed is refused, and the error gives the command to run', async () => {
    const run = await signing();
    person(run.root, 'config', 'user.signingKey', join(run.keys, 'missing'));
    await refused(run, /could not sign .*`dure approve`.*ssh-add/s);
    await refused(run, /could not sign/, 'branch');
  });
});

describe('hooks', () => {
  test('run as in `git commit`, in the working tree and with the environment of the shell', async () => {
    const names = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'];
    const run = await ready(
      Object.fromEntries(names.map(name => [name, `echo "${name} $HUSKY $(cat a.txt) $#" >> "$NOTED"`])),
      { env: { HUSKY: '2' } },
    );
    const noted = join(run.shell.HOME, 'noted');
    Object.assign(run.shell, { NOTED: noted });
    await run.approve();
    expect((await readFile(noted, 'utf8')).trim().split('\n')).toEqual([
      'prepare-commit-msg 2 a 2',
      'commit-msg 2 a 1',
      'pre-commit 2 agent 0',
      'post-commit 2 agent 0',
    ]);
  });

  test('see in the index exactly what is committed', async () => {
    const script = 'git diff --cached --name-only > "$NOTED"; git diff --name-only >> "$NOTED"';
    const run = await ready({ 'pre-commit': script });
    Object.assign(run.shell, { NOTED: join(run.shell.HOME, 'noted') });
    await write(run.root, { 'staged.txt': 's\n', 'b.txt': 'mine\n' });
    person(run.root, 'add', 'staged.txt');
    await run.approve();
    expect(await readFile(join(run.shell.HOME, 'noted'), 'utf8')).toBe('a.txt\nb.txt\n');
    expect(person(run.root, 'status', '--porcelain')).toBe(' M b.txt\nA  staged.txt');
  });

  test('may change the message', async () => {
    const { root, approve } = await ready({ 'commit-msg': 'echo "Change-Id: I1" >> "$1"' });
    await approve();
    expect(person(root, 'log', '-1', '--format=%B').trim().split('\n').at(-1)).toBe('Change-Id: I1');
  });

  test('if a hook fails, the approval is refused with the output of the hook', async () => {
    for (const name of ['pre-commit', 'prepare-commit-msg', 'commit-msg']) {
      const run = await ready({ [name]: 'echo "line too long" >&2; exit 1' });
      await refused(run, new RegExp(`your ${name} hook failed:\\nline too long\\n.*--no-verify`));
    }
  });

  test('may leave behind a process that keeps their output open', async () => {
    const leaves = (exit: number) => `sleep 600 & echo $! >> "$NOTED"; echo said; exit ${exit}`;
    const run = await ready({ 'pre-commit': leaves(1), 'post-commit': leaves(0) });
    const noted = join(run.shell.HOME, 'noted');
    Object.assign(run.shell, { NOTED: noted });
    try {
      await refused(run, /pre-commit hook failed:\nsaid\n/);
      await hook(run.root, 'pre-commit', 'exit 0');
      const programs = await gitPrograms(run.repo);
      expect(await run.approve({ programs })).toMatchObject({ merged: true });
    } finally {
      const left = (await readFile(noted, 'utf8')).trim().split('\n');
      for (const pid of left) process.kill(Number(pid));
    }
  });

  test('if a hook fails after an interrupted attempt, the error names the files that the attempt had written', async () => {
    const run = await ready({ 'pre-commit': 'exit 1' }, NEW_FILE);
    // The state in which a driver that is killed during the hook leaves the files.
    person(run.root, 'update-ref', `refs/dure/backup/${RUN}`, run.base);
    person(run.root, 'read-tree', '-m', '-u', run.base, run.tree);
    const error: unknown = await run.approve().catch(refusal => refusal);
    expect(error).toMatchObject({
      code: 'E_MERGE',
      message: expect.stringMatching(/hook failed:.*could not be restored: a\.txt, new\.txt\. Run/s),
    });
    const [, restore = ''] = /`git (restore [^`]*)`/.exec((error as Error).message) ?? [];
    person(run.root, ...restore.split(' '), 'a.txt', 'new.txt');
    expect(person(run.root, 'status', '--porcelain')).toBe('');
    await expect(run.approve()).rejects.toThrow(/hook failed:\n[^:]*\nTo approve/);
    expect(person(run.root, 'for-each-ref', `refs/dure/backup/${RUN}`), 'everything is restored').toBe('');
    await refused(run, /hook failed:\n[^:]*\nTo approve/);
  });

  test('if a hook changes a file, the approval is aborted', async () => {
    const formatted = await ready({ 'pre-commit': 'echo formatted > a.txt; git add a.txt' });
    await refused(formatted, /pre-commit hook changes a\.txt/);
    expect(person(formatted.root, 'show', `${KEPT}:a.txt`)).toBe('formatted');
    const staged = await ready({ 'pre-commit': 'git rm -q --cached b.txt' });
    await refused(staged, /pre-commit hook changes b\.txt/);
  });

  test('if the user saves a file while a hook runs, none of its content is lost', async () => {
    for (const exit of [0, 1]) {
      const run = await ready({ 'pre-commit': `echo saved >> b.txt; exit ${exit}` });
      const left = /files changed while the hook ran and were left as they are: b\.txt\. If you changed them/;
      await expect(run.approve()).rejects.toMatchObject({
        code: 'E_MERGE',
        message: expect.stringMatching(left),
      });
      expect(await readFile(join(run.root, 'b.txt'), 'utf8')).toBe('b\nsaved\n');
      expect(person(run.root, 'status', '--porcelain')).toBe(' M b.txt');
    }
    const run = await ready({ 'pre-commit': '[ -e .git/ran ] && exit; touch .git/ran; echo saved > b.txt' });
    await expect(run.approve()).rejects.toMatchObject({ code: 'E_MERGE' });
    expect(await run.approve()).toMatchObject({ merged: true });
    expect(person(run.root, 'status', '--porcelain')).toBe(' M b.txt');
  });

  test('if the user saves a file of the result while a hook runs, each replaced version is kept', async () => {
    const run = await ready({ 'pre-commit': 'echo "saved $NOTE" > a.txt; rm new.txt; exit 1' }, NEW_FILE);
    for (const NOTE of ['once', 'twice']) {
      Object.assign(run.shell, { NOTE });
      const kept = new RegExp(
        `hook failed:\n.*The content of a.txt, new.txt after the hook is saved in .${KEPT}`,
        's',
      );
      await refused(run, kept);
    }
    expect(person(run.root, 'show', `${KEPT}~:a.txt`)).toBe('saved once');
    expect(person(run.root, 'show', `${KEPT}:a.txt`)).toBe('saved twice');
    expect(person(run.root, 'ls-tree', '--name-only', KEPT)).not.toContain('new.txt');
  });

  test('do not run if they were planted or changed during the run, and the refusal of the approval names them', async () => {
    const planted = await ready();
    await hook(planted.root, 'pre-commit', 'touch ran');
    await refused(planted, /git hooks have changed since the run began: pre-commit\./);
    const changed = await ready({ 'commit-msg': 'exit 0' });
    await hook(changed.root, 'commit-msg', 'touch ran');
    await refused(changed, /: commit-msg\./);
    const moved = await ready({ 'pre-commit': 'exit 0' });
    await hook(moved.root, 'pre-commit', 'touch ran', '.githooks');
    person(moved.root, 'config', 'core.hooksPath', '.githooks');
    await refused(moved, /: core\.hooksPath/);
    expect(await planted.approve({ hooks: 'skip' })).toMatchObject({ merged: true });
    expect(Object.keys(await everyByte(planted.root))).not.toContain('ran');
  });

  test('hooks that the result changes do not run on the result', async () => {
    const files = {
      '.husky/pre-commit': '#!/bin/sh\nexit 0\n',
      '.husky/_/pre-commit': '#!/bin/sh\n. "$(dirname "$0")/../pre-commit"\n',
    };
    const root = await repositoryWith({ 'a.txt': 'a\n', ...files });
    await chmod(join(root, '.husky/_/pre-commit'), 0o755);
    person(root, 'config', 'core.hooksPath', '.husky/_');
    person(root, 'commit', '-qam', 'executable');
    const programs = await gitPrograms(await open(root));
    const base = person(root, 'rev-parse', 'HEAD');
    const { repo, commit } = await build(root, base, { '.husky/pre-commit': '#!/bin/sh\ntouch ran\n' });
    const before = await look(root);
    const result = approved(root, { commit, base }, { programs });
    await expect(mergeSealed(repo, result, 'merge')).rejects.toMatchObject({
      message: expect.stringMatching(/the result changes these git hooks.*: pre-commit\./),
    });
    expect(await look(root)).toEqual(before);
    expect(await mergeSealed(repo, { ...result, hooks: 'skip' }, 'merge')).toMatchObject({ merged: true });
    expect(Object.keys(await everyByte(root))).not.toContain('ran');
  });

  test('if only a branch is created, only the hooks for the commit message run', async () => {
    const { root, approve } = await ready({
      'commit-msg': 'echo "Change-Id: I1" >> "$1"',
      'pre-commit': 'exit 1',
    });
    const { commit } = await approve({}, 'branch');
    expect(person(root, 'log', '-1', '--format=%B', commit)).toContain('Change-Id: I1');
  });
});
