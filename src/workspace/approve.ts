/**
 * Brings a sealed result to the person. Always true here: what arrives is the sealed tree, exactly; nothing of the
 * person's is touched before everything has been looked at, nor without `refs/dure/backup/<run-id>`; a refusal puts
 * back what was written, and says so where it cannot; and an attempt that was cut short anywhere is finished by the next.
 *
 * The order is files, index, branch. The branch moves last, so a branch that holds the result means: all is done.
 */
import { existsSync } from 'node:fs';
import { dureError } from '../errors.ts';
import { SHADOW_HEAD, SNAPSHOT } from './base.ts';
import { treeAt } from './diff.ts';
import { askGit, dated, git, type Repository, signedByDure } from './git.ts';
import { atFolder, type Landing, onCheckout, tornFiles } from './landing.ts';
import { openPullRequest } from './pull-request.ts';
import { leftOut } from './sparse.ts';

export interface Result {
  readonly runId: string;
  /** The sealed result. */
  readonly commit: string;
  /** The commit the run began with. */
  readonly base: string;
  /** Branch that holds the result, see `runBranch`. */
  readonly branch: string;
  /** ISO 8601: of the merge commit, if one is needed. */
  readonly date: string;
}
export type How = 'merge' | 'branch' | 'pr';
export interface Merged {
  readonly merged: boolean;
  /** The branch it went into, or is proposed for. Null when there is none. */
  readonly into: string | null;
  /** What that branch holds now, or the sealed commit. */
  readonly commit: string;
  readonly how: How;
  /** Address of the pull request. */
  readonly url: string | null;
}

/** @throws E_MERGE when it would lose or mix something, or cannot be done; it names what it has changed all the same. */
export async function mergeSealed(repo: Repository, result: Result, how: How): Promise<Merged> {
  if (repo.shadow) return intoFolder(repo, result);
  await git(repo, ['update-ref', `refs/heads/${result.branch}`, result.commit]);
  const into = await askGit(repo, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  const left = { merged: false, into: null, commit: result.commit, how: 'branch', url: null } as const;
  if (how === 'pr') return { ...left, into, how, url: await openPullRequest(repo, result, into) };
  if (how === 'branch') return left;
  if (into === null)
    throw refusal(
      result,
      'your checkout is on no branch (its HEAD is detached), so that nothing would keep a merge. ' +
        'Check out the branch that it is for, or have only the branch of the result with `dure approve --how branch`.',
    );
  return intoBranch(repo, result, into);
}

async function intoBranch(repo: Repository, result: Result, into: string): Promise<Merged> {
  const done = (commit: string): Merged => ({ merged: true, into, commit, how: 'merge', url: null });
  const head = await askGit(repo, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (head && (await askGit(repo, ['merge-base', '--is-ancestor', result.commit, head])) !== null)
    return done(head);

  const busy = await whatIsUnderWay(repo);
  if (busy) throw refusal(result, busy);
  const stands = await whereHeadStands(repo, result, head);
  if (stands === 'moved')
    throw refusal(
      result,
      `${into} is ${head ? `at ${head.slice(0, 10)}` : 'empty'}, and the run began at ${result.base.slice(0, 10)}. ` +
        'The tests did not run on what a merge of both would give.',
    );

  const headTree = head ? await treeAt(repo, head) : await git(repo, ['mktree']);
  const baseTree = await treeAt(repo, result.base);
  const tree = await treeAt(repo, result.commit);
  const outside = await leftOut(repo, baseTree, tree);
  if (outside.length)
    throw refusal(
      result,
      `your checkout is sparse and leaves out files that the result changes: ${some(outside)}. ` +
        'Take them in with `git sparse-checkout add`, or have only the branch with `dure approve --how branch`.',
    );
  const commit = stands === 'at-base' ? result.commit : await joined(repo, result, head!);
  await onCheckout(repo, { from: [headTree, baseTree], to: tree }, landing =>
    land(repo, result, landing, head ?? result.base, () => moveHead(repo, result, head, commit)),
  );
  return done(commit);
}

async function moveHead(repo: Repository, { runId }: Result, from: string | null, to: string): Promise<void> {
  try {
    await git(repo, ['update-ref', '-m', `dure: approve ${runId}`, 'HEAD', to, from ?? '']);
  } catch (error) {
    // A git that was ended may have done it all the same.
    if ((await askGit(repo, ['rev-parse', '--verify', '--quiet', 'HEAD'])) !== to) throw error;
  }
}

async function whatIsUnderWay(repo: Repository): Promise<string | null> {
  for (const doing of ['merge', 'cherry-pick', 'revert']) {
    const mark = `${doing.replace('-', '_').toUpperCase()}_HEAD`;
    if (await askGit(repo, ['rev-parse', '--verify', '--quiet', mark]))
      return `a ${doing} is under way in your checkout.`;
  }
  if (await git(repo, ['ls-files', '--unmerged']))
    return 'your checkout has conflicts that are not resolved.';
  const lock = await git(repo, ['rev-parse', '--path-format=absolute', '--git-path', 'index.lock']);
  return existsSync(lock) ? `another git is at work in your checkout, or was killed and left ${lock}.` : null;
}

/** `at-base`: the result continues HEAD. `same-files`: HEAD is another commit of the very files the run began with. */
async function whereHeadStands(
  repo: Repository,
  { base }: Result,
  head: string | null,
): Promise<'at-base' | 'same-files' | 'moved'> {
  if (head === base) return 'at-base';
  const [parent = '', subject = ''] = (await git(repo, ['log', '-1', '--format=%P%n%s', base])).split('\n');
  const files = await treeAt(repo, base);
  if (head === null) return parent === '' && files === (await git(repo, ['mktree'])) ? 'at-base' : 'moved';
  if (parent === head && subject === SNAPSHOT) return 'at-base';
  return (await treeAt(repo, head)) === files ? 'same-files' : 'moved';
}

/** A merge of HEAD and the result whose files are the result's, in the person's name where git knows it. */
async function joined(repo: Repository, { commit, runId, date }: Result, head: string): Promise<string> {
  const known =
    (await askGit(repo, ['config', 'user.name'])) && (await askGit(repo, ['config', 'user.email']));
  const message = `Merge the result of ${runId}`;
  return git(repo, ['commit-tree', await treeAt(repo, commit), '-p', head, '-p', commit, '-m', message], {
    env: known ? dated(date) : signedByDure(date),
  });
}

async function intoFolder(repo: Repository, result: Result): Promise<Merged> {
  const done: Merged = { merged: true, into: null, commit: result.commit, how: 'merge', url: null };
  const head = await git(repo, ['rev-parse', SHADOW_HEAD]);
  if ((await askGit(repo, ['merge-base', '--is-ancestor', result.commit, head])) !== null) return done;
  const [from, to] = [await treeAt(repo, result.base), await treeAt(repo, result.commit)];
  await atFolder(repo, { from: [from], to }, async landing => {
    const backup = [
      'commit-tree',
      landing.tree,
      '-p',
      result.base,
      '-m',
      `Dure: before ${result.runId} was approved`,
    ];
    const kept = await git(repo, backup, { env: signedByDure(result.date) });
    await land(repo, result, landing, kept, async () => {
      await git(repo, ['update-ref', SHADOW_HEAD, result.commit]);
    });
  });
  return done;
}

/** Writes the result over files that are as they were when the run began, or are the result's already. */
async function land(
  repo: Repository,
  result: Result,
  landing: Landing,
  backup: string,
  then: () => Promise<void>,
): Promise<void> {
  const ref = `refs/dure/backup/${result.runId}`;
  const began = (await askGit(repo, ['rev-parse', '--verify', '--quiet', ref])) !== null;
  const torn = began ? await tornFiles(landing) : [];
  const changed = landing.conflicts.filter(path => !torn.includes(path));
  if (changed.length)
    throw refusal(result, `these files of yours have changed since the run began: ${some(changed)}.`);
  if (!began) await git(repo, ['update-ref', ref, backup]);
  const failure = await landing.put(then);
  if (!failure) return;
  const { error, left } = failure;
  // Nothing was begun after all: a file that the person removes from now on is no torn one.
  if (!began && !left.length) await git(repo, ['update-ref', '-d', ref, backup]);
  // Git looks again before it writes, and the person's filters may fail. What else goes wrong with a file has a code.
  if (!(error instanceof Error && 'code' in error)) throw error;
  const why = (left.length ? null : await whatIsUnderWay(repo)) ?? error.message;
  throw refusal(result, left.length ? `${why}\n${unfinished(left)}` : why);
}

const unfinished = (left: readonly string[]): string =>
  `These files were written and could not be put back: ${some(left)}. ` +
  '`dure approve` again finishes it; `git restore` with their names gives you yours.';

const some = (paths: readonly string[]): string =>
  paths.slice(0, 10).join(', ') + (paths.length > 10 ? `, and ${paths.length - 10} more` : '');

const refusal = (result: Result, why: string) => dureError('E_MERGE', { why, branch: result.branch });
