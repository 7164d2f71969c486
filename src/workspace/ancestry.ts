/** Whether one commit contains another. */
import { askGit, type Repository } from './git.ts';

/** True for a commit and itself. */
export const isAncestor = async (repo: Repository, commit: string, of: string): Promise<boolean> =>
  (await askGit(repo, ['merge-base', '--is-ancestor', commit, of])) !== null;

/** Whether the current branch contains a commit. */
export const isInHead = (repo: Repository, commit: string): Promise<boolean> =>
  isAncestor(repo, commit, 'HEAD').catch(() => false);
