/** Git repositories for tests, made by a user named Ann. */
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Content by path; null removes the file. */
export type Files = Readonly<Record<string, string | Buffer | null>>;

export const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trimEnd();

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await (content === null ? rm(file, { recursive: true, force: true }) : writeFile(file, content));
  }
}

/** Commits all files of the folder. Returns the commit. */
export async function commitFiles(root: string, files: Files): Promise<string> {
  await writeFiles(root, files);
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--allow-empty', '--message=a commit');
  return git(root, 'rev-parse', 'HEAD');
}

/** Creates a repository with one commit on `main`. Returns the commit. */
export async function newRepository(root: string, files: Files): Promise<string> {
  await mkdir(root, { recursive: true });
  git(root, 'init', '--quiet', '--template=', '--initial-branch=main');
  return commitFiles(root, files);
}

/** Configures Ann as the git user of the repository, for programs that create commits themselves. */
export function signIn(root: string): void {
  git(root, 'config', 'user.name', 'Ann');
  git(root, 'config', 'user.email', 'ann@example.org');
}
