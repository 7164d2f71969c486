/**
 * Asks every plugin once what it gives, and keeps what is sound. Whatever a plugin does wrong, then or later, becomes a
 * problem under its name; it never ends a command or a run. The result does not depend on who answered first.
 */
import type { Interfaces } from '@oclif/core';
import { abreast } from './abreast.ts';
import { within } from './calls.ts';
import type { Delivery, Gathered, Terms } from './gathered.ts';
import { sift } from './sift.ts';
import { given } from './strangers/stranger.ts';

export type { Blame, Report } from './calls.ts';
export type { Gathered, GatheredChannel, Terms } from './gathered.ts';
export { fillSections } from './sections.ts';

/** Milliseconds a plugin has to say what it gives; a busy machine takes its time to start a process. */
const LIMIT_MS = 10_000;
/** Processes at a time. More of them would use up each other's time. */
const ABREAST = 4;

export interface Source {
  /** The name by which it was installed. */
  readonly plugin: string;
  load(): Promise<unknown>;
  /** Built-ins win when two give the same name. */
  readonly builtIn?: boolean;
}

/**
 * Through oclif: every installed plugin that has a hook named `dure`. The ones that came with Dure live in this process;
 * a stranger's has a process of its own for each call, since nothing else stops code that spins or exits.
 */
export async function gather(config: Interfaces.Config, terms: Terms = {}): Promise<Gathered> {
  const plugins = [...config.plugins.values()].filter(plugin => (plugin.hooks['dure'] ?? []).length > 0);
  const limit = terms.limit_ms ?? LIMIT_MS;
  return sift(
    await abreast(ABREAST, plugins, plugin =>
      plugin.isRoot ? asked(config, plugin, limit) : visited(plugin, limit),
    ),
    terms,
  );
}

function visited({ name, root, hooks }: Interfaces.Plugin, limit: number): Promise<Delivery> {
  const places = hooks['dure']!.map(({ target, identifier }) => ({ root, target, identifier }));
  return delivered(name, false, limit, async signal => ({
    given: await given(places, signal),
    failures: [],
  }));
}

/** The same without oclif. */
export async function gatherFrom(sources: readonly Source[], terms: Terms = {}): Promise<Gathered> {
  const deliveries = sources.map(({ plugin, load, builtIn = false }) =>
    delivered(plugin, builtIn, terms.limit_ms ?? LIMIT_MS, async () => ({
      given: [await load()],
      failures: [],
    })),
  );
  return sift(await Promise.all(deliveries), terms);
}

/**
 * Asks one plugin alone: oclif's own time limit does not cover the import of a hook, so a module that never ends loading
 * would take the answers of all others with it.
 */
function asked(config: Interfaces.Config, plugin: Interfaces.Plugin, limit: number): Promise<Delivery> {
  const alone = { plugins: { value: new Map([[plugin.name, plugin]]) } };
  const own = Object.create(config, alone) as Interfaces.Config;
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
  load: (signal: AbortSignal) => Promise<Pick<Delivery, 'given' | 'failures'>>,
): Promise<Delivery> {
  try {
    return { plugin, builtIn, ...(await within(limit, load)) };
  } catch (error) {
    return { plugin, builtIn, given: [], failures: [error] };
  }
}
