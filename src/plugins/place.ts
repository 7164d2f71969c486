/** Where a plugin lies that somebody names by a path. Looked at before anything is handed to npm or to oclif. */
import { type Stats, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dureError } from '../errors.ts';

/** The folder of a plugin, absolute. */
export function folderOf(path: string): string {
  const folder = resolve(path);
  const stats = there(folder);
  if (!stats) throw dureError('E_PLUGIN_PATH', { path: folder, why: 'nothing is there' });
  if (!stats.isDirectory()) throw dureError('E_PLUGIN_PATH', { path: folder, why: 'it is not a folder' });
  if (!there(join(folder, 'package.json')))
    throw dureError('E_PLUGIN_PATH', { path: folder, why: 'the folder has no package.json' });
  return folder;
}

/** A path as npm wants it, and every other name of a package as it is. */
export function packageNamed(word: string): string {
  const [, path] = /^(?:file:)?(\/.*)$/.exec(word) ?? [];
  if (path) return `file:${there(path)?.isFile() ? path : folderOf(path)}`;
  // npm would look for it on GitHub.
  return word.includes('/') && there(join(word, 'package.json')) ? `file:${resolve(word)}` : word;
}

const there = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });
