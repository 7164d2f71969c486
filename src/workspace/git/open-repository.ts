/**
 * Finds the repository of a project, or creates a shadow repository for it, and finds the git directory of a worktree.
 *
 * A project may be a folder of a larger repository: the worktree of a run is then the whole repository, because
 * builds and imports may cross folders, and `prefix` is the path of the project. A folder that its repository ignores
 * gets a shadow repository, like a folder without a repository.
 */
import { mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { dureError } from '../../errors.ts';
import { exists, namesIn } from '../../formats/file-system/path-status.ts';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { DURE_DIR } from '../../formats/layout.ts';
import { askGit, git, type Repository, runGit } from './run-git.ts';

/** Default exclusions, for folders without a `.gitignore`. */
const SHADOW_EXCLUDES = [`/${DURE_DIR}/`, 'node_modules/', '.venv/', '__pycache__/', '.DS_Store', ''].join(
  '\n',
);

/**
 * @param root folder that contains `.dure/`
 * @param shadowDir path of the shadow repository, which may not exist yet
 */
export async function openRepository(root: string, shadowDir: string): Promise<Repository> {
  const top = await realpath(root);
  return (await findRepository(top)) ?? (await shadowRepository(top, shadowDir));
}

/** Null when there is no repository, or when it ignores the folder. */
export async function findRepository(root: string): Promise<Repository | null> {
  const args = ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-dir', '--git-common-dir'];
  const found = await runGit(args, { cwd: root });
  if (found.code !== 0) {
    if (/not a git repository|must be run in a work tree/.test(found.stderr)) return null;
    throw dureError('E_GIT', { command: 'rev-parse', stderr: found.stderr });
  }
  const [workTree = '', gitDir = '', commonDir = ''] = found.stdout.toString().split('\n');
  const below = relative(workTree, root);
  const prefix = below === '' ? '' : `${below.split(sep).join('/')}/`;
  const repo: Repository = { gitDir, commonDir, workTree, prefix, shadow: false };
  const ignored = prefix !== '' && (await askGit(repo, ['check-ignore', '-q', '--', prefix])) !== null;
  return ignored ? null : repo;
}

/** Opens the shadow repository, for a run that began without a git repository. */
const openShadow = async (root: string, shadowDir: string): Promise<Repository> =>
  shadowRepository(await realpath(root), shadowDir);

/**
 * Opens the repository in which a run began, because a repository created since then contains none of the run's data.
 */
export const repositoryOfRun = (
  { root, shadow }: { root: string; shadow: string },
  began: { shadow: boolean },
): Promise<Repository> => (began.shadow ? openShadow : openRepository)(root, shadow);

async function shadowRepository(root: string, gitDir: string): Promise<Repository> {
  const repo: Repository = { gitDir, commonDir: gitDir, workTree: root, prefix: '', shadow: true };
  if (await exists(gitDir)) return repo;
  await mkdir(dirname(gitDir), { recursive: true });
  // Created under a temporary name and renamed, so that a repository at this path is always complete.
  const making = await mkdtemp(`${gitDir}.making-`);
  try {
    const made = { ...repo, gitDir: making, commonDir: making };
    await git(made, ['init', '--quiet', '--template=', '--initial-branch=main']);
    await git(made, ['config', 'core.bare', 'false']);
    await mkdir(join(making, 'info'), { recursive: true });
    await writeFile(join(making, 'info', 'exclude'), SHADOW_EXCLUDES);
    await rename(making, gitDir);
  } catch (error) {
    // Another caller may have created it first.
    if (!(await exists(gitDir))) throw error;
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  return repo;
}

/**
 * Returns the git directory of a worktree; null if `dir` is not a worktree of the repository. Searches the repository's
 * worktrees instead of trusting the `.git` pointer in the folder.
 */
export async function worktreeGitDir(repo: Repository, dir: string): Promise<string | null> {
  const pointer = join(await realpath(dir).catch(unlessDiskFails(resolve(dir))), '.git');
  const all = join(repo.commonDir, 'worktrees');
  for (const id of await namesIn(all)) {
    const place = await readFile(join(all, id, 'gitdir'), 'utf8').catch(unlessDiskFails(null));
    if (place !== null && resolve(all, id, place.trim()) === pointer) return join(all, id);
  }
  return null;
}
