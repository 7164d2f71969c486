/**
 * Returns the contributions of the plugins that are installed at the time of the call. The leader of a project may run
 * for days; the next run that it drives uses plugins that were installed or linked in the meantime.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Config } from '@oclif/core';
import { type Contributions, loadContributions, type Terms } from './load-contributions.ts';

/** `config`: what oclif loaded when this process started. */
export function currentPlugins(config: Config, terms: Terms): () => Promise<Contributions> {
  let cached: { mark: string; plugins: Promise<Contributions> } | null = null;
  return async () => {
    const mark = await markOf(config);
    if (cached?.mark === mark) return cached.plugins;
    const now = cached ? await reload(config) : config;
    cached = { mark, plugins: loadContributions(now, terms) };
    return cached.plugins;
  };
}

/** Omits the `plugins` option, which would prevent oclif from looking for new plugins. */
function reload({ options: { plugins: _, ...options } }: Config): Promise<Config> {
  return Config.load(options);
}

/** Returns a value that changes with oclif's list of plugins, which is in package.json in oclif's data folder. */
const markOf = ({ dataDir }: Config): Promise<string> =>
  stat(join(dataDir, 'package.json')).then(
    ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
    () => 'none',
  );
