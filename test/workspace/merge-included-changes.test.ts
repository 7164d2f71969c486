/**
 * Approving a result that includes uncommitted changes. Whatever the user did with them since, the checkout has exactly
 * the result afterwards, or the approval is refused and nothing changes.
 */
import { chmod, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { snapshot } from '../../src/workspace/base-and-snapshot-commits.ts';
import { mergeSealed } from '../../src/workspace/merge/merge-sealed-result.ts';
import { FILES, finished, type Included, included, MINE, stash } from './included-changes.ts';
import {
  approved,
  build,
  everyByte,
  open,
  person,
  RUN,
  repositoryWith,
  write,
} from './temporary-projects.ts';

const BACKUP = `refs/dure/backup/${RUN}`;
const look = async (root: string) => ({
  files: await everyByte(root),
  status: person(root, '--no-optional-locks', 'status', '--porcelain=v2', '--branch'),
  backup: person(root, 'for-each-ref', 'refs/dure/backup'),
});

const refused = async ({ root, approve }: Included, why: RegExp) => {
  const before = await look(root);
  await expect(approve()).rejects.toMatchObject({ code: 'E_MERGE', message: expect.stringMatching(why) });
  expect(await look(root)).toEqual(before);
};

describe('the working tree contains exactly the result after the approval', () => {
  test.each<[since: string, act: (root: string) => unknown]>([
    ['did nothing', () => {}],
    ['stashed the changes', stash],
    ['stashed some of them', root => person(root, 'stash', 'push', '-q', 'mine.txt', 'gone.txt')],
    ['undid them', root => person(root, 'checkout', '-q', '--', '.')],
    ['deleted the new file', root => rm(join(root, 'fresh'), { recursive: true })],
    ['restored the deleted file', root => person(root, 'checkout', '-q', '--', 'gone.txt')],
    ['staged all of them', root => person(root, 'add', '-A')],
    [
      'staged them and undid them in the files',
      root => {
        person(root, 'add', '-A');
        person(root, 'restore', '--source=HEAD', '--worktree', '.');
      },
    ],
    [
      'committed them',
      root => {
        person(root, 'add', '-A');
        person(root, 'commit', '-qm', 'mine');
      },
    ],
    ["made the agent's change too", root => write(root, { 'agent.txt': 'mine and agent\n' })],
  ])('if the user %s', async (_, act) => {
    const run = await included();
    await act(run.root);
    expect(await run.approve()).toMatchObject({ merged: true });
    await finished(run);
  });

  test.each(['did nothing', 'stashed the changes'])(
    'when the included changes affect modes, types, folders and links, and the user %s',
    async since => {
      const run = await included(
        async root => {
          await chmod(join(root, 'other.txt'), 0o755);
          await rm(join(root, 'mine.txt'));
          await write(root, { 'mine.txt/inside.txt': 'i\n' });
          await rm(join(root, 'undone.txt'));
          await symlink('other.txt', join(root, 'undone.txt'));
        },
        { 'new.txt': 'n\n' },
      );
      if (since !== 'did nothing') stash(run.root);
      await run.approve();
      await finished(run);
    },
  );

  test.each(['did nothing', 'stashed the changes'])(
    'if an ignored file is in a folder that replaced a file, and the user %s',
    async since => {
      const run = await included(async root => {
        await rm(join(root, 'mine.txt'));
        await write(root, {
          'mine.txt/inside.txt': 'i\n',
          'mine.txt/x.log': 'log\n',
          '.gitignore': '*.log\n',
        });
      });
      const { root } = run;
      if (since === 'did nothing') {
        await run.approve();
        expect(person(root, 'status', '--porcelain')).toBe('');
        expect(await readFile(join(root, 'mine.txt/x.log'), 'utf8')).toBe('log\n');
      } else {
        await rm(join(root, 'mine.txt'), { recursive: true });
        stash(root);
        await run.approve();
        await finished(run);
      }
    },
  );

  test('if the included changes converted line endings and the user stashed them', async () => {
    const root = await repositoryWith({ 'crlf.txt': 'a\r\n', 'a.txt': 'a\n' });
    person(root, 'config', 'core.autocrlf', 'true');
    await write(root, { 'crlf.txt': 'a\n' });
    const repo = await open(root);
    const base = await snapshot(repo, person(root, 'rev-parse', 'HEAD'));
    const { commit, tree } = await build(root, base, { 'a.txt': 'agent\n' });
    stash(root);
    await mergeSealed(repo, approved(root, { commit, base }), 'merge');
    expect(person(root, 'status', '--porcelain')).toBe('');
    expect(person(root, 'write-tree')).toBe(tree);
  });

  test('changes that the run does not include stay as they are', async () => {
    const { root, approve } = await included();
    stash(root);
    await write(root, { 'other.txt': 'later\n', 'later.txt': 'later\n' });
    await approve();
    expect(person(root, 'status', '--porcelain')).toBe(' M other.txt\n?? later.txt');
  });

  test('if the user committed the included changes, later changes stay as they are', async () => {
    const { root, approve } = await included();
    person(root, 'add', '-A');
    person(root, 'commit', '-qm', 'mine');
    await write(root, { 'mine.txt': `${MINE}further\n` });
    await approve();
    expect(person(root, 'status', '--porcelain')).toBe(' M mine.txt');
  });
});

describe('the approval is refused and nothing changes', () => {
  test.each<[since: string, act: (root: string) => unknown, why: RegExp]>([
    [
      'changed a file of the result further',
      root => write(root, { 'agent.txt': 'mine, further\n' }),
      /your versions of these files differ from those that the run started from: agent\.txt\. Stash/,
    ],
    [
      'further changed an included file that no agent changed',
      root => write(root, { 'mine.txt': `${MINE}further\n` }),
      /that the run started from: mine\.txt\. Stash/,
    ],
    [
      'undid a part of a change',
      root => write(root, { 'mine.txt': FILES['mine.txt'].replace('two', 'TWO') }),
      /that the run started from: mine\.txt\. Stash/,
    ],
    [
      'wrote a file in place of a deleted one',
      root => write(root, { 'gone.txt': 'another\n' }),
      /that the run started from: gone\.txt\. Stash/,
    ],
    [
      'put a folder in place of a new file',
      async root => {
        await rm(join(root, 'fresh'), { recursive: true });
        await write(root, { 'fresh/f.txt/mine.txt': 'x\n' });
      },
      /that the run started from: fresh\/f\.txt\/mine\.txt\. Stash/,
    ],
    [
      'staged another version',
      async root => {
        await write(root, { 'mine.txt': 'staged\n' });
        person(root, 'add', 'mine.txt');
        await write(root, { 'mine.txt': MINE });
      },
      /the staged versions of these files differ from those that the run started from: mine\.txt\. Stash/,
    ],
  ])('if the user %s, until they stash their changes', async (_, act, why) => {
    const run = await included();
    await act(run.root);
    await refused(run, why);
    stash(run.root);
    expect(await run.approve()).toMatchObject({ merged: true });
    await finished(run);
  });

  test('if a step fails, even if the changes were stashed', async () => {
    const run = await included();
    stash(run.root);
    const lock = join(run.root, '.git/refs/heads/main.lock');
    person(run.root, 'config', 'filter.late.smudge', 'cat; touch "$GIT_DIR/refs/heads/main.lock"');
    await write(run.root, { '.git/info/attributes': 'mine.txt filter=late\n' });
    await refused(run, /main\.lock/);
    await rm(lock);
    person(run.root, 'config', 'filter.late.smudge', 'cat');
    await run.approve();
    await finished(run);
  });
});

describe('a partly staged file', () => {
  const staged = () =>
    included(
      async root => {
        await write(root, { 'partly.txt': 'new\n', 'agent.txt': 'staged\n', 'other.txt': 'staged\n' });
        person(root, 'add', 'partly.txt', 'agent.txt', 'other.txt');
        await write(root, { 'partly.txt': 'new\nmore\n', 'agent.txt': 'mine\n', 'other.txt': 'o\n' });
      },
      { 'agent.txt': 'mine and agent\n', 'other.txt': 'by the agent\n', 'new.txt': 'n\n' },
    );

  test.each<[since: string, act: (root: string) => unknown]>([
    ['did nothing', () => {}],
    ['staged the rest', root => person(root, 'add', '-A')],
    ['unstaged it', root => person(root, 'reset', '-q')],
    ['stashed everything', stash],
  ])('is merged if the user %s', async (_, act) => {
    const run = await staged();
    expect(person(run.root, 'status', '--porcelain')).toMatch(
      /MM agent\.txt[\s\S]*MM other\.txt[\s\S]*AM partly\.txt/,
    );
    await act(run.root);
    expect(await run.approve()).toMatchObject({ merged: true });
    await finished(run);
  });

  test('stays staged if the approval fails, and both its versions are in the backup after the next approval', async () => {
    const run = await staged();
    const lock = join(run.root, '.git/refs/heads/main.lock');
    person(run.root, 'config', 'filter.late.smudge', 'cat; touch "$GIT_DIR/refs/heads/main.lock"');
    await write(run.root, { '.git/info/attributes': 'agent.txt filter=late\n' });
    await refused(run, /main\.lock/);
    await rm(lock);
    person(run.root, 'config', 'filter.late.smudge', 'cat');
    await run.approve();
    await finished(run);
    const { root, head } = run;
    expect(person(root, 'show', `${BACKUP}^2:partly.txt`)).toBe('new');
    expect(person(root, 'show', `${BACKUP}:partly.txt`)).toBe('new\nmore');
    expect(person(root, 'rev-parse', `${BACKUP}^1`)).toBe(head);
  });

  test('is not merged if the run did not record what was staged, and the refusal names the staged files', async () => {
    const run = await staged();
    const [tree, parent] = person(run.root, 'log', '-1', '--format=%T %P', run.base).split(' ');
    const message = 'Dure: the files as they were when the run began';
    const base = person(run.root, 'commit-tree', tree!, '-p', parent!, '-m', message);
    const repo = await open(run.root);
    const approve = () => mergeSealed(repo, approved(run.root, { commit: run.commit, base }), 'merge');
    await refused(
      { ...run, approve },
      /the staged versions of these files .*: agent\.txt, other\.txt, partly\.txt\./,
    );
    stash(run.root);
    await approve();
    await finished(run);
  });
});

test('the backup of an approval contains the versions that the approval overwrites', async () => {
  const run = await included();
  await run.approve();
  expect(person(run.root, 'rev-parse', `${BACKUP}^{tree}`, `${BACKUP}^`)).toBe(
    person(run.root, 'rev-parse', `${run.base}^{tree}`, run.head),
  );
});

describe('a submodule whose commit differs in the included changes', () => {
  const bumped = async () => {
    const vendor = await repositoryWith({ 'lib.js': '1\n' });
    const root = await repositoryWith({ 'a.txt': 'a\n' });
    person(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', vendor, 'vendor');
    person(root, 'commit', '-qm', 'vendor');
    const old = person(join(root, 'vendor'), 'rev-parse', 'HEAD');
    await write(join(root, 'vendor'), { 'lib.js': '2\n' });
    person(join(root, 'vendor'), 'commit', '-qam', 'two');
    const repo = await open(root);
    const base = await snapshot(repo, person(root, 'rev-parse', 'HEAD'));
    const { commit, tree } = await build(root, base, { 'a.txt': 'agent\n' });
    const approve = () => mergeSealed(repo, approved(root, { commit, base }), 'merge');
    return { root, old, head: base, base, commit, tree, approve };
  };

  test('keeps its commit from the included changes', async () => {
    const { root, tree, approve } = await bumped();
    await approve();
    expect(person(root, 'rev-parse', 'HEAD^{tree}')).toBe(tree);
    expect(person(root, 'status', '--porcelain')).toBe('');
    expect(await readFile(join(root, 'vendor/lib.js'), 'utf8')).toBe('2\n');
  });

  test('is not updated by an approval, and the approval is refused if the user checked out the old commit', async () => {
    const run = await bumped();
    const { root, old, base, approve } = run;
    person(join(root, 'vendor'), 'checkout', '-q', old);
    await refused(run, /these submodules are not at the commits that the result specifies: vendor\./);
    person(join(root, 'vendor'), 'checkout', '-q', person(root, 'rev-parse', `${base}:vendor`));
    await approve();
    expect(person(root, 'status', '--porcelain')).toBe('');
  });

  test('may also be new, removed or not initialized', async () => {
    const added = await repositoryWith({ 'lib.js': '1\n' });
    const { root } = await bumped();
    person(root, 'commit', '-qam', 'two');
    person(root, 'rm', '-q', '--cached', 'vendor');
    person(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', added, 'added');
    const before = person(root, 'status', '--porcelain', '--', 'vendor');
    const repo = await open(root);
    const base = await snapshot(repo, person(root, 'rev-parse', 'HEAD'));
    const { commit, tree } = await build(root, base, { 'a.txt': 'again\n' }, 'run-2');
    person(root, 'submodule', '--quiet', 'deinit', '--force', 'added');
    await mergeSealed(repo, approved(root, { commit, base }, { runId: 'run-2' }), 'merge');
    expect(before).toContain('?? vendor');
    expect(person(root, 'rev-parse', 'HEAD^{tree}')).toBe(tree);
    expect(person(root, 'status', '--porcelain')).toBe('?? vendor/');
  });
});
