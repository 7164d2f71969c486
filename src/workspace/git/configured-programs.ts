/**
 * Records the programs that the user's git runs: hooks, and settings that name programs. Agents can change them, so a
 * run records them when it begins, and an approval checks whether they have changed.
 */

import { lstat, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { filesBelow } from '../../formats/file-system/files-below.ts';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { sha256 } from '../../formats/text/sha256.ts';
import { askGit, type Repository } from './run-git.ts';

export interface GitPrograms {
  /** Hash of each file in the hooks folder, keyed by its path below that folder. */
  readonly hooks: Readonly<Record<string, string>>;
  /** Keyed by name in lower case, such as `core.hookspath` or `filter.lfs.smudge`. */
  readonly settings: Readonly<Record<string, string>>;
}

const SETTINGS = '^(core\\.hookspath|core\\.attributesfile|filter\\..*|lfs\\..*)$';

export async function gitPrograms(repo: Repository): Promise<GitPrograms> {
  const settings = await settingsOf(repo);
  const folder = hooksFolder(repo, settings);
  // husky sets the hooks folder to `_`; the hooks there call those in the parent folder.
  const all = basename(folder) === '_' ? dirname(folder) : folder;
  return { settings, hooks: await hashes(all) };
}

/** Leaves out the settings that Dure itself passes to git. */
async function settingsOf(repo: Repository): Promise<GitPrograms['settings']> {
  const listed = await askGit(repo, ['config', '-z', '--show-scope', '--get-regexp', SETTINGS]);
  const own = settingsIn(listed ?? '').filter(({ scope }) => scope !== 'command');
  return Object.fromEntries(own.map(({ name, value }) => [name, value]));
}

export interface ScopedSetting {
  /** `local`, `worktree`, `global`, `system` or `command`. */
  readonly scope: string;
  readonly name: string;
  readonly value: string;
}

/** Parses the settings that `git config -z --show-scope` lists. */
export function settingsIn(listed: string): ScopedSetting[] {
  const parts = listed.split('\0');
  return Array.from({ length: Math.floor(parts.length / 2) }, (_, i) => {
    const [name = '', ...value] = parts[2 * i + 1]!.split('\n');
    return { scope: parts[2 * i]!, name, value: value.join('\n') };
  });
}

/** Returns the path of the user's hooks folder, which might not exist. */
export function hooksFolder(repo: Repository, settings: GitPrograms['settings']): string {
  const set = settings['core.hookspath'];
  if (!set) return join(repo.commonDir, 'hooks');
  const home = repo.shell?.['HOME'] ?? homedir();
  const path = set.replace(/^~(?=\/|$)/, home);
  return isAbsolute(path) ? path : join(repo.workTree, path);
}

/** Maximum number of files to hash. A hooks folder with more is really a project folder. */
export const MAX_HOOKS = 500;

async function hashes(folder: string): Promise<GitPrograms['hooks']> {
  const names = await filesBelow(folder).catch(unlessDiskFails([]));
  const found: Record<string, string> = {};
  for (const name of names.slice(0, MAX_HOOKS)) {
    if (name.endsWith('.sample')) continue;
    const path = join(folder, name);
    const { mode } = await lstat(path);
    const content = await readFile(path).catch(unlessDiskFails(Buffer.alloc(0)));
    found[name] = sha256(`${mode & 0o111 ? 'x' : '-'}\n`, content);
  }
  return found;
}

/** Returns the filter settings in the format of `Repository.filters`. */
export const filtersOf = ({ settings }: GitPrograms): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => /^(filter|lfs)\./.test(name)));

/** Returns the names of the filter settings that differ. */
export function changedFilters(before: GitPrograms, now: GitPrograms): string[] {
  const [then, today] = [filtersOf(before), filtersOf(now)];
  const names = new Set([...Object.keys(then), ...Object.keys(today)]);
  // Git LFS itself changes its other settings.
  const isProgram = /^(filter|lfs\.(customtransfer|extension))\./;
  return [...names].filter(name => isProgram.test(name) && then[name] !== today[name]).sort();
}

/** Returns the names of the hooks that differ, and `core.hooksPath` if that setting differs. */
export function changedHooks(before: GitPrograms, now: GitPrograms): string[] {
  const names = new Set([...Object.keys(before.hooks), ...Object.keys(now.hooks)]);
  const path = 'core.hookspath';
  return [
    ...(before.settings[path] === now.settings[path] ? [] : ['core.hooksPath']),
    ...[...names].filter(name => before.hooks[name] !== now.hooks[name]).sort(),
  ];
}
