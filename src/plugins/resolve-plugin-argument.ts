/** Resolves the path of a plugin, and checks it before npm or oclif is called. */
import { type Stats, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dureError } from '../errors.ts';

/** Returns the absolute path of a plugin's folder. */
export function resolvePluginFolder(path: string): string {
  const folder = resolve(path);
  const stats = there(folder);
  if (!stats) throw dureError('E_PLUGIN_PATH', { path: folder, why: 'it does not exist' });
  if (!stats.isDirectory()) throw dureError('E_PLUGIN_PATH', { path: folder, why: 'it is not a folder' });
  if (!there(join(folder, 'package.json')))
    throw dureError('E_PLUGIN_PATH', { path: folder, why: 'the folder has no package.json' });
  return folder;
}

/** Converts the path of a package to the form that npm expects; returns any other package name unchanged. */
export function npmPackageArgument(word: string): string {
  const [, path] = /^(?:file:)?(\/.*)$/.exec(word) ?? [];
  if (path) return `file:${there(path)?.isFile() ? path : resolvePluginFolder(path)}`;
  // Without `file:`, npm would treat the path as a GitHub repository.
  return word.includes('/') && there(join(word, 'package.json')) ? `file:${resolve(word)}` : word;
}

const there = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });
