/**
 * oclif's own commands for plugins, called for what they do. What they and npm print on standard output is kept back: it
 * is no result of Dure's, and says why when something went wrong.
 */
import { format } from 'node:util';
import { type Interfaces, ux } from '@oclif/core';
import { commands } from '@oclif/plugin-plugins';
import { dureError } from '../errors.ts';
import { wordsOf } from './calls.ts';

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
    if (argv.includes('--verbose')) process.stderr.write(`${said.join('\n')}\n`);
  }
  return [...plugins.values()];
}

/** Lines of npm that say nothing to a person. */
const NOISE = /^(?:(?:code|errno|syscall|path|dest|cwd|A complete log)\b|$)/;
const MOST_LINES = 3;

function whyOf(said: readonly string[], error: unknown): string {
  const lines = said
    .flatMap(text => text.split('\n'))
    .flatMap(line => /^npm (?:error|ERR!) ?(.*)$/.exec(line)?.[1]?.trim() ?? [])
    .filter(line => !NOISE.test(line));
  if (lines.length === 0 && wordsOf(error) === 'plugin is invalid')
    return 'its package.json says nothing of oclif';
  return lines.length > 0 ? lines.slice(0, MOST_LINES).join(' ') : wordsOf(error);
}
