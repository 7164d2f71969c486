/** A plugin's folder as its author has it: what it gives to Dure, and everything that would be said against it. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { type Interfaces, Plugin } from '@oclif/core';
import { wordsOf } from './calls.ts';
import type { Gathered } from './gathered.ts';
import { gather } from './host.ts';

export interface Gifts {
  readonly channels: readonly string[];
  readonly roles: readonly string[];
  readonly verdicts: readonly string[];
  readonly backends: readonly string[];
  /** Names of the sections of global.json that it checks. */
  readonly config: readonly string[];
}

export interface Inspection {
  readonly plugin: string;
  readonly plugin_version: string | null;
  readonly root: string;
  readonly gives: Gifts;
  /** What keeps it from working. */
  readonly problems: readonly string[];
  /** What would make it better, and keeps nothing from working. */
  readonly advice: readonly string[];
}

/** `config` is Dure's own: the plugin is held against what came with Dure, as it will be when it is installed. */
export async function inspect(root: string, config: Interfaces.Config): Promise<Inspection> {
  const plugin = new Plugin({ root, type: 'link', name: root });
  try {
    await plugin.load();
  } catch (error) {
    const gives = giftsOf(null);
    return { plugin: root, plugin_version: null, root, gives, problems: [wordsOf(error)], advice: [] };
  }
  const builtIn = [...config.plugins.values()].filter(one => one.isRoot);
  const before = giftsOf(await gather(only(builtIn, config)));
  const after = await gather(only([...builtIn, plugin], config));
  const gives = rest(giftsOf(after), before);
  const said = after.problems.filter(one => one.plugin === plugin.name).map(one => one.problem);
  const problems = [...deafness(plugin), ...said];
  if (problems.length === 0 && Object.values(gives).flat().length === 0)
    problems.push('it gives nothing: no channel, role, verdict or backend');
  const { name, version } = plugin;
  return { plugin: name, plugin_version: version, root, gives, problems, advice: await adviceFor(plugin) };
}

const only = (plugins: readonly Interfaces.Plugin[], config: Interfaces.Config): Interfaces.Config =>
  Object.create(config, { plugins: { value: new Map(plugins.map(one => [one.name, one])) } });

const giftsOf = (gathered: Gathered | null): Gifts => ({
  channels: gathered?.channels.map(one => one.channel.name) ?? [],
  roles: gathered?.roles.map(one => one.name) ?? [],
  verdicts: gathered?.verdicts.map(one => one.verdict) ?? [],
  backends: gathered?.backends.map(one => one.name) ?? [],
  config: Object.keys(gathered?.configShapes ?? {}),
});

const rest = (after: Gifts, before: Gifts): Gifts => {
  const fresh = (key: keyof Gifts) => after[key].filter(name => !before[key].includes(name));
  return {
    channels: fresh('channels'),
    roles: fresh('roles'),
    verdicts: fresh('verdicts'),
    backends: fresh('backends'),
    config: fresh('config'),
  };
};

const deafness = ({ hooks }: Plugin): string[] =>
  (hooks['dure'] ?? []).length > 0
    ? []
    : ['package.json names no hook for Dure: "oclif": { "hooks": { "dure": "./index.js" } }'];

/** A manifest that lacks a plugin's commands would take them away. */
async function adviceFor({ root, version, commands }: Plugin): Promise<string[]> {
  const how =
    commands.length > 0 ? '`npx oclif manifest` makes it' : JSON.stringify({ version, commands: {} });
  return access(join(root, 'oclif.manifest.json')).then(
    () => [],
    () => [`With an oclif.manifest.json beside its package.json every command starts quicker: ${how}`],
  );
}
