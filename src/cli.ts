/**
 * Runs one command from start to finish, and defines the hooks named in package.json. Each command is a file in
 * `commands/`, loaded when it is called; help and completion read oclif.manifest.json instead.
 */
import { resolve } from 'node:path';
import { Config, flush, type Hook, run, settings } from '@oclif/core';
import { dureError } from './errors.ts';
import { JSON_VERSION } from './formats/output/json-envelope.ts';
import { jsonText } from './formats/schema/strict-json.ts';
import { guardPlugins } from './plugins/guard-plugin-commands-and-hooks.ts';
import { packageRoot } from './process/package-paths-and-version.ts';
import { commandFailure, explain, failureText } from './terminal/error-output.ts';
import { redirectJsonHelp } from './terminal/help-and-version-as-json.ts';
import { watchOutput } from './terminal/stdout-errors.ts';
import { unknownCommand } from './terminal/unknown-command-error.ts';
import { loadLanguage } from './words/cli/load-language.ts';

export const COMMAND_NOT_FOUND: Hook<'command_not_found'> = async ({ config, id }) => {
  throw unknownCommand(id, config);
};

/** Makes the relative path of a plugin absolute, because npm, which installs it, runs in another folder. */
export const PREPARSE: Hook<'preparse'> = async ({ argv, options }) => {
  const { context } = options as { context?: { id?: string } };
  if (context?.id !== 'plugins:install') return argv;
  return argv.map(arg => {
    const [, path] = /^(?:file:)?(\.{1,2}(?:\/.*)?)$/.exec(arg) ?? [];
    return path ? `file:${resolve(path)}` : arg;
  });
};

/** Runs one command line and exits with its status. */
export async function main(argv: string[] = process.argv.slice(2)): Promise<void> {
  // Plugins are already compiled; oclif must not look for a compiler.
  settings.enableAutoTranspile = false;
  const output = watchOutput();
  await loadLanguage();
  try {
    const userPlugins = !process.env['DURE_NO_PLUGINS'];
    const config = await Config.load({ root: packageRoot, devPlugins: false, userPlugins });
    guardPlugins(argv, problem => process.stderr.write(failureText(dureError('E_PLUGIN', problem))));
    const isTopic = (id: string) => !config.findCommand(id) && Boolean(config.findTopic(id));
    await run([...redirectJsonHelp(argv, isTopic)], config);
  } catch (error) {
    const failure = commandFailure(error as Error);
    process.exitCode = failure.exit;
    if (failure.exit !== 0) reportFailure(failure, error as Error, argv);
  }
  await Promise.race([flush(), output.failed]);
  // Open handles of a plugin must not keep a finished command running.
  process.exit();
}

function reportFailure(
  failure: ReturnType<typeof commandFailure>,
  error: Error,
  argv: readonly string[],
): void {
  const rest = argv.indexOf('--');
  const wantsJson = (rest < 0 ? argv : argv.slice(0, rest)).includes('--json');
  if (wantsJson) process.stdout.write(jsonText({ ok: false, version: JSON_VERSION, error: failure }));
  else process.stderr.write(explain(failure, error));
}
