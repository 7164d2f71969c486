/** Resolves a commit to its tree. */
import { git, type Repository } from './run-git.ts';

/** Returns the tree of a commit or tree-ish. Results for full object ids are cached, because they never change. */
export async function treeAt(repo: Repository, commit: string): Promise<string> {
  const known = treesOf(repo);
  const tree =
    known.get(commit) ?? (await git(repo, ['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`]));
  if (/^[0-9a-f]{40,64}$/.test(commit)) known.set(commit, tree);
  return tree;
}

const trees = new WeakMap<Repository, Map<string, string>>();

function treesOf(repo: Repository): Map<string, string> {
  const known = trees.get(repo) ?? new Map<string, string>();
  trees.set(repo, known);
  return known;
}
