/** Asks git which paths it ignores. Ignored files are in no commit: a run has only those in `workspace.copy`. */
import { printedIn, zJoin, zSplit } from './run-git.ts';

/** Prefix of a path, so that git does not read a path that starts with a colon as a pattern. */
const HERE = './';

/**
 * Returns the paths (relative to `folder`) that git ignores and does not track; none without a repository.
 */
export async function ignoredAmong(folder: string, paths: readonly string[]): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  const input = zJoin(paths.map(path => `${HERE}${path}`));
  const ignored = await printedIn(folder, ['check-ignore', '-z', '--stdin'], { input });
  return new Set(zSplit(ignored ?? '').map(path => path.slice(HERE.length)));
}
