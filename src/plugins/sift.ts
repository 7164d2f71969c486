/** Keeps what is sound of all that plugins gave, names what is not, and settles who comes first. */
import type { ZodType } from 'zod';
import { configFiles } from '../formats/config.ts';
import { problemsOf } from '../formats/define.ts';
import type { Plugin } from '../index.ts';
import { type Blame, type Report, wordsOf } from './calls.ts';
import { backendShape, channelShape, PLUGIN_KEYS, pluginShape, roleShape, verdictShape } from './checked.ts';
import type { Delivery, Gathered, Terms } from './gathered.ts';
import { type Accuse, accuser, guardedBackend, guardedRole, guardedVerdict } from './guarded.ts';
import { inOrder } from './role-order.ts';

interface Sound {
  readonly plugin: Plugin;
  /** Who is blamed: what a person can uninstall or, for a built-in, its own name. */
  readonly installed: string;
  readonly builtIn: boolean;
  readonly accuse: Accuse;
}

export function sift(
  deliveries: readonly Delivery[],
  { backends = [], report = () => undefined }: Terms,
): Gathered {
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
