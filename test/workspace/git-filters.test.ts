/** A filter like Git LFS: git stores a pointer, and the content is in a folder next to the repository. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runBranch } from '../../src/formats/layout.ts';
import { makeCheckout } from '../../src/workspace/checkout.ts';
import { filtersOf, gitPrograms } from '../../src/workspace/git/configured-programs.ts';
import { mergeSealed } from '../../src/workspace/merge/merge-sealed-result.ts';
import { restoreWorktree, worktreeTree } from '../../src/workspace/seal/stray-files.ts';
import { addWorktree } from '../../src/workspace/worktree.ts';
import {
  approved,
  folder,
  open,
  person,
  RUN,
  repositoryWith,
  runDirOf,
  seal,
  trap,
  worktreeOf,
  write,
} from './temporary-projects.ts';

const POINTER = /^pointer [0-9a-f]{40}\n$/;

async function withFilter() {
  const store = await folder({
    clean:
      'cat > "$0.tmp"; hash=$(sha1sum < "$0.tmp" | cut -c1-40); mv "$0.tmp" "$(dirname "$0")/$hash"; echo "pointer $hash"\n',
    smudge: 'read -r _ hash; cat "$(dirname "$0")/$hash"\n',
  });
  const root = await repositoryWith({ '.gitattributes': '*.bin filter=store\n', 'a.txt': 'a\n' });
  for (const way of ['clean', 'smudge'])
    person(root, 'config', `filter.store.${way}`, `sh '${join(store, way).replaceAll("'", "'\\''")}'`);
  await write(root, { 'big.bin': 'large content\n' });
  person(root, 'add', 'big.bin');
  person(root, 'commit', '-qm', 'a large file');
  const programs = await gitPrograms(await open(root));
  const repo = { ...(await open(root)), filters: filtersOf(programs) };
  const base = person(root, 'rev-parse', 'HEAD');
  const dir = worktreeOf(root);
  await addWorktree(repo, dir, runBranch(RUN), base);
  return { root, repo, base, dir, programs };
}

test('agents and tests see the content of filtered files, and git stores pointers', async () => {
  const { root, repo, base, dir, programs } = await withFilter();
  expect(await readFile(join(dir, 'big.bin'), 'utf8')).toBe('large content\n');
  await write(dir, { 'big.bin': 'by the agent\n', 'new.bin': 'new\n' });
  const { commit, tree } = await seal(repo, root, base);
  for (const file of ['big.bin', 'new.bin'])
    expect(`${person(root, 'cat-file', 'blob', `${commit}:${file}`)}\n`).toMatch(POINTER);
  expect(await worktreeTree(repo, dir, base)).toBe(tree);

  const state = await folder();
  const of = { repo, state, runDir: runDirOf(root), launch: 1, projectRoot: root, copy: [] };
  const top = await makeCheckout({ ...of, commit });
  expect(await readFile(join(top, 'new.bin'), 'utf8')).toBe('new\n');
  expect(person(top, 'status', '--porcelain')).toBe('');

  await write(dir, { 'big.bin': 'a stray change\n' });
  expect(await restoreWorktree(repo, { runId: RUN, dir, commit }, await folder())).toEqual(['big.bin']);
  expect(await readFile(join(dir, 'big.bin'), 'utf8')).toBe('by the agent\n');

  await mergeSealed(repo, approved(root, { commit, base }, { programs }), 'merge');
  expect(await readFile(join(root, 'big.bin'), 'utf8')).toBe('by the agent\n');
  expect(`${person(root, 'cat-file', 'blob', 'HEAD:big.bin')}\n`).toMatch(POINTER);
  expect(person(root, 'status', '--porcelain')).toBe('');
});

test('a filter configured during the run is not executed, and the merge is refused', async () => {
  const { root, repo, base, dir, programs } = await withFilter();
  const { program, sprung } = await trap();
  person(root, 'config', 'filter.planted.clean', program);
  person(root, 'config', 'filter.store.smudge', program);
  await write(dir, { '.gitattributes': '*.txt filter=planted\n*.bin filter=store\n', 'a.txt': 'agent\n' });
  const { commit } = await seal(repo, root, base);
  await expect(
    mergeSealed(repo, approved(root, { commit, base }, { programs }), 'merge'),
  ).rejects.toMatchObject({
    code: 'E_MERGE',
    message: expect.stringMatching(
      /since the run began: filter\.planted\.clean, filter\.store\.smudge\..*--how branch/,
    ),
  });
  expect(sprung()).toBe(false);
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('a\n');
});
