/**
 * Records the state of files that no run may change before approval: the user's working tree and Dure's configuration.
 * The files are only compared, not protected, because people keep working in them.
 */
import { join } from 'node:path';
import { namesIn, statsOf } from '../formats/file-system/path-status.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { readText } from '../formats/read-and-write-files.ts';
import { dirtyFiles } from './base-and-snapshot-commits.ts';
import type { Repository } from './git/run-git.ts';

/** Fingerprints, keyed by path; `HEAD` is the key of the user's branch. */
export type UserFileFingerprints = Readonly<Record<string, string>>;

/** Maximum number of uncommitted files. If there are more, nothing is recorded. */
const MAX_DIRTY = 2000;

/** Excludes the decisions about the run `runId` itself. Null if there are too many uncommitted files. */
export async function userFileFingerprints(
  repo: Repository,
  project: ProjectFiles,
  runId: string,
): Promise<UserFileFingerprints | null> {
  const [dirty, head, config, decisions] = await Promise.all([
    dirtyFiles(repo),
    repo.shadow ? null : headOf(repo),
    pathsIn(project.config),
    pathsIn(project.decisions),
  ]);
  if (dirty.length > MAX_DIRTY) return null;
  const below = (path: string) => path.slice(project.root.length + 1);
  const files = [
    ...dirty.map(path => [path, join(repo.workTree, path)] as const),
    ...config.map(path => [below(path), path] as const),
    ...decisions.filter(path => !path.includes(`/${runId}.`)).map(path => [below(path), path] as const),
  ];
  const seen = await Promise.all(files.map(async ([name, path]) => [name, await mark(path)] as const));
  return Object.fromEntries([...(head ? [['HEAD', head] as const] : []), ...seen]);
}

/** Reads the user's current branch and the time it last moved, without running git. */
async function headOf({ gitDir, commonDir }: Repository): Promise<string> {
  const head = (await readText(join(gitDir, 'HEAD'))) ?? '';
  const branch = /^ref: (\S+)/.exec(head)?.[1];
  return branch === undefined ? head : `${head} ${await mark(join(commonDir, branch))}`;
}

const pathsIn = async (dir: string): Promise<string[]> => (await namesIn(dir)).map(name => join(dir, name));

async function mark(path: string): Promise<string> {
  const found = await statsOf(path);
  return found ? `${found.mode} ${found.size} ${found.mtimeMs}` : 'gone';
}
