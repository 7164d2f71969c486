import { dirname, join } from 'node:path';
import { asTyped, dureError } from '../errors.ts';
import { unlessDiskFails } from '../formats/file-system/temporary-disk-errors.ts';
import { withTemporaryFolder } from '../formats/file-system/temporary-folder.ts';
import { DURE_DIR, runBranch } from '../formats/layout.ts';
import { type CommitByDure, commitInRepository } from './git/build-trees-and-commits.ts';
import { copyIndex, indexFile } from './git/copy-user-index.ts';
import { askGit, git, type Repository, revParse, zJoin, zSplit } from './git/run-git.ts';
import { treeAt } from './git/tree-of-commit.ts';
import { selectProjectFiles, treeOf } from './seal/stage-files.ts';

export interface Base {
  readonly commit: string;
  /** The name that the user passed; otherwise the branch, `HEAD` or, without a repository, a description. */
  readonly name: string;
  /** The user's current branch; null when HEAD is detached or the repository is a shadow repository. */
  readonly branch: string | null;
}

/** Subject of a commit that stores the user's uncommitted changes. */
const SNAPSHOT = 'Dure: the files as they were when the run began';
/**
 * Prefix of the line in a snapshot's message that names the tree of the user's index. The commit does not otherwise
 * refer to that tree, because the tree may have content that the user staged and then removed from the files.
 */
const STAGED = 'Staged: ';
export const SHADOW_HEAD = 'refs/heads/main';
const EMPTY_BASE = 'refs/dure/empty';

/**
 * Returns the base commit of a run: the named one, or HEAD. Without a repository, it is a snapshot of the current
 * files; in a repository without commits, an empty commit that is on no branch. Throws `E_BASE` and
 * `E_BRANCH_PREFIX`.
 */
export async function resolveBase(repo: Repository, name: string | null): Promise<Base> {
  if (repo.shadow && name === null)
    return { commit: await shadowSnapshot(repo), name: 'the files as they are', branch: null };
  const prefix = dirname(runBranch('run'));
  if (await revParse(repo, `refs/heads/${prefix}`)) throw dureError('E_BRANCH_PREFIX', { branch: prefix });
  const branch = repo.shadow ? null : await askGit(repo, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  const revision = `${name ?? 'HEAD'}^{commit}`;
  const commit = await revParse(repo, revision);
  if (commit) return { commit, name: name ?? branch ?? 'HEAD', branch };
  if (name !== null || branch === null) throw dureError('E_BASE', { base: asTyped(name ?? 'HEAD') });
  return { commit: await emptyBase(repo), name: branch, branch };
}

export const isSnapshot = async (repo: Repository, commit: string): Promise<boolean> =>
  (await git(repo, ['log', '-1', '--format=%s', commit])) === SNAPSHOT;

/**
 * Returns the tree that the user's index had when the snapshot `commit` was made; null if `commit` is not a snapshot or
 * does not record the tree.
 */
export async function stagedTreeOf(repo: Repository, commit: string): Promise<string | null> {
  const [subject, ...body] = (await git(repo, ['log', '-1', '--format=%B', commit])).split('\n');
  if (subject !== SNAPSHOT) return null;
  return body.find(line => line.startsWith(STAGED))?.slice(STAGED.length) ?? null;
}

/**
 * Whether a branch has the files that the run started from, or differs only in that it lacks the user's uncommitted
 * changes.
 */
export async function isUnmoved(repo: Repository, base: string, tip: string | null): Promise<boolean> {
  if (tip === base) return true;
  const [parent = '', subject = ''] = (await git(repo, ['log', '-1', '--format=%P%n%s', base])).split('\n');
  const files = await treeAt(repo, base);
  if (tip === null) return parent === '' && files === (await git(repo, ['mktree']));
  return (parent === tip && subject === SNAPSHOT) || (await treeAt(repo, tip)) === files;
}

/** Creates a commit of an empty tree, dated 1970-01-01. It is always the same commit. */
async function emptyBase(repo: Repository): Promise<string> {
  const tree = await git(repo, ['mktree']);
  const nothing = { tree, parents: [], message: 'Dure: nothing yet', date: '1970-01-01T00:00:00Z' };
  const commit = await commitInRepository(repo, nothing);
  await git(repo, ['update-ref', EMPTY_BASE, commit]);
  return commit;
}

/**
 * Returns the parents for a user's commit on top of `base`: `base` itself or, if Dure created it, its parents.
 */
export async function parentsFor(repo: Repository, base: string): Promise<string[]> {
  if (base === (await revParse(repo, EMPTY_BASE))) return [];
  const [parents = '', subject] = (await git(repo, ['log', '-1', '--format=%P%n%s', base])).split('\n');
  return subject === SNAPSHOT ? parents.split(' ').filter(Boolean) : [base];
}

async function shadowSnapshot(repo: Repository): Promise<string> {
  const head = await revParse(repo, SHADOW_HEAD);
  const tree = await treeOf(repo, repo.workTree, null, selectProjectFiles(repo));
  if (head && (await treeAt(repo, head)) === tree) return head;
  const commit = await commitSnapshot(repo, { tree, parents: head ? [head] : [], message: SNAPSHOT });
  await git(repo, ['update-ref', SHADOW_HEAD, commit]);
  return commit;
}

/** Returns the paths with uncommitted changes, which are not in the base. Empty for a shadow repository. */
export async function dirtyFiles(repo: Repository): Promise<string[]> {
  if (repo.shadow) return [];
  const args = [
    'status',
    '--porcelain=v1',
    '-z',
    '--untracked-files=all',
    '--no-renames',
    '--ignore-submodules=dirty',
  ];
  const own = `${repo.prefix}${DURE_DIR}/`;
  return zSplit(await git(repo, args))
    .map(line => line.slice(3))
    .filter(path => !path.startsWith(own))
    .sort();
}

/**
 * Returns a commit on top of `base` with the user's current files, including new ones that are not ignored. Returns
 * `base` itself if neither the files nor the index have changes.
 */
export async function snapshot(repo: Repository, base: string): Promise<string> {
  if (repo.shadow) return base;
  return withTemporaryFolder('dure-snapshot-', async dir => {
    const env = { GIT_INDEX_FILE: join(dir, 'index') };
    await copyIndex(await indexFile(repo), env.GIT_INDEX_FILE);
    // An index with unresolved conflicts has no tree.
    const staged = await git(repo, ['write-tree'], { env }).catch(unlessDiskFails(null));
    const own = `${repo.prefix}${DURE_DIR}`;
    const known = zJoin([':/', `:(top,exclude,literal)${own}`]);
    await git(repo, ['add', '--update', '--pathspec-from-file=-', '--pathspec-file-nul'], {
      env,
      input: known,
    });
    // A nested repository that is not a submodule is listed as `name/` and is not part of this repository.
    const added = zSplit(
      await git(repo, ['ls-files', '-z', '--others', '--exclude-standard'], { env }),
    ).filter(path => !path.endsWith('/') && !path.startsWith(`${own}/`));
    await git(repo, ['update-index', '--add', '-z', '--stdin'], { env, input: zJoin(added) });
    const tree = await git(repo, ['write-tree'], { env });
    const committed = await treeAt(repo, base);
    if (tree === committed && (staged === committed || staged === null)) return base;
    const message = staged === null ? SNAPSHOT : `${SNAPSHOT}\n\n${STAGED}${staged}`;
    return commitSnapshot(repo, { tree, parents: [base], message });
  });
}

const commitSnapshot = (repo: Repository, snapshot: Omit<CommitByDure, 'date'>): Promise<string> =>
  commitInRepository(repo, { ...snapshot, date: new Date().toISOString() });
