/**
 * Finds damaged seals, and restores them from their second copies, git bundles in the run folder: agents can delete
 * refs and objects of the repository, or move objects to a place that is deleted later.
 */
import { join } from 'node:path';
import { dureError } from '../../errors.ts';
import { namesIn } from '../../formats/file-system/path-status.ts';
import { withTemporaryFolder } from '../../formats/file-system/temporary-folder.ts';
import { damageOfObjects } from '../git/commit-ancestry-and-damage.ts';
import { type Repository, runGitIn } from '../git/run-git.ts';
import type { Sealed } from './seal.ts';

const EXTENSION = '.bundle';

/**
 * Makes sure that all objects of the seals exist and that their content matches their ids. Returns the
 * names of the seals that were restored. Throws `E_SEAL_LOST`, and `E_GIT` if git could not check them.
 */
export async function restoreSeals(
  repo: Repository,
  { base, folder, seals }: { base: string; folder: string; seals: Readonly<Record<string, Sealed>> },
): Promise<string[]> {
  const lost = await damagedSeals(repo, base, seals);
  if (lost.length === 0) return [];
  // A bundle may require commits from an earlier one.
  for (const file of await bundlesIn(folder)) await runGitIn(repo, ['bundle', 'unbundle', file]);
  const left = await damagedSeals(repo, base, seals);
  if (left.length > 0) throw dureError('E_SEAL_LOST', { steps: left.join(', ') });
  return lost;
}

/**
 * Returns the names of the seals that have missing objects, or objects whose content does not match their ids. Throws
 * `E_GIT` if git could not check them.
 */
export async function damagedSeals(
  repo: Repository,
  base: string,
  seals: Readonly<Record<string, Sealed>>,
): Promise<string[]> {
  const commits = Object.values(seals).map(({ commit }) => commit);
  if (await areWhole(repo, commits, base)) return [];
  const whole = await Promise.all(commits.map(commit => areWhole(repo, [commit], base)));
  return Object.keys(seals).filter((_, i) => !whole[i]);
}

/** Whether the bundle can be unpacked. Its objects are unpacked into a temporary folder. */
export const isWholeBundle = (repo: Repository, file: string): Promise<boolean> =>
  withTemporaryFolder('dure-bundle-', async folder => {
    const env = {
      GIT_OBJECT_DIRECTORY: folder,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(repo.commonDir, 'objects'),
    };
    return (await runGitIn(repo, ['bundle', 'unbundle', file], { env })).code === 0;
  });

const areWhole = async (repo: Repository, commits: readonly string[], base: string): Promise<boolean> =>
  commits.length === 0 || (await damageOfObjects(repo, [...commits, `^${base}`])) === null;

/** Returns the paths of the bundles in a folder, oldest launch first. */
export async function bundlesIn(folder: string): Promise<string[]> {
  const names = (await namesIn(folder)).filter(name => name.endsWith(EXTENSION));
  const launchOf = (name: string) => Number(name.slice(0, -EXTENSION.length).split('.').at(-1));
  return names.sort((a, b) => launchOf(a) - launchOf(b)).map(name => join(folder, name));
}
