/**
 * Finds files of a commit that checkouts cannot contain: submodules that are not checked out, and files whose git
 * filter has no settings.
 */
import type { MissingFiles } from '../formats/missing-after-set-up.ts';
import { withIsolatedGit } from './git/isolated-git.ts';
import { submodulesIn } from './git/list-and-check-out-submodules.ts';
import { type Repository, zJoin, zSplit } from './git/run-git.ts';
import { filesIn } from './git/tree-entries.ts';

/** Returns null if nothing is missing. `repo.filters` are the filter settings that the run uses. */
export async function missingFiles(repo: Repository, commit: string): Promise<MissingFiles | null> {
  const submodules = await submodulesIn(repo, commit);
  const uses = await filterUses(repo, commit);
  const found = {
    submodules: submodules.filter(({ repository }) => repository === null).map(({ path }) => path),
    filters: uses.flatMap(({ name, files, command }) => (command === null ? [{ name, files }] : [])),
  };
  return found.submodules.length + found.filters.length > 0 ? found : null;
}

export interface FilterUse {
  readonly name: string;
  /** Number of files. */
  readonly files: number;
  /** The command that git runs for them; null if the filter has no settings. */
  readonly command: string | null;
}

/** Returns the git filters that the files of a commit use. */
export async function filterUses(repo: Repository, commit: string): Promise<FilterUse[]> {
  const { filters = {} } = repo;
  const input = zJoin(await filesIn(repo, commit));
  // Read the attributes from the commit, not from the user's working tree.
  const listed = await withIsolatedGit(repo, null, async isolated => {
    await isolated.git(['read-tree', commit]);
    return zSplit(await isolated.git(['check-attr', '--cached', '-z', '--stdin', 'filter'], { input }));
  });
  const counts = new Map<string, number>();
  for (let at = 2; at < listed.length; at += 3) {
    const name = listed[at]!;
    if (!['unspecified', 'unset', 'set', ''].includes(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, files]) => {
    const key = `filter.${name}`;
    const command = filters[`${key}.process`] ?? filters[`${key}.smudge`] ?? filters[`${key}.clean`];
    return { name, files, command: command || null };
  });
}
