/** A sealed result that is ready to be merged into a real project. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { gitPrograms } from '../../src/workspace/git/configured-programs.ts';
import { writeTreeToFolder } from '../../src/workspace/git/write-tree-to-folder.ts';
import { mergeSealed } from '../../src/workspace/merge/merge-sealed-result.ts';
import { approved, build, everyByte, open, person, repositoryWith } from './temporary-projects.ts';

export const FILES = {
  'a.txt': 'a\n',
  'gone.txt': 'g\n',
  'same.txt': 's\n',
  'd/e.txt': 'e\n',
  '.gitignore': '*.log\n',
};
export const WORK = { 'a.txt': 'by the agent\n', 'gone.txt': null, 'new dir/n "ü".txt': 'n\n', d: null };

/** A project with a sealed result, and its approval. */
export async function ready(
  files: Record<string, string> = FILES,
  work: Record<string, string | null> = WORK,
) {
  const root = await repositoryWith(files);
  const base = person(root, 'rev-parse', 'HEAD');
  const { repo, commit, tree } = await build(root, base, work);
  const result = approved(root, { commit, base });
  // As if the run had begun with the hooks and filters of the test.
  const approve = async () => mergeSealed(repo, { ...result, programs: await gitPrograms(repo) }, 'merge');
  return { root, repo, base, commit, tree, result, approve };
}
/** The files of a commit in a fresh checkout. */
export const sealedFiles = async (root: string, commit: string) => {
  const copy = join(root, '.dure', 'runs', 'copy');
  await rm(copy, { recursive: true, force: true });
  await writeTreeToFolder(await open(root), commit, copy);
  return everyByte(copy);
};

/** The result is merged completely. */
export const finished = async (root: string, commit: string, tree: string) => {
  expect(person(root, 'log', '--format=%T %an')).toMatch(new RegExp(`^${tree} Ada\\n\\w+ Ada$`));
  expect(person(root, 'status', '--porcelain')).toBe('');
  expect(person(root, 'write-tree')).toBe(tree);
  expect(await everyByte(root)).toEqual(await sealedFiles(root, commit));
};
