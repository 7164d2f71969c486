/**
 * Finds the last sealed result of a run without using the run's log: from the refs of its seals, or from their bundles.
 * A seal with a parent commit is a result, because only seals of a worktree have one.
 */

import { damageOfObjects } from '../git/commit-ancestry-and-damage.ts';
import { git, type Repository, revParse, runGitIn } from '../git/run-git.ts';
import { bundlesIn } from './restore-damaged-seals.ts';
import { sealRef } from './seal.ts';

export interface LastSeal {
  readonly step: string;
  readonly launch: number;
  readonly commit: string;
}

/** Null when no complete result is left. `folder` contains the bundles. */
export async function lastSealedResult(
  repo: Repository,
  runId: string,
  folder: string,
): Promise<LastSeal | null> {
  const prefix = sealRef(runId, '');
  const refs = await git(repo, ['for-each-ref', '--format=%(objectname) %(refname)', prefix]);
  const bundled = await Promise.all(
    (await bundlesIn(folder)).map(async file =>
      // Unpacks the objects, and prints the refs of the bundle.
      (await runGitIn(repo, ['bundle', 'unbundle', file])).stdout.toString(),
    ),
  );
  const seals = [refs, ...bundled]
    .flatMap(text => text.split('\n'))
    .flatMap(line => sealOf(line, prefix))
    .sort((a, b) => b.launch - a.launch);
  for (const seal of seals) if (await isResult(repo, seal.commit)) return seal;
  return null;
}

function sealOf(line: string, prefix: string): LastSeal[] {
  const [commit = '', ref = ''] = line.split(' ');
  const [, step, launch] = /^([a-z][a-z0-9-]*)\.(\d+)$/.exec(ref.slice(prefix.length)) ?? [];
  return ref.startsWith(prefix) && step !== undefined ? [{ step, launch: Number(launch), commit }] : [];
}

/** Whether the commit has a parent and all its objects, except those on the user's branches, are intact. */
async function isResult(repo: Repository, commit: string): Promise<boolean> {
  if ((await revParse(repo, `${commit}^1`)) === null) return false;
  const own = ['--not', '--exclude=dure/*', '--branches', '--remotes'];
  return (await damageOfObjects(repo, [commit, ...own])) === null;
}
