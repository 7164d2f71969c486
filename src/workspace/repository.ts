/**
 * Finds the repository a project lies in, or makes one for it. The rest of Dure never knows the difference.
 *
 * A project may be a folder of a larger repository: the worktree of a run is then the whole repository, as builds and
 * imports across folders need it, and `prefix` says where the project is. A folder that the repository around it
 * ignores does not belong to it, and gets a shadow repository like a folder without any.
 */
import { existsSync } from 'node:fs';
import { mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { dureError } from '../errors.ts';
import { DURE_DIR } from '../formats/layout.ts';
import { askGit, git, type Repository, runGit } from './git.ts';

/** What no one means to have versioned when there is no `.gitignore` to say so. */
const SHADOW_EXCLUDES = [`/${DURE_DIR}/`, 'node_modules/', '.venv/', '__pycache__/', '.DS_Store', ''].join(
  '\n',
);

/**
 * @param root folder that holds `.dure/`
 * @param shadowDir where the shadow repository is or will be
 */
export async function openRepository(root: string, shadowDir: string): Promise<Repository> {
  const top = await realpath(root);
  return (await findRepository(top)) ?? (await shadowRepository(top, shadowDir));
}

/** Null where there is none, or where the one around it ignores the folder. */
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

/** The same for a folder that had no repository of its own when its run began. */
export const openShadow = async (root: string, shadowDir: string): Promise<Repository> =>
  shadowRepository(await realpath(root), shadowDir);

async function shadowRepository(root: string, gitDir: string): Promise<Repository> {
  const repo: Repository = { gitDir, commonDir: gitDir, workTree: root, prefix: '', shadow: true };
  if (existsSync(gitDir)) return repo;
  // Made aside and moved into place, so that a repository that is there is whole.
  const making = join(dirname(gitDir), `${process.pid}.making.git`);
  await rm(making, { recursive: true, force: true });
  await mkdir(dirname(gitDir), { recursive: true });
  const made = { ...repo, gitDir: making, commonDir: making };
  await git(made, ['init', '--quiet', '--template=', '--initial-branch=main']);
  await git(made, ['config', 'core.bare', 'false']);
  await mkdir(join(making, 'info'), { recursive: true });
  await writeFile(join(making, 'info', 'exclude'), SHADOW_EXCLUDES);
  try {
    await rename(making, gitDir);
  } catch (error) {
    // Somebody else was first, and theirs is as good.
    if (!existsSync(gitDir)) throw error;
    await rm(making, { recursive: true, force: true });
  }
  return repo;
}
