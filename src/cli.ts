/**
 * The commands and hooks that package.json names, and how a call begins and ends.
 * A command is loaded when it is called for; help and completion read oclif.manifest.json instead.
 */
import { resolve } from 'node:path';
import { Config, flush, type Hook, run, settings } from '@oclif/core';
import { dureError } from './errors.ts';
import { explain, failureOf, JSON_VERSION } from './terminal/failure.ts';
import { nearest } from './terminal/nearest.ts';
import { languageOf, speak } from './words/cli/words.ts';

export const COMMANDS = {
  get __complete() {
    return require('./commands/__complete.ts').default;
  },
  get answer() {
    return require('./commands/answer.ts').default;
  },
  get approve() {
    return require('./commands/approve.ts').default;
  },
  get clean() {
    return require('./commands/clean.ts').default;
  },
  get completion() {
    return require('./commands/completion.ts').default;
  },
  get 'config:check'() {
    return require('./commands/config/check.ts').default;
  },
  get 'config:get'() {
    return require('./commands/config/get.ts').default;
  },
  get 'config:set'() {
    return require('./commands/config/set.ts').default;
  },
  get demo() {
    return require('./commands/demo.ts').default;
  },
  get help() {
    return require('@oclif/plugin-help').commands.help;
  },
  get history() {
    return require('./commands/history.ts').default;
  },
  get init() {
    return require('./commands/init.ts').default;
  },
  get logs() {
    return require('./commands/logs.ts').default;
  },
  get open() {
    return require('./commands/open.ts').default;
  },
  get plugins() {
    return require('@oclif/plugin-plugins').commands.plugins;
  },
  get 'plugins:inspect'() {
    return require('@oclif/plugin-plugins').commands['plugins:inspect'];
  },
  get 'plugins:install'() {
    return require('@oclif/plugin-plugins').commands['plugins:install'];
  },
  get 'plugins:link'() {
    return require('@oclif/plugin-plugins').commands['plugins:link'];
  },
  get 'plugins:reset'() {
    return require('@oclif/plugin-plugins').commands['plugins:reset'];
  },
  get 'plugins:uninstall'() {
    return require('@oclif/plugin-plugins').commands['plugins:uninstall'];
  },
  get 'plugins:update'() {
    return require('@oclif/plugin-plugins').commands['plugins:update'];
  },
  get recover() {
    return require('./commands/recover.ts').default;
  },
  get reject() {
    return require('./commands/reject.ts').default;
  },
  get review() {
    return require('./commands/review.ts').default;
  },
  get serve() {
    return require('./commands/serve.ts').default;
  },
  get start() {
    return require('./commands/start.ts').default;
  },
  get status() {
    return require('./commands/status.ts').default;
  },
  get stop() {
    return require('./commands/stop.ts').default;
  },
  get wait() {
    return require('./commands/wait.ts').default;
  },
  get watch() {
    return require('./commands/watch.ts').default;
  },
};

/** Loaded by oclif, as the commands are, when somebody asks for help. */
export const HELP = {
  get default() {
    return languageOf(process.env) === 'ko'
      ? require('./terminal/korean-help.ts').KoreanHelp
      : require('./terminal/help.ts').NarrowHelp;
  },
};

export const COMMAND_NOT_FOUND: Hook<'command_not_found'> = async ({ config, id }) => {
  const known = config.commands.filter(command => !command.hidden).map(command => command.id);
  const near = nearest(id, known)?.replaceAll(':', ' ') ?? null;
  throw dureError('E_COMMAND_UNKNOWN', { command: id.replaceAll(':', ' '), near });
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
    const config = await Config.load({ root, devPlugins: false });
    config.pjson.oclif.helpClass = { target: './dist/cli.cjs', identifier: 'HELP' };
    await run(argv, config);
  } catch (error) {
    const failure = failureOf(error as Error);
    process.exitCode = failure.exit;
    if (failure.exit !== 0) tell(failure, error as Error, argv);
  }
  await flush();
  // What a plugin forgot to close must not keep a command alive that has ended.
  process.exit();
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
