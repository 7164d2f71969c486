/**
 * Isolated git: runs git in a temporary git directory that shares only the objects of the project's
 * repository. No configuration is read except the few settings copied here, so no filter, textconv, merge
 * driver, hook, fsmonitor or alias runs, whatever an agent wrote into `.gitattributes`, a nested `.git` or
 * the project's `.git/config`. The index is new, so no flag in an existing index can hide a file.
 *
 * Project files go through the filters that were configured when the run began (`withProjectGit`): agents and tests see
 * the content of a Git LFS file, and the result contains its pointer. Other files are not filtered. Files that agents
 * write outside the project are stored and written byte for byte (`withExactGit`).
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join, resolve } from 'node:path';
import { dureError } from '../../errors.ts';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { withTemporaryFolder } from '../../formats/file-system/temporary-folder.ts';
import { linkInRun, pathFromRun } from '../../formats/refuse-symlinks.ts';
import { excludedFromResults } from '../seal/files-excluded-from-results.ts';
import { removePipesReadByGit } from './remove-pipes-read-by-git.ts';
import { askGit, type GitOptions, git, gitBytes, type Repository } from './run-git.ts';

export interface IsolatedGit {
  /** The repository whose objects it shares. */
  readonly repo: Repository;
  /** Its work tree; the same as `dir` if it has none. */
  readonly workTree: string;
  /** The temporary git directory. */
  readonly dir: string;
  readonly index: string;
  git(args: readonly string[], options?: GitOptions): Promise<string>;
  bytes(args: readonly string[], options?: GitOptions): Promise<Buffer>;
  ask(args: readonly string[], options?: GitOptions): Promise<string | null>;
}

/** File system settings and the user's preferences. None of them names a program. */
const COPIED =
  '^(core\\.(autocrlf|eol|filemode|ignorecase|precomposeunicode|symlinks|excludesfile|protecthfs|protectntfs)|extensions\\.objectformat)$';

const NO_OTHER_CONFIG = { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1', GIT_ATTR_NOSYSTEM: '1' };

export type WithGit = <T>(
  repo: Repository,
  workTree: string | null,
  work: (isolated: IsolatedGit) => Promise<T>,
) => Promise<T>;

/**
 * Calls `work` with an isolated git for `workTree` (null when no files are needed), and removes the isolated git
 * directory afterwards.
 */
export const withIsolatedGit: WithGit = (repo, workTree, work) => withConfig(repo, workTree, {}, work);

/** Like `withIsolatedGit`, but with the run's filters, for a folder with project files. */
export const withProjectGit: WithGit = (repo, workTree, work) =>
  withConfig(repo, workTree, { config: filterConfig(repo) }, work);

/** Like `withIsolatedGit`, but no setting or attribute converts line endings or encodings. */
export const withExactGit: WithGit = (repo, workTree, work) =>
  withConfig(repo, workTree, { attributes: NO_CONVERSION }, work);

/** These attributes override those in the tree and in the folder. */
const NO_CONVERSION = '* -text -ident !working-tree-encoding\n';

interface More {
  readonly config?: string;
  readonly attributes?: string;
}

async function withConfig<T>(
  repo: Repository,
  workTree: string | null,
  more: More,
  work: (isolated: IsolatedGit) => Promise<T>,
): Promise<T> {
  const link = workTree === null ? null : linkInRun(workTree);
  if (link) throw dureError('E_GIT', { command: 'add', stderr: `${link} is a symbolic link` });
  if (workTree !== null && pathFromRun(workTree) !== null) await removePipesReadByGit(workTree);
  return withTemporaryFolder('dure-git-', async dir => {
    await prepare(repo, dir, workTree, more);
    const place: Repository = { ...repo, gitDir: dir, commonDir: dir, workTree: workTree ?? dir };
    const index = join(dir, 'index');
    const objects = join(repo.commonDir, 'objects');
    const env = {
      ...NO_OTHER_CONFIG,
      GIT_OBJECT_DIRECTORY: repo.newObjects ?? objects,
      ...(repo.newObjects !== undefined && { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects }),
      GIT_INDEX_FILE: index,
    };
    const within = (options?: GitOptions) => ({ ...options, env: { ...env, ...options?.env } });
    return work({
      repo,
      workTree: place.workTree,
      dir,
      index,
      git: (args, options) => git(place, args, within(options)),
      bytes: (args, options) => gitBytes(place, args, within(options)),
      ask: (args, options) => askGit(place, args, within(options)),
    });
  });
}

/** Read once per opened repository, so that the settings do not change during a run. */
const configs = new WeakMap<Repository, Promise<string>>();

function configOf(repo: Repository): Promise<string> {
  const known = configs.get(repo);
  if (known) return known;
  const config = askGit(repo, ['config', '-z', '--type=path', '--get-regexp', COPIED]).then(configText);
  config.catch(() => configs.delete(repo));
  configs.set(repo, config);
  return config;
}

/**
 * Settings of `core`. Big files are compressed quickly and written straight into a packfile, which bundles copy as is.
 * Delta compression would take minutes.
 */
export const STORAGE = { bigFileThreshold: '16m', compression: '1' };

function configText(listed: string | null): string {
  const settings = new Map<string, string>();
  for (const entry of listed?.split('\0') ?? []) {
    const [key, ...value] = entry.split('\n');
    if (key) settings.set(key, value.join('\n') || 'true');
  }
  const format = settings.get('extensions.objectformat');
  const lines = [
    ...['[core]', `repositoryformatversion = ${format ? 1 : 0}`, 'bare = false', 'safecrlf = false'],
    ...Object.entries(STORAGE).map(([name, value]) => `${name} = ${value}`),
  ];
  for (const [key, value] of settings)
    if (key.startsWith('core.')) lines.push(`${key.slice('core.'.length)} = ${quoted(value)}`);
  if (format) lines.push('[extensions]', `objectformat = ${quoted(format)}`);
  return `${lines.join('\n')}\n`;
}

async function prepare(
  repo: Repository,
  dir: string,
  workTree: string | null,
  { config: added = '', attributes = '' }: More,
): Promise<void> {
  const config = await configOf(repo);
  await Promise.all([
    ...['refs', 'objects', 'info'].map(folder => mkdir(join(dir, folder))),
    writeFile(join(dir, 'HEAD'), 'ref: refs/heads/none\n'),
    writeFile(join(dir, 'config'), config + added),
  ]);
  if (attributes !== '') await writeFile(join(dir, 'info', 'attributes'), attributes);
  if (workTree === null) return;
  const [exclude, leftBySetUp] = await Promise.all([
    readFile(join(repo.commonDir, 'info', 'exclude'), 'utf8').catch(unlessDiskFails('')),
    excludedFromResults(repo, workTree),
  ]);
  await writeFile(join(dir, 'info', 'exclude'), `${exclude}\n${leftBySetUp}`);
}

/**
 * Git LFS stores file contents in the git directory, which is temporary here, so `lfs.storage` is set to the folder in
 * the repository.
 */
function filterConfig({ filters = {}, commonDir }: Repository): string {
  if (Object.keys(filters).length === 0) return '';
  const settings = { ...filters, 'lfs.storage': resolve(commonDir, filters['lfs.storage'] ?? 'lfs') };
  return Object.entries(settings)
    .map(([name, value]) => {
      const [section = '', ...rest] = name.split('.');
      const key = rest.pop();
      const named = rest.length > 0 ? `${section} ${quoted(rest.join('.'))}` : section;
      return `[${named}]\n${key} = ${quoted(value)}\n`;
    })
    .join('');
}

const quoted = (value: string): string =>
  `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
