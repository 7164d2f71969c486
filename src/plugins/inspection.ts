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
  readonly version: string | null;
  readonly gives: Gifts;
  readonly problems: readonly string[];
}

/** `config` is Dure's own: the plugin is held against what came with Dure, as it will be when it is installed. */
export async function inspect(root: string, config: Interfaces.Config): Promise<Inspection> {
  const plugin = new Plugin({ root, type: 'link', name: root });
  try {
    await plugin.load();
  } catch (error) {
    return { plugin: root, version: null, gives: giftsOf(null), problems: [wordsOf(error)] };
  }
  const builtIn = [...config.plugins.values()].filter(one => one.isRoot);
  const before = giftsOf(await gather(only(builtIn, config)));
  const after = await gather(only([...builtIn, plugin], config));
  const gives = rest(giftsOf(after), before);
  const said = after.problems.filter(one => one.plugin === plugin.name).map(one => one.problem);
  const problems = [...(await packageProblems(plugin)), ...said];
  if (problems.length === 0 && Object.values(gives).flat().length === 0)
    problems.push('it gives nothing: no channel, role, verdict or backend');
  return { plugin: plugin.name, version: plugin.version, gives, problems };
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

async function packageProblems(plugin: Plugin): Promise<string[]> {
  const problems: string[] = [];
  if ((plugin.hooks['dure'] ?? []).length === 0)
    problems.push('package.json names no hook for Dure: "oclif": { "hooks": { "dure": "./index.js" } }');
  const hasManifest = await access(join(plugin.root, 'oclif.manifest.json')).then(
    () => true,
    () => false,
  );
  if (!hasManifest)
    problems.push(
      `there is no oclif.manifest.json, so every command would load the plugin: { "version": "${plugin.version}", "commands": {} }`,
    );
  return problems;
}
