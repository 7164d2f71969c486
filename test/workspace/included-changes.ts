/** A sealed result that includes uncommitted changes of the user. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { snapshot } from '../../src/workspace/base-and-snapshot-commits.ts';
import { gitPrograms } from '../../src/workspace/git/configured-programs.ts';
import { mergeSealed } from '../../src/workspace/merge/merge-sealed-result.ts';
import { sealedFiles } from './ready-result.ts';
import { approved, build, everyByte, open, person, repositoryWith, write } from './temporary-projects.ts';

export const FILES = {
  'agent.txt': 'a\n',
  'mine.txt': 'one\n2\n3\n4\n5\n6\n7\n8\ntwo\n',
  'gone.txt': 'g\n',
  'undone.txt': 'u\n',
  'other.txt': 'o\n',
};
export const MINE = 'ONE\n2\n3\n4\n5\n6\n7\n8\nTWO\n';

/** A result on top of uncommitted changes. The agent changes some of them further, and undoes one. */
export async function included(
  change: (root: string) => Promise<void> = async () => {},
  work: Record<string, string | null> = {
    'agent.txt': 'mine and agent\n',
    'undone.txt': 'u\n',
    'new.txt': 'n\n',
  },
) {
  const root = await repositoryWith(FILES);
  await write(root, {
    'agent.txt': 'mine\n',
    'mine.txt': MINE,
    'undone.txt': 'mine\n',
    'fresh/f.txt': 'fresh\n',
  });
  await rm(join(root, 'gone.txt'));
  await change(root);
  const head = person(root, 'rev-parse', 'HEAD');
  const repo = await open(root);
  const base = await snapshot(repo, head);
  const { commit, tree } = await build(root, base, work);
  const result = approved(root, { commit, base });
  // As if the run had begun with the hooks and filters of the test.
  const approve = async () => mergeSealed(repo, { ...result, programs: await gitPrograms(repo) }, 'merge');
  return { root, head, base, commit, tree, approve };
}
export type Included = Awaited<ReturnType<typeof included>>;

/** The checkout has exactly the result. */
export const finished = async ({ root, commit, tree }: Included) => {
  expect(person(root, 'rev-parse', 'HEAD^{tree}')).toBe(tree);
  expect(person(root, 'status', '--porcelain')).toBe('');
  expect(person(root, 'write-tree')).toBe(tree);
  expect(await everyByte(root)).toEqual(await sealedFiles(root, commit));
};

/** As a refusal recommends. */
export const stash = (root: string) => person(root, 'stash', '-q', '--include-untracked', '--', ':/!.dure');
