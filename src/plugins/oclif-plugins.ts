/**
 * oclif's own commands for plugins, called for what they do. What they and npm print on standard output is kept back: it
 * is no result of Dure's, and says why when something went wrong.
 */
import { format } from 'node:util';
import { type Interfaces, ux } from '@oclif/core';
import { commands } from '@oclif/plugin-plugins';
import { dureError } from '../errors.ts';
import { whyOf } from './npm-says.ts';
import { dropUnused } from './packed.ts';

export interface Deed {
  readonly command: keyof typeof commands;
  readonly argv: readonly string[];
  /** Whom it is about. */
  readonly about: string;
}

/** The plugins that came in by it. */
export async function done(
  { command, argv, about }: Deed,
  config: Interfaces.Config,
): Promise<Interfaces.Plugin[]> {
  process.env['DURE_NPM_LOG_LEVEL'] ??= 'notice';
  // npm makes a folder that was installed into a link otherwise, whatever it is called for, and takes its dependencies out.
  process.env['npm_config_install_links'] ??= 'true';
  if (!process.stderr.isTTY) Object.assign(ux.action, { start() {}, stop() {} });
  const plugins = new Map<string, Interfaces.Plugin>();
  const said: string[] = [];
  const { log } = console;
  console.log = (...parts: unknown[]) => {
    said.push(format(...parts));
  };
  try {
    const Command = commands[command];
    await new Command([...argv], Object.create(config, { plugins: { value: plugins } })).run();
  } catch (error) {
    throw dureError('E_PLUGIN_INSTALL', { plugin: about, why: whyOf(said, error) }, { cause: error });
  } finally {
    console.log = log;
    await dropUnused(config.dataDir);
    if (argv.includes('--verbose')) process.stderr.write(`${said.join('\n')}\n`);
  }
  return [...plugins.values()];
}
