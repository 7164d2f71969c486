/**
 * Asks every plugin once what it gives, and keeps what is sound. Whatever a plugin does wrong, then or later, becomes a
 * problem under its name; it never ends a command or a run. The result does not depend on who answered first.
 */
import type { Interfaces } from '@oclif/core';
import type { ZodType } from 'zod';
import { type Config, configFiles } from '../formats/config.ts';
import { problemsOf } from '../formats/define.ts';
import type { AgentRole, Backend, NotificationChannel, Plugin, VerdictHandler } from '../index.ts';
import { atOnce, type Blame, type Report, within, wordsOf } from './calls.ts';
import { backendShape, channelShape, PLUGIN_KEYS, pluginShape, roleShape, verdictShape } from './checked.ts';
import { type Accuse, accuser, guardedBackend, guardedRole, guardedVerdict } from './guarded.ts';
import { inOrder } from './role-order.ts';

export type { Blame, Report } from './calls.ts';

/** Milliseconds a plugin has to say what it gives. */
const LIMIT_MS = 5000;

export interface Source {
  /** The name by which it was installed. */
  readonly plugin: string;
  load(): Promise<unknown>;
  /** Built-ins win when two give the same name. */
  readonly builtIn?: boolean;
}

export interface GatheredChannel {
  readonly plugin: string;
  /** Key of the plugin's own section in global.json. */
  readonly section: string;
  readonly channel: NotificationChannel;
}

export interface Gathered {
  /** Each after the phase it names; the built-in four come first. */
  readonly roles: readonly AgentRole[];
  readonly verdicts: readonly VerdictHandler[];
  readonly channels: readonly GatheredChannel[];
  readonly backends: readonly Backend[];
  /** Shapes of the plugins' own sections of global.json, by the plugin's name. */
  readonly configShapes: Readonly<Record<string, ZodType>>;
  /** Grows when a plugin fails later. */
  readonly problems: readonly Blame[];
}

export interface Terms {
  readonly backends?: readonly Backend[];
  /** Hears of each problem as it becomes known. */
  readonly report?: Report;
  readonly limit_ms?: number;
}

interface Delivery {
  readonly plugin: string;
  readonly builtIn: boolean;
  readonly given: readonly unknown[];
  readonly failures: readonly unknown[];
}

/** Through oclif: every installed plugin that has a hook named `dure`. */
export async function gather(config: Interfaces.Config, terms: Terms = {}): Promise<Gathered> {
  const plugins = [...config.plugins.values()].filter(plugin => (plugin.hooks['dure'] ?? []).length > 0);
  return sift(
    await Promise.all(plugins.map(plugin => asked(config, plugin, terms.limit_ms ?? LIMIT_MS))),
    terms,
  );
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
  load: () => Promise<Pick<Delivery, 'given' | 'failures'>>,
): Promise<Delivery> {
  try {
    return { plugin, builtIn, ...(await within(limit, load)) };
  } catch (error) {
    return { plugin, builtIn, given: [], failures: [error] };
  }
}

interface Sound {
  readonly plugin: Plugin;
  /** Who is blamed: what a person can uninstall or, for a built-in, its own name. */
  readonly installed: string;
  readonly builtIn: boolean;
  readonly accuse: Accuse;
}

function sift(deliveries: readonly Delivery[], { backends = [], report = () => undefined }: Terms): Gathered {
  const problems: Blame[] = [];
  const blame: Report = problem => {
    problems.push(problem);
    report(problem);
  };
  for (const { plugin, failures } of [...deliveries].sort(by(d => d.plugin)))
    for (const failure of failures) blame({ plugin, problem: wordsOf(failure) });

  const named = distinct(
    deliveries
      .flatMap(({ given, plugin, builtIn }) => given.flatMap(one => sound(one, plugin, builtIn, blame) ?? []))
      .sort(by(one => `${one.builtIn ? 0 : 1} ${one.plugin.name} ${one.installed}`)),
    one => one.plugin.name,
    'plugin',
  );
  const of = <K extends 'channels' | 'roles' | 'verdicts' | 'backends'>(key: K, shape: ZodType) =>
    named.flatMap(from =>
      (from.plugin[key] ?? []).flatMap((one, i) =>
        fits(one, shape, `${key}[${i}]`, from.accuse)
          ? [{ ...from, one: one as NonNullable<Plugin[K]>[number] }]
          : [],
      ),
    );

  const channels = distinct(of('channels', channelShape), c => c.one.name, 'channel');
  const verdicts = distinct(of('verdicts', verdictShape), v => v.one.verdict, 'verdict');
  const roles = inOrder(distinct(of('roles', roleShape), r => r.one.name, 'role'));
  const taken = new Set(backends.map(backend => backend.name));
  const others = distinct(of('backends', backendShape), b => b.one.name, 'backend', taken);
  return {
    roles: roles.map(r => guardedRole(r.one, r.installed, r.accuse)),
    verdicts: verdicts.map(v => guardedVerdict(v.one, v.accuse)),
    channels: channels.map(c => ({ plugin: c.installed, section: c.plugin.name, channel: c.one })),
    backends: [...backends, ...others.map(b => guardedBackend(b.one, b.installed, b.accuse))],
    configShapes: Object.fromEntries(
      named.flatMap(({ plugin: { name, config } }) => (config ? [[name, config]] : [])),
    ),
    problems,
  };
}

/** Code units, not a locale: the order must be the same everywhere. */
const by =
  <T>(key: (one: T) => string) =>
  (a: T, b: T) =>
    key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;

const OWN_KEYS = Object.keys(configFiles.global.shape.shape);

function sound(given: unknown, plugin: string, builtIn: boolean, report: Report): Sound | null {
  if (!fits(given, pluginShape, 'what it gives', accuser(plugin, report))) return null;
  const found = given as Plugin;
  const installed = builtIn ? found.name : plugin;
  const accuse = accuser(installed, report);
  const unknown = Object.keys(found).filter(key => !PLUGIN_KEYS.includes(key));
  if (unknown.length > 0)
    accuse(`it gives ${unknown.join(', ')}, which means nothing here (${PLUGIN_KEYS.join(', ')})`);
  if (OWN_KEYS.includes(found.name)) {
    accuse(`its name ${found.name} is a key of global.json already`);
    return null;
  }
  return { plugin: found, installed, builtIn, accuse };
}

/** Getters and proxies of a plugin may throw as well. */
function fits(value: unknown, shape: ZodType, what: string, accuse: Accuse): boolean {
  try {
    const read = shape.safeParse(value);
    if (!read.success) accuse(`${what}: ${problemsOf(read.error).replaceAll('\n', '; ')}`);
    return read.success;
  } catch (error) {
    accuse(`${what}: ${wordsOf(error)}`);
    return false;
  }
}

/** The first of each name; who comes later is told. */
function distinct<T extends { readonly accuse: Accuse }>(
  all: readonly T[],
  nameOf: (one: T) => string,
  what: string,
  taken: ReadonlySet<string> = new Set(),
): T[] {
  const seen = new Set(taken);
  return all.filter(one => {
    const name = nameOf(one);
    if (!seen.has(name)) return seen.add(name);
    one.accuse(`${what} ${name} is given by another plugin already`);
    return false;
  });
}

/**
 * The configuration with every plugin's section checked and its defaults filled in. A section with mistakes is named
 * with its key and left out; one that is not written counts as empty.
 */
export function fillSections(
  config: Config,
  shapes: Gathered['configShapes'],
): { config: Config; problems: Blame[] } {
  const problems: Blame[] = [];
  const plugins: Record<string, unknown> = {};
  for (const [name, shape] of Object.entries(shapes)) {
    const written = config.plugins[name];
    try {
      const read = shape.safeParse(written ?? {});
      if (read.success) plugins[name] = read.data;
      else if (written !== undefined)
        for (const problem of problemsOf(read.error).split('\n'))
          problems.push({ plugin: name, problem: `global.json: ${name}.${problem}` });
    } catch (error) {
      problems.push({ plugin: name, problem: `its config shape: ${wordsOf(error)}` });
    }
  }
  return { config: { ...config, plugins }, problems };
}
