/**
 * Opens a pack from another clone in a separate repository, so that nothing from it enters the user's clone. The
 * quarantine shares nothing with that clone except its objects. Every new object is checked. Git configuration is never
 * imported.
 */
import { existsSync } from 'node:fs';
import { appendFile, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { dureError } from '../../errors.ts';
import { git, type Repository, runGit, runGitIn } from '../../workspace/git/run-git.ts';
import { packRef } from '../../workspace/pack/commit-pack.ts';

/** A bundle, or a commit in the clone. */
export type PackSource = { readonly bundle: string } | { readonly commit: string };

export interface Quarantine {
  readonly repo: Repository;
  /** The commit of the pack. */
  readonly pack: string;
}

/** Conversions that depend on the user's settings would change the files that are tested. */
const NEUTRAL = '[core]\nautocrlf = false\neol = lf\nfileMode = true\nsymlinks = true\n';

/** `folder` must exist. Without a clone, the source has to be a bundle with the whole history. */
export async function quarantine(
  clone: Repository | null,
  source: PackSource,
  folder: string,
): Promise<Quarantine> {
  const gitDir = join(folder, 'pack.git');
  const empty = join(folder, 'project');
  if (!clone) await mkdir(empty, { recursive: true });
  const repo: Repository = {
    gitDir,
    commonDir: gitDir,
    prefix: '',
    shadow: false,
    workTree: clone?.workTree ?? empty,
  };
  const format = clone && (await git(clone, ['rev-parse', '--show-object-format']));
  const init = ['init', '--quiet', '--bare', '--template=', ...(format ? [`--object-format=${format}`] : [])];
  await expect(runGit([...init, gitDir], { cwd: folder }));
  await appendFile(join(gitDir, 'config'), NEUTRAL);
  if (clone) await shareObjects(clone, gitDir);
  const pack = 'commit' in source ? source.commit : await unbundled(repo, source.bundle);
  return { repo, pack };
}

async function shareObjects({ commonDir }: Repository, gitDir: string): Promise<void> {
  await writeFile(join(gitDir, 'objects', 'info', 'alternates'), `${join(commonDir, 'objects')}\n`);
  // A shallow clone lacks the parents of the commits in this file, which is not damage.
  const shallow = join(commonDir, 'shallow');
  if (existsSync(shallow)) await copyFile(shallow, join(gitDir, 'shallow'));
}

async function unbundled(repo: Repository, bundle: string): Promise<string> {
  const all = `${packRef('*')}:${packRef('*')}`;
  const checks = ['transfer.fsckObjects=true', 'fetch.fsckObjects=true'].flatMap(each => ['-c', each]);
  const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', bundle, `+${all}`];
  await expect(
    runGitIn(repo, [...checks, ...fetch], {
      cwd: repo.workTree,
      env: { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' },
    }),
  );
  const found = (await git(repo, ['for-each-ref', '--format=%(objectname)', packRef('')])).split('\n');
  if (found.length !== 1 || found[0] === '')
    throw dureError('E_PROVE_PACK', { why: 'it does not contain exactly one pack ref' });
  return found[0]!;
}

/** Part of the message with which git lists commits that a bundle builds on and the clone lacks. */
const LACKS = 'lacks these prerequisite commits';

async function expect(running: ReturnType<typeof runGit>): Promise<void> {
  const { code, stderr } = await running;
  if (code === 0) return;
  if (stderr.includes(LACKS)) {
    const commits = [...stderr.matchAll(/^error: ([0-9a-f]{12})[0-9a-f]{28,52}\b/gm)].map(([, id]) => id);
    throw dureError('E_PROVE_BASE', { commits: commits.join(', ') });
  }
  throw dureError('E_PROVE_PACK', { why: stderr || `git exited with ${code}` });
}
