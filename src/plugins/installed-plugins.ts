/** Lists the installed and linked plugins, as recorded in oclif's data folder. Loads no plugin code. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Interfaces } from '@oclif/core';
import { asTyped, dureError } from '../errors.ts';
import type { InstalledPlugin } from '../formats/output/common.ts';

interface Kept {
  readonly name: string;
  readonly type: InstalledPlugin['type'];
  readonly root?: string;
}

export function installedPlugins({ dataDir, plugins }: Interfaces.Config): InstalledPlugin[] {
  return kept(dataDir).map(({ name, type, root }) => ({
    plugin: name,
    plugin_version: plugins.get(name)?.version ?? null,
    type,
    root: root ?? join(dataDir, 'node_modules', name),
  }));
}

function kept(dataDir: string): Kept[] {
  try {
    const { oclif } = JSON.parse(readFileSync(join(dataDir, 'package.json'), 'utf8'));
    return oclif.plugins ?? [];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Finds a plugin by name, with or without a version, or by folder. */
export function installedAs(word: string, config: Interfaces.Config): InstalledPlugin {
  const all = installedPlugins(config);
  const name = word.replace(/(?<!^)@[^/]*$/, '');
  const found = all.find(({ plugin, root }) => plugin === name || resolve(root) === resolve(word));
  if (found) return found;
  throw dureError('E_PLUGIN_UNKNOWN', {
    plugin: asTyped(word),
    installed: all.map(one => one.plugin).join(', '),
  });
}
