/** Creates the commit that lands a result, as the user; it is signed if the user's git signs commits. */

import { askGit, git, type Repository, runGitIn } from '../git/run-git.ts';
import type { CommitHooks } from './commit-hooks.ts';

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /**
   * When the user approved, in ISO 8601. A repeated attempt creates the same commit, unless commits are
   * signed.
   */
  readonly date: string;
}

/** @param refusal creates an error from the reason for the refusal */
export async function commitResult(
  repo: Repository,
  { tree, parents, message, date }: NewCommit,
  hooks: CommitHooks,
  refusal: (why: string) => Error,
): Promise<string> {
  await expectIdentity(repo, refusal);
  const input = await hooks.message(message);
  const signs = (await askGit(repo, ['config', '--type=bool', '--get', 'commit.gpgSign'])) === 'true';
  const args = [...parents.flatMap(parent => ['-p', parent]), ...(signs ? ['-S'] : []), '-F', '-', tree];
  const at = localDate(date);
  const env = { GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at };
  const create = () => git(repo, ['commit-tree', ...args], { input, env, limitMs: SIGNING_MS });
  return signs
    ? create().catch((error: Error) => {
        throw refusal(
          `git could not sign the commit (commit.gpgSign is true): ${error.message} ` +
            'Run `dure approve` in a shell that can sign commits. ' +
            'There, `ssh-add` loads an SSH key and `export GPG_TTY=$(tty)` lets GnuPG ask for a passphrase.',
        );
      })
    : create();
}

/** Long, because the user may have to type a passphrase or touch a key. */
const SIGNING_MS = 120_000;

async function expectIdentity(repo: Repository, refusal: (why: string) => Error): Promise<void> {
  if (!(await hasIdentity(repo)))
    throw refusal(
      'git does not know the name and email address for your commits. Run ' +
        '`git config --global user.name "Your Name"` and `git config --global user.email you@example.com`, ' +
        'then run `dure approve` again.',
    );
}

/** Whether the user has set a name and an email: what git would guess should not end up in a team's history. */
export async function hasIdentity(repo: Repository): Promise<boolean> {
  for (const ident of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT']) {
    const { code } = await runGitIn(repo, ['-c', 'user.useConfigOnly=true', 'var', ident], {
      cwd: repo.workTree,
      ...(repo.shell && { shell: repo.shell }),
    });
    if (code !== 0) return false;
  }
  return true;
}

/** Formats a date for git, with this machine's UTC offset. */
function localDate(date: string): string {
  const at = new Date(date);
  const minutes = -at.getTimezoneOffset();
  const two = (n: number) => String(n).padStart(2, '0');
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}${two(Math.abs(minutes) % 60)}`;
  return `@${Math.floor(at.getTime() / 1000)} ${offset}`;
}
