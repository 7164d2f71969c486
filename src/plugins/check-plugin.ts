/**
 * Inspects a plugin's folder and returns its contributions, its problems and advice for its author. Calls the plugin's
 * functions.
 */
import { join } from 'node:path';
import { type Interfaces, Plugin } from '@oclif/core';
import { exists } from '../formats/file-system/path-status.ts';
import type { Inspection } from '../formats/output/common.ts';
import { errorText, type PluginFailure } from '../process/call-plugin-code.ts';
import { callAll } from './call-contributions-with-sample-input.ts';
import type { Contributions } from './contributions.ts';
import { loadContributions } from './load-contributions.ts';

/** `config` is Dure's oclif configuration; it reveals conflicts with built-in plugins before installation. */
export async function inspect(root: string, config: Interfaces.Config): Promise<Inspection> {
  const plugin = new Plugin({ root, type: 'link', name: root });
  try {
    await plugin.load();
  } catch (error) {
    const gives = {
      channels: [],
      roles: [],
      pipelines: [],
      verdicts: [],
      backends: [],
      config: [],
      commands: [],
      hooks: [],
    };
    return { plugin: root, plugin_version: null, root, gives, problems: [errorText(error)], advice: [] };
  }
  const builtIn = [...config.plugins.values()].filter(one => one.isRoot);
  const before = contributionNames(await loadContributions(withPlugins(builtIn, config)));
  const after = await loadContributions(withPlugins([...builtIn, plugin], config));
  const gives = {
    ...difference(contributionNames(after), before),
    commands: plugin.commandIDs,
    hooks: Object.keys(plugin.hooks).filter(hook => hook !== 'dure'),
  };
  const found: PluginFailure[] = [];
  await callAll(after, gives, plugin.name, failure => found.push(failure));
  const problems = [...after.problems, ...found]
    .filter(one => one.plugin === plugin.name)
    .map(one => one.problem);
  if (problems.length === 0 && Object.values(gives).flat().length === 0) problems.push(nothingGiven(plugin));
  const { name, version } = plugin;
  return { plugin: name, plugin_version: version, root, gives, problems, advice: await adviceFor(plugin) };
}

const withPlugins = (plugins: readonly Interfaces.Plugin[], config: Interfaces.Config): Interfaces.Config =>
  Object.create(config, { plugins: { value: new Map(plugins.map(one => [one.name, one])) } });

type DureContributions = Omit<Inspection['gives'], 'commands' | 'hooks'>;

const contributionNames = (contributions: Contributions): DureContributions => ({
  channels: contributions.channels.map(one => one.channel.name),
  roles: contributions.roles.map(one => one.name),
  pipelines: contributions.pipelines.map(one => one.name),
  verdicts: contributions.verdicts.map(one => one.verdict),
  backends: contributions.backends.map(one => one.name),
  config: Object.keys(contributions.configShapes),
});

const difference = (after: DureContributions, before: DureContributions): DureContributions => {
  const fresh = Object.entries(after).map(([key, names]) => [
    key,
    names.filter(name => !before[key as keyof DureContributions].includes(name)),
  ]);
  return Object.fromEntries(fresh);
};

const nothingGiven = ({ hooks }: Plugin): string =>
  hooks['dure']
    ? 'it contributes nothing: no channel, role, verdict, backend, command or hook'
    : 'package.json declares no command and no hook. To extend Dure, add "oclif": { "hooks": { "dure": "./index.js" } }';

/** Recommends adding a manifest. A manifest must list every command, because oclif does not find the others. */
async function adviceFor({ root, version, commands }: Plugin): Promise<string[]> {
  const how =
    commands.length > 0 ? 'create it with `npx oclif manifest`' : JSON.stringify({ version, commands: {} });
  return (await exists(join(root, 'oclif.manifest.json')))
    ? []
    : [`Every command starts faster with an oclif.manifest.json next to package.json: ${how}`];
}
