/**
 * Runs a command of @oclif/plugin-plugins. Captures what the command and npm print on standard output, which is not
 * part of the result but explains failures.
 */
import { format } from 'node:util';
import { Config, type Interfaces, ux } from '@oclif/core';
import { commands } from '@oclif/plugin-plugins';
import { asTyped, dureError } from '../errors.ts';
import { npmErrorText } from './npm-errors.ts';
import { removeUnusedTarballs } from './plugin-tarballs.ts';

export interface OclifCall {
  readonly command: keyof typeof commands;
  readonly argv: readonly string[];
  /** Names of the plugins involved, for the error message. */
  readonly about: string;
}

/** Returns the plugins that were installed. */
export async function runOclifCommand(
  { command, argv, about }: OclifCall,
  config: Config,
): Promise<Interfaces.Plugin[]> {
  process.env['DURE_NPM_LOG_LEVEL'] ??= 'notice';
  // Otherwise a later npm command would turn an installed folder into a link and remove its dependencies.
  process.env['npm_config_install_links'] ??= 'true';
  if (!process.stderr.isTTY) Object.assign(ux.action, { start() {}, stop() {} });
  const plugins = new Map(config.plugins);
  const output: string[] = [];
  const { log } = console;
  console.log = (...parts: unknown[]) => {
    output.push(format(...parts));
  };
  try {
    const Command = commands[command];
    await new Command([...argv], withFreshHooks(config, plugins)).run();
  } catch (error) {
    const why = npmErrorText(output, error);
    throw dureError('E_PLUGIN_INSTALL', { plugin: asTyped(about), why }, { cause: error });
  } finally {
    console.log = log;
    await removeUnusedTarballs(config.dataDir);
    if (argv.includes('--verbose')) process.stderr.write(`${output.join('\n')}\n`);
  }
  return [...plugins.values()].filter(plugin => plugin !== config.plugins.get(plugin.name));
}

/**
 * A hook that runs after plugins changed may call a command of a new plugin, but oclif only finds commands when it
 * loads its configuration.
 */
function withFreshHooks(config: Config, plugins: Map<string, Interfaces.Plugin>): Config {
  const runHook: Config['runHook'] = async (event, options) => {
    const current = String(event).startsWith('plugins:post')
      ? await Config.load({ root: config.root, devPlugins: false })
      : config;
    return current.runHook(event, options);
  };
  return Object.create(config, { plugins: { value: plugins }, runHook: { value: runHook } });
}
