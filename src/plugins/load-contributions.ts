/**
 * Collects the contributions of all plugins and keeps the valid ones. If a plugin fails, now or later, the failure is
 * reported under its name and never ends a command or a run. The result does not depend on the order in which
 * plugins answer.
 */
import type { Interfaces } from '@oclif/core';
import type { Contributions, LoadedPlugin, Terms } from './contributions.ts';
import { remotePlugins } from './remote-plugin.ts';
import { callWithin, type PluginFailure, type Report } from './safe-call.ts';
import { validateContributions } from './validate-contributions.ts';

export { withSectionDefaults } from './config-sections.ts';
export type { Contributions, Terms } from './contributions.ts';
export type { PluginFailure } from './safe-call.ts';

/** Milliseconds for a plugin to load; starting a process takes long on a busy machine. */
const LIMIT_MS = 20_000;
/** Maximum number of processes to start at once; more would slow each other down. */
const ABREAST = 4;

export interface Source {
  /** The name under which it was installed. */
  readonly plugin: string;
  load(): Promise<unknown>;
  /** On a name conflict, the built-in ones win. */
  readonly builtIn?: boolean;
}

/**
 * Uses oclif: every installed plugin with a hook named `dure`. Built-in plugins run in this process. An installed
 * plugin runs in its own process, because nothing else can stop code that loops or exits.
 */
export async function loadContributions(
  config: Interfaces.Config,
  terms: Terms = {},
): Promise<Contributions> {
  const plugins = [...config.plugins.values()].filter(plugin => (plugin.hooks['dure'] ?? []).length > 0);
  const limit = terms.limit_ms ?? LIMIT_MS;
  const collector = collected(terms);
  const deliveries = await mapParallel(ABREAST, plugins, plugin =>
    plugin.isRoot ? asked(config, plugin, limit) : remote(plugin, limit, collector.report),
  );
  return validateContributions(deliveries, { ...terms, ...collector });
}

/** Collects the problems found so far, and later ones as they occur. */
function collected({ report = () => {} }: Terms): { problems: PluginFailure[]; report: Report } {
  const problems: PluginFailure[] = [];
  return {
    problems,
    report(blame) {
      problems.push(blame);
      report(blame);
    },
  };
}

function remote(
  { name, root, hooks }: Interfaces.Plugin,
  limit: number,
  report: Report,
): Promise<LoadedPlugin> {
  const files = hooks['dure']!.map(({ target, identifier }) => ({ root, target, identifier }));
  return delivered(name, false, limit, async signal => ({
    given: await remotePlugins(files, signal, problem => report({ plugin: name, problem })),
    failures: [],
  }));
}

/** Like `loadContributions`, without oclif. */
export async function contributionsOf(sources: readonly Source[], terms: Terms = {}): Promise<Contributions> {
  const deliveries = sources.map(({ plugin, load, builtIn = false }) =>
    delivered(plugin, builtIn, terms.limit_ms ?? LIMIT_MS, async () => ({
      given: [await load()],
      failures: [],
    })),
  );
  return validateContributions(await Promise.all(deliveries), { ...terms, ...collected(terms) });
}

/**
 * Loads one plugin on its own: oclif's time limit does not cover the import of a hook, so a module that never
 * finishes loading would block all other plugins.
 */
function asked(config: Interfaces.Config, plugin: Interfaces.Plugin, limit: number): Promise<LoadedPlugin> {
  const onlyThisPlugin = { plugins: { value: new Map([[plugin.name, plugin]]) } };
  const own = Object.create(config, onlyThisPlugin) as Interfaces.Config;
  const hooks = plugin.hooks['dure']?.length ?? 1;
  return delivered(plugin.name, plugin.isRoot, limit * (hooks + 1), async () => {
    const { successes, failures } = await own.runHook('dure', {}, limit, true);
    return { given: successes.map(one => one.result), failures: failures.map(one => one.error) };
  });
}

async function delivered(
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

/** Maps items with limited concurrency; results keep the order of the items. */
async function mapParallel<T, R>(
  most: number,
  items: readonly T[],
  work: (thing: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const left = items.entries();
  const worker = async () => {
    for (const [i, thing] of left) results[i] = await work(thing);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results;
}
