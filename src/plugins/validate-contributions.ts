/** Validates contributions: keeps the valid ones, reports the others, and sorts the result. */
import type { ZodType } from 'zod';
import { configFiles } from '../formats/config/config.ts';
import { problemsOf } from '../formats/schema/define-file.ts';
import type { Plugin } from '../index.ts';
import { errorText, type PluginFailure, type Report } from '../process/call-plugin-code.ts';
import {
  backendShape,
  channelShape,
  PLUGIN_KEYS,
  pipelineShape,
  pluginShape,
  roleShape,
  verdictShape,
} from './contribution-schemas.ts';
import type { Contributions, LoadedPlugin, Terms } from './contributions.ts';
import {
  faultReporter,
  guardedBackend,
  guardedRole,
  guardedVerdict,
  type ReportFault,
} from './guard-contributions.ts';
import { selectRoles } from './select-roles.ts';

interface ValidPlugin {
  readonly plugin: Plugin;
  /** The name to report: for an installed plugin, the one by which the user can uninstall it. */
  readonly installed: string;
  readonly builtIn: boolean;
  readonly reportFault: ReportFault;
}

export function validateContributions(
  loaded: readonly LoadedPlugin[],
  {
    backends = [],
    problems,
    report,
  }: Pick<Terms, 'backends'> & { problems: readonly PluginFailure[]; report: Report },
): Contributions {
  for (const { plugin, failures } of [...loaded].sort(by(d => d.plugin)))
    for (const failure of failures) report({ plugin, problem: errorText(failure) });

  const named = distinct(
    loaded
      .flatMap(({ given, plugin, builtIn }) =>
        given.flatMap(one => validPlugin(one, plugin, builtIn, report) ?? []),
      )
      .sort(by(one => `${one.builtIn ? 0 : 1} ${one.plugin.name} ${one.installed}`)),
    one => one.plugin.name,
    'plugin',
  );
  const of = <K extends 'channels' | 'roles' | 'pipelines' | 'verdicts' | 'backends'>(
    key: K,
    shape: ZodType,
  ) =>
    named.flatMap(from =>
      (from.plugin[key] ?? []).flatMap((one, i) =>
        isValid(one, shape, `${key}[${i}]`, from.reportFault)
          ? [{ ...from, one: one as NonNullable<Plugin[K]>[number] }]
          : [],
      ),
    );

  const channels = distinct(of('channels', channelShape), c => c.one.name, 'channel');
  const verdicts = distinct(of('verdicts', verdictShape), v => v.one.verdict, 'verdict');
  const roles = selectRoles(of('roles', roleShape));
  const pipelines = distinct(of('pipelines', pipelineShape), p => p.one.name, 'pipeline');
  const taken = new Set(backends.map(backend => backend.name));
  const others = distinct(of('backends', backendShape), b => b.one.name, 'backend', taken);
  return {
    roles: roles.map(r => guardedRole(r.one, r.installed, r.reportFault)),
    pipelines: pipelines.map(({ one: { name, about, steps } }) => ({ name, about, steps })),
    verdicts: verdicts.map(v => guardedVerdict(v.one, v.reportFault)),
    channels: channels.map(c => ({ plugin: c.installed, section: c.plugin.name, channel: c.one })),
    backends: [...backends, ...others.map(b => guardedBackend(b.one, b.installed, b.reportFault))],
    configShapes: Object.fromEntries(
      named.flatMap(({ plugin: { name, config } }) => (config ? [[name, config]] : [])),
    ),
    problems,
  };
}

/** Compares by code unit, not by locale: the order must be the same on every machine. */
const by =
  <T>(key: (one: T) => string) =>
  (a: T, b: T) =>
    key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;

const OWN_KEYS = Object.keys(configFiles.global.shape.shape);

function validPlugin(given: unknown, plugin: string, builtIn: boolean, report: Report): ValidPlugin | null {
  if (!isValid(given, pluginShape, 'its contributions', faultReporter(plugin, report))) return null;
  const found = given as Plugin;
  const installed = builtIn ? found.name : plugin;
  const reportFault = faultReporter(installed, report);
  const unknown = Object.keys(found).filter(key => !PLUGIN_KEYS.includes(key));
  if (unknown.length > 0)
    reportFault(`it contributes ${unknown.join(', ')}, which is unknown (known: ${PLUGIN_KEYS.join(', ')})`);
  if (OWN_KEYS.includes(found.name)) {
    reportFault(`its name ${found.name} is already a key of global.json`);
    return null;
  }
  return { plugin: found, installed, builtIn, reportFault };
}

/** Catches exceptions, because getters and proxies of a plugin can throw. */
function isValid(value: unknown, shape: ZodType, what: string, reportFault: ReportFault): boolean {
  try {
    const read = shape.safeParse(value);
    if (!read.success) reportFault(`${what}: ${problemsOf(read.error).replaceAll('\n', '; ')}`);
    return read.success;
  } catch (error) {
    reportFault(`${what}: ${errorText(error)}`);
    return false;
  }
}

/** Keeps the first contribution of each name and reports the others. */
function distinct<T extends { readonly reportFault: ReportFault }>(
  all: readonly T[],
  nameOf: (one: T) => string,
  what: string,
  taken: ReadonlySet<string> = new Set(),
): T[] {
  const seen = new Set(taken);
  return all.filter(one => {
    const name = nameOf(one);
    if (!seen.has(name)) return seen.add(name);
    one.reportFault(`${what} ${name} is already contributed by another plugin`);
    return false;
  });
}
