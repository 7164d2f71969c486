/**
 * Creates a checkout of a sealed tree outside the project, in which set-up, tests and checks run. It has no links into
 * the user's working tree, and is a separate git repository with one commit. Its folder is named after the project.
 */
import { copyFile, mkdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { dureError } from '../errors.ts';
import { isWithin, leadsOutside } from '../formats/file-system/path-containment.ts';
import { namesIn, statsOf } from '../formats/file-system/path-status.ts';
import { removeFolder } from '../formats/file-system/remove-folder.ts';
import { shortHash } from '../formats/text/sha256.ts';
import { withoutCredentials } from './git/config-without-credentials.ts';
import { withProjectGit } from './git/isolated-git.ts';
import { checkoutSubmodules } from './git/list-and-check-out-submodules.ts';
import { askGit, git, type Repository, runGit } from './git/run-git.ts';
import { treeEntries } from './git/tree-entries.ts';
import { writeTreeToFolder } from './git/write-tree-to-folder.ts';

export interface CheckoutOf {
  readonly repo: Repository;
  /** Dure's state folder (see user-state-folder.ts). */
  readonly state: string;
  readonly runDir: string;
  readonly launch: number;
  /** Distinguishes several checkouts of one launch. */
  readonly part?: string;
  /** The commit to check out. */
  readonly commit: string;
  /** Folder that contains `.dure/`. */
  readonly projectRoot: string;
  /** Ignored files to copy from the user's working tree if they exist, relative to the project. */
  readonly copy: readonly string[];
}

/** Creates the checkout and returns its root. */
export async function makeCheckout(of: CheckoutOf): Promise<string> {
  const { repo, commit } = of;
  const parent = join(
    checkoutsOf(of.state),
    `${keyOf(of.runDir)}-${of.launch}${of.part ? `-${of.part}` : ''}`,
  );
  const top = join(parent, basename(repo.workTree) || 'project');
  await removeFolder(parent);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await refuseLinksOut(repo, commit);
  await writeTreeToFolder(repo, commit, top, withProjectGit);
  await makeRepository(repo, commit, top);
  await checkoutSubmodules(repo, commit, top);
  await copyIgnored(of, top);
  return top;
}

/** Removes all checkouts of a run, including those of earlier processes, or only those of one launch. */
export async function removeCheckouts(state: string, runDir: string, launch?: number): Promise<void> {
  const folders = await findCheckouts(state, runDir, launch);
  await Promise.all(folders.map(removeFolder));
}

/** Returns the folders that contain checkouts of a run, or only those of one launch. */
export async function findCheckouts(state: string, runDir: string, launch?: number): Promise<string[]> {
  const folder = checkoutsOf(state);
  const names = await namesIn(folder);
  const start = `${keyOf(runDir)}-${launch === undefined ? '' : `${launch}-`}`;
  return names.filter(name => name.startsWith(start)).map(name => join(folder, name));
}

const checkoutsOf = (state: string): string => join(state, 'checkouts');
/** Run ids are not unique across projects; run folders are. */
const keyOf = (runDir: string): string => shortHash(runDir);

/** Refuses absolute links into the user's working tree: through them, tests would read files that were never sealed. */
async function refuseLinksOut(repo: Repository, commit: string): Promise<void> {
  const entries = await treeEntries(args => git(repo, args), commit);
  const links = entries.filter(({ kind }) => kind === 'link');
  if (links.length === 0) return;
  const checkout = await realpath(repo.workTree);
  for (const { path, id } of links) {
    const target = await git(repo, ['cat-file', 'blob', id]);
    if (isAbsolute(target) && (isWithin(repo.workTree, target) || isWithin(checkout, target)))
      throw dureError('E_LINK_INTO_CHECKOUT', { link: path, target });
  }
}

/**
 * Makes the checkout a repository that contains only this commit, for tools that call git: hook installers, linters
 * that list tracked files, version plugins.
 */
async function makeRepository(repo: Repository, commit: string, top: string): Promise<void> {
  const gitDir = join(top, '.git');
  const own: Repository = { ...repo, gitDir, commonDir: gitDir, workTree: top, prefix: '' };
  const format = commit.length === 64 ? ['--object-format=sha256'] : [];
  const made = await runGit(['init', '--quiet', '--template=', '--initial-branch=main', ...format, top]);
  if (made.code !== 0) throw dureError('E_GIT', { command: 'init', stderr: made.stderr });
  const uploadPack = 'git -c uploadpack.allowAnySHA1InWant=true upload-pack';
  const from = `file://${repo.commonDir}`;
  const fetch = ['fetch', '--quiet', '--depth=1', '--no-tags', `--upload-pack=${uploadPack}`, from, commit];
  // Overrides the user's `protocol.file.allow`, which is meant for the URLs of submodules and remotes.
  await git(own, fetch, { env: { GIT_ALLOW_PROTOCOL: 'file' } });
  await git(own, ['update-ref', 'refs/heads/main', commit]);
  await git(own, ['read-tree', commit]);
  await rm(join(gitDir, 'FETCH_HEAD'), { force: true });
  for (const [name, value] of Object.entries(repo.filters ?? {})) await git(own, ['config', name, value]);
  // Tools read the remote's URL; tests must not see the credentials in it.
  const origin = await askGit(repo, ['config', '--get', 'remote.origin.url']);
  if (origin !== null) await git(own, ['config', 'remote.origin.url', withoutCredentials(origin)]);
}

/** Copies the ignored files listed in `copy` from the user's working tree. Existing files are kept. */
export async function copyIgnored(
  { projectRoot, repo, copy }: Pick<CheckoutOf, 'projectRoot' | 'repo' | 'copy'>,
  top: string,
): Promise<void> {
  for (const path of copy) {
    const from = join(projectRoot, path);
    const to = join(top, repo.prefix, path);
    const found = await statsOf(from);
    if (!found?.isFile() || !isWithin(projectRoot, from) || leadsOutside(top, to)) continue;
    if (await statsOf(to)) continue;
    await mkdir(dirname(to), { recursive: true });
    await copyFile(from, to);
  }
}
