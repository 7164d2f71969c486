/**
 * Collects the contributions of all plugins and keeps the valid ones. If a plugin fails, now or later, the failure is
 * reported under its name and never ends a command or a run. The result does not depend on the order in which
 * plugins answer.
 */

import type { Interfaces } from '@oclif/core';
import { callWithin, type PluginFailure, type Report } from '../process/call-plugin-code.ts';
import { mapParallel } from '../process/map-parallel.ts';
import type { Contributions, LoadedPlugin, Terms } from './contributions.ts';
import { remotePlugins } from './remote-plugin.ts';
import { validateContributions } from './validate-contributions.ts';

export type { PluginFailure } from '../process/call-plugin-code.ts';
export { withSectionDefaults } from './config-sections.ts';
export type { Contributions, Terms } from './contributions.ts';

/** Milliseconds allowed for a plugin to load; starting a process is slow on a busy machine. */
const LIMIT_MS = 20_000;
/** Maximum number of processes to start at once; more would slow each other down. */
const MAX_CONCURRENCY = 4;

export interface Source {
  /** The name under which the plugin was installed. */
  readonly plugin: string;
  load(): Promise<unknown>;
  /** On a name conflict, the contributions of built-in plugins win. */
  readonly builtIn?: boolean;
}

/**
 * Loads every plugin in which oclif finds a hook named `dure`. Built-in plugins run in this process. An installed
 * plugin runs in its own process, because code that loops or exits cannot be contained otherwise.
 */
export async function loadContributions(
  config: Interfaces.Config,
  terms: Terms = {},
): Promise<Contributions> {
  const plugins = [...config.plugins.values()].filter(plugin => (plugin.hooks['dure'] ?? []).length > 0);
  const limit = terms.limit_ms ?? LIMIT_MS;
  const collector = problemCollector(terms);
  const loaded = await mapParallel(MAX_CONCURRENCY, plugins, plugin =>
    plugin.isRoot ? loadBuiltIn(config, plugin, limit) : loadInstalled(plugin, limit, collector.report),
  );
  return validateContributions(loaded, { ...terms, ...collector });
}

/** Collects the problems found so far, and later ones as they occur. */
function problemCollector({ report = () => {} }: Terms): { problems: PluginFailure[]; report: Report } {
  const problems: PluginFailure[] = [];
  return {
    problems,
    report(failure) {
      problems.push(failure);
      report(failure);
    },
  };
}

function loadInstalled(
  { name, root, hooks }: Interfaces.Plugin,
  limit: number,
  report: Report,
): Promise<LoadedPlugin> {
  const files = hooks['dure']!.map(({ target, identifier }) => ({ root, target, identifier }));
  return loadPlugin(name, false, limit, async signal => ({
    given: await remotePlugins(files, signal, problem => report({ plugin: name, problem })),
    failures: [],
  }));
}

/** Like `loadContributions`, without oclif. */
export async function contributionsOf(sources: readonly Source[], terms: Terms = {}): Promise<Contributions> {
  const loading = sources.map(({ plugin, load, builtIn = false }) =>
    loadPlugin(plugin, builtIn, terms.limit_ms ?? LIMIT_MS, async () => ({
      given: [await load()],
      failures: [],
    })),
  );
  return validateContributions(await Promise.all(loading), { ...terms, ...problemCollector(terms) });
}

/**
 * Loads one plugin on its own: oclif's time limit does not cover the import of a hook, so a module that never
 * finishes loading would block all other plugins.
 */
function loadBuiltIn(
  config: Interfaces.Config,
  plugin: Interfaces.Plugin,
  limit: number,
): Promise<LoadedPlugin> {
  const onlyThisPlugin = { plugins: { value: new Map([[plugin.name, plugin]]) } };
  const configForPlugin = Object.create(config, onlyThisPlugin) as Interfaces.Config;
  const hooks = plugin.hooks['dure']?.length ?? 1;
  return loadPlugin(plugin.name, plugin.isRoot, limit * (hooks + 1), async () => {
    const { successes, failures } = await configForPlugin.runHook('dure', {}, limit, true);
    return { given: successes.map(one => one.result), failures: failures.map(one => one.error) };
  });
}

async function loadPlugin(
  plugin: string,
  builtIn: boolean,
  limit: number,
  load: (signal: AbortSignal) => Promise<Pick<LoadedPlugin, 'given' | 'failures'>>,
): Promise<LoadedPlugin> {
  try {
    return { plugin, builtIn, ...(await callWithin(limit, load)) };
  } catch (error) {
    return { plugin, builtIn, given: [], failures: [error] };
  }
}
