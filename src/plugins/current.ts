/**
 * The plugins as they are installed now. A process that leads a project lives for days; what is linked or installed
 * meanwhile plays its part in the next run it drives.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Config } from '@oclif/core';
import { type Gathered, gather, type Terms } from './host.ts';

/** `config` is what oclif loaded at the start of this process. */
export function currentPlugins(config: Config, terms: Terms): () => Promise<Gathered> {
  let known: { mark: string; gathered: Promise<Gathered> } | null = null;
  return async () => {
    const mark = await markOf(config);
    if (known?.mark === mark) return known.gathered;
    const now = known ? await loadedAnew(config) : config;
    known = { mark, gathered: gather(now, terms) };
    return known.gathered;
  };
}

/** Its options name the plugins it has: with them it would look for no others. */
function loadedAnew({ options: { plugins: _, ...options } }: Config): Promise<Config> {
  return Config.load(options);
}

/** oclif keeps its list of what is installed and linked in this file, and writes it with every change. */
const markOf = ({ dataDir }: Config): Promise<string> =>
  stat(join(dataDir, 'package.json')).then(
    ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
    () => 'none',
  );
