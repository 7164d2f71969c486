/**
 * The hooks that package.json names, and how a call begins and ends. Commands lie in `commands/`, a file each, and are
 * loaded when they are called for; help and completion read oclif.manifest.json instead.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Config, flush, type Hook, run, settings } from '@oclif/core';
import { asksJson } from './terminal/asks-json.ts';
import { explain, failureOf, JSON_VERSION } from './terminal/failure.ts';
import { unknownCommand } from './terminal/unknown-command.ts';
import { languageOf, speak } from './words/cli/words.ts';

/** Loaded by oclif, as commands are, when somebody asks for help. */
const HELP = {
  en: { target: './dist/help-en.cjs', identifier: 'NarrowHelp' },
  ko: { target: './dist/help-ko.cjs', identifier: 'KoreanHelp' },
};

export const COMMAND_NOT_FOUND: Hook<'command_not_found'> = async ({ config, id }) => {
  throw unknownCommand(id, config);
};

/** npm, which installs plugins, works in another folder: a path relative to this one is made absolute. */
export const PREPARSE: Hook<'preparse'> = async ({ argv, options }) => {
  const { context } = options as { context?: { id?: string } };
  if (context?.id !== 'plugins:install') return argv;
  return argv.map(arg => {
    const [, path] = /^(?:file:)?(\.{1,2}(?:\/.*)?)$/.exec(arg) ?? [];
    return path ? `file:${resolve(path)}` : arg;
  });
};

/** Runs one call from its arguments to its exit status. `root` is the folder of Dure's package.json. */
export async function main(root: string, argv: string[] = process.argv.slice(2)): Promise<void> {
  // Plugins come built; oclif must not go looking for compilers.
  settings.enableAutoTranspile = false;
  await speak();
  try {
    // Read here, oclif need not search for it.
    const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const config = await inPlainOrder(() => Config.load({ root, pjson, devPlugins: false }));
    config.pjson.oclif.helpClass = HELP[languageOf(process.env)];
    const isTopic = (id: string) => !config.findCommand(id) && Boolean(config.findTopic(id));
    await run([...asksJson(argv, isTopic)], config);
  } catch (error) {
    const failure = failureOf(error as Error);
    process.exitCode = failure.exit;
    if (failure.exit !== 0) tell(failure, error as Error, argv);
  }
  await flush();
  // What a plugin forgot to close must not keep a command alive that has ended.
  process.exit();
}

/**
 * oclif sorts ids of commands by the rules of the locale, and nothing else of a start needs them: to load them takes a
 * quarter of the time that Node itself does. Ids are plain ASCII.
 */
async function inPlainOrder<T>(work: () => Promise<T>): Promise<T> {
  const { localeCompare } = String.prototype;
  String.prototype.localeCompare = function (this: string, ...args) {
    const [that] = args;
    const plain = args.length === 1 && /^[\w:-]*$/.test(`${this}${that}`);
    return plain ? (this < that ? -1 : this > that ? 1 : 0) : localeCompare.apply(this, args as [string]);
  };
  try {
    return await work();
  } finally {
    String.prototype.localeCompare = localeCompare;
  }
}

function tell(failure: ReturnType<typeof failureOf>, error: Error, argv: readonly string[]): void {
  const rest = argv.indexOf('--');
  const wantsJson = (rest < 0 ? argv : argv.slice(0, rest)).includes('--json');
  if (wantsJson)
    process.stdout.write(
      `${JSON.stringify({ ok: false, version: JSON_VERSION, error: failure }, null, 2)}\n`,
    );
  else process.stderr.write(explain(failure, error));
}
