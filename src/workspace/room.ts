/**
 * A clean room: a throw-away git directory that shares nothing with the project's but its objects. Always true in it:
 * no configuration is read except the few plain settings copied here, so no filter, textconv, merge driver, hook,
 * fsmonitor or alias exists, whatever an agent wrote into `.gitattributes`, a nested `.git` or the project's own
 * `.git/config`; and its index is fresh, so no flag set there hides a file.
 *
 * Filters stay off in both directions: a file kept by Git LFS is its pointer to the agents, and comes back as such.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { askGit, type GitOptions, git, gitBytes, type Repository } from './git.ts';
import { excludedFromResults } from './worktree-git-dir.ts';

export interface Room {
  readonly dir: string;
  readonly index: string;
  git(args: readonly string[], options?: GitOptions): Promise<string>;
  bytes(args: readonly string[], options?: GitOptions): Promise<Buffer>;
  ask(args: readonly string[], options?: GitOptions): Promise<string | null>;
}

/** Plain facts about the disk and the person's habits. None of them names a program. */
const COPIED =
  '^(core\\.(autocrlf|eol|filemode|ignorecase|precomposeunicode|symlinks|excludesfile|protecthfs|protectntfs)|extensions\\.objectformat)$';

const ALONE = { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1', GIT_ATTR_NOSYSTEM: '1' };

/** Works in a new room over `workTree`; null when no files are touched. The room is gone afterwards. */
export async function inRoom<T>(
  repo: Repository,
  workTree: string | null,
  work: (room: Room) => Promise<T>,
): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'dure-git-'));
  try {
    await furnish(repo, dir, workTree);
    const place: Repository = { ...repo, gitDir: dir, commonDir: dir, workTree: workTree ?? dir };
    const index = join(dir, 'index');
    const env = { ...ALONE, GIT_OBJECT_DIRECTORY: join(repo.commonDir, 'objects'), GIT_INDEX_FILE: index };
    const within = (options?: GitOptions) => ({ ...options, env: { ...env, ...options?.env } });
    return await work({
      dir,
      index,
      git: (args, options) => git(place, args, within(options)),
      bytes: (args, options) => gitBytes(place, args, within(options)),
      ask: (args, options) => askGit(place, args, within(options)),
    });
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** Asked once for each opening of a repository: one run sees one set of settings, whatever is written there meanwhile. */
const asked = new WeakMap<Repository, Promise<string>>();

function configOf(repo: Repository): Promise<string> {
  const known = asked.get(repo);
  if (known) return known;
  const config = askGit(repo, ['config', '-z', '--type=path', '--get-regexp', COPIED]).then(configText);
  config.catch(() => asked.delete(repo));
  asked.set(repo, config);
  return config;
}

function configText(listed: string | null): string {
  const settings = new Map<string, string>();
  for (const entry of listed?.split('\0') ?? []) {
    const [key, ...value] = entry.split('\n');
    if (key) settings.set(key, value.join('\n') || 'true');
  }
  const format = settings.get('extensions.objectformat');
  const lines = ['[core]', `repositoryformatversion = ${format ? 1 : 0}`, 'bare = false', 'safecrlf = false'];
  for (const [key, value] of settings)
    if (key.startsWith('core.')) lines.push(`${key.slice('core.'.length)} = ${quoted(value)}`);
  if (format) lines.push('[extensions]', `objectformat = ${quoted(format)}`);
  return `${lines.join('\n')}\n`;
}

async function furnish(repo: Repository, dir: string, workTree: string | null): Promise<void> {
  const config = await configOf(repo);
  await Promise.all([
    ...['refs', 'objects', 'info'].map(folder => mkdir(join(dir, folder))),
    writeFile(join(dir, 'HEAD'), 'ref: refs/heads/none\n'),
    writeFile(join(dir, 'config'), config),
  ]);
  if (workTree === null) return;
  const [exclude, leftBySetUp] = await Promise.all([
    readFile(join(repo.commonDir, 'info', 'exclude'), 'utf8').catch(() => ''),
    excludedFromResults(repo, workTree),
  ]);
  await writeFile(join(dir, 'info', 'exclude'), `${exclude}\n${leftBySetUp}`);
}

const quoted = (value: string): string =>
  `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
