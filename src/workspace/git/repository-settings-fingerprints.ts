/**
 * Fingerprints everything outside the project's files that controls the user's git and Dure: git settings, hooks,
 * attributes, alternates, replaced objects, Dure's configuration and its standing decisions. Agents can change all of
 * these. An approval compares them with the record in the first event of the run.
 */

import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { filesBelow } from '../../formats/file-system/files-below.ts';
import { statsOf } from '../../formats/file-system/path-status.ts';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { DURE_DIR, type ProjectFiles } from '../../formats/layout.ts';
import { shortHash } from '../../formats/text/sha256.ts';
import { MAX_HOOKS, settingsIn } from './configured-programs.ts';
import { askGit, git, type Repository } from './run-git.ts';

/** Hashes by name. Hashes are short and do not reveal values: a setting may contain a password. */
export type RepositorySettingsFingerprints = Readonly<Record<string, string>>;

/** Files of the git directory. `info/` also contains caches written by git. */
const FILES = ['info/attributes', 'info/exclude', 'info/grafts', 'objects/info/alternates', 'shallow'];
/** Settings that git, gh and LFS write on their own and that name no programs. */
const OWN_NOTES = /^(branch\..*|remote\..*\.gh-resolved|lfs\..*\.access|lfs\.repositoryformatversion)$/;
const SCOPES = ['local', 'worktree'];

/** Excludes the decisions about the run itself. */
export async function repositorySettingsFingerprints(
  repo: Repository,
  project: ProjectFiles,
  runId: string,
): Promise<RepositorySettingsFingerprints> {
  const parts = await Promise.all([
    settingsOf(repo),
    replacedIn(repo),
    fingerprintsIn(join(repo.commonDir, 'hooks'), 'git hooks/', name => !name.endsWith('.sample')),
    Promise.all(FILES.map(name => fileAs(join(repo.commonDir, name), `git ${name}`))).then(found =>
      found.flat(),
    ),
    fingerprintsIn(project.config, `${DURE_DIR}/config/`, () => true),
    fingerprintsIn(project.decisions, `${DURE_DIR}/decisions/`, name => !name.startsWith(`${runId}.`)),
  ]);
  return Object.fromEntries(parts.flat());
}

type Entries = (readonly [name: string, hash: string])[];

/**
 * Fingerprints the repository's git configuration with its included files. Excludes the settings of the user, which
 * differ between users.
 */
async function settingsOf(repo: Repository): Promise<Entries> {
  const listed = await git(repo, ['config', '-z', '--list', '--show-scope', '--includes']);
  const values = new Map<string, string>();
  for (const { scope, name, value } of settingsIn(listed))
    if (SCOPES.includes(scope) && !OWN_NOTES.test(name))
      values.set(name, `${values.get(name) ?? ''}\0${value}`);
  return [...values].map(([name, value]) => [`git config ${name}`, shortHash(value)]);
}

async function replacedIn(repo: Repository): Promise<Entries> {
  const listed = await askGit(repo, ['for-each-ref', '--format=%(refname) %(objectname)', 'refs/replace']);
  const lines = listed?.split('\n').filter(line => line !== '') ?? [];
  return lines.map(line => [`git ${line.split(' ')[0]}`, shortHash(line)]);
}

async function fingerprintsIn(
  folder: string,
  prefix: string,
  take: (name: string) => boolean,
): Promise<Entries> {
  const names = (await filesBelow(folder).catch(unlessDiskFails([]))).filter(take);
  const found = names.slice(0, MAX_HOOKS).map(name => fileAs(join(folder, name), `${prefix}${name}`));
  return (await Promise.all(found)).flat();
}

/** A link is recorded with its target and with the content of the target, because either may change. */
async function fileAs(path: string, name: string): Promise<Entries> {
  const found = await statsOf(path);
  if (!found) return [];
  const target = found.isSymbolicLink() ? await readlink(path) : '';
  const content = await readFile(path).catch(unlessDiskFails(Buffer.alloc(0)));
  return [[name, shortHash(`${found.mode & 0o111 ? 'x' : '-'}${target}\0`, content)]];
}
