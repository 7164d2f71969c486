/**
 * Guards the hooks and commands that installed plugins add to the command line, because they run in Dure's
 * process. A hook that throws, exits or never settles is reported under the plugin's name, and the command
 * continues. One that loops cannot be stopped; `DURE_NO_PLUGINS=1` disables installed plugins. Dure's own
 * hooks are not guarded.
 */
import { type Command, Config, type Interfaces } from '@oclif/core';
import { callWithin, errorText, type Report } from '../process/call-plugin-code.ts';

/** Milliseconds allowed for the hooks of one plugin. */
const LIMIT_MS = 10_000;

interface OclifError extends Error {
  readonly oclif?: { readonly exit?: number };
}

/** In these hooks, an error or an exit is a valid result: it determines how the command ends. */
const mayEndCommand = (event: string): boolean =>
  event === 'command_not_found' || event === 'command_incomplete' || event.startsWith('plugins:');

const isInstalled = ({ type }: { readonly type: string }): boolean => type === 'user' || type === 'link';

const { runHook, runCommand } = Config.prototype;

/**
 * `argv` is the whole command line. It shows whether the command manages plugins: such commands must work no matter
 * which plugins are installed. oclif copies its configuration while it runs, so `runHook` and `runCommand` are replaced
 * on the prototype, for all copies.
 */
export function guardPlugins(argv: readonly string[], report: Report): void {
  const managesPlugins = /^plugins(:|$)/.test(argv.find(arg => !arg.startsWith('-')) ?? '');

  Config.prototype.runHook = async function (this: Config, key, options, timeout, captureErrors) {
    const event = String(key);
    const all = [...this.plugins.values()];
    const installed = all.filter(one => isInstalled(one) && (one.hooks[event]?.length ?? 0) > 0);
    const runHookFor = (plugins: readonly Interfaces.Plugin[], capture?: boolean) =>
      runHook.call(withPlugins(plugins, this), key, options, timeout, capture ?? captureErrors);
    const successes = [];
    for (const plugin of managesPlugins && !event.startsWith('plugins:') ? [] : installed) {
      const result = await guarded(plugin.name, event, () => runHookFor([plugin], true), report);
      successes.push(...(result?.successes ?? []));
      if (event === 'command_not_found' && successes.length > 0) return { successes, failures: [] };
    }
    const own = await runHookFor(all.filter(one => !isInstalled(one)));
    return { successes: [...own.successes, ...successes], failures: own.failures };
  } as Config['runHook'];

  Config.prototype.runCommand = async function (this: Config, id, args, cached) {
    const found = cached ?? this.findCommand(id) ?? null;
    const command =
      found && isInstalled({ type: found.pluginType ?? 'core' })
        ? { ...found, load: async () => withExitCode(await found.load()) }
        : found;
    return runCommand.call(this, id, args, command);
  } as Config['runCommand'];
}

/**
 * The configuration with a subset of its plugins. oclif reads the list once, at the start; after that, hooks
 * see the full list.
 */
function withPlugins(plugins: readonly Interfaces.Plugin[], config: Config): Config {
  let asked = false;
  return Object.create(config, {
    plugins: {
      get() {
        if (asked) return config.plugins;
        asked = true;
        return new Map(plugins.map(plugin => [plugin.name, plugin]));
      },
    },
  });
}

type HookResult = Interfaces.Hook.Result<unknown>;

async function guarded(
  plugin: string,
  event: string,
  run: () => Promise<HookResult>,
  report: Report,
): Promise<HookResult | null> {
  const reportProblem = (problem: string) => report({ plugin, problem: `${event} hook: ${problem}` });
  try {
    const result = await catchingExits(event, () => callWithin(LIMIT_MS, run));
    for (const { error } of result.failures) {
      if (mayEndCommand(event) && ((error as OclifError).oclif?.exit ?? 0) > 0) throw new Ending(error);
      reportProblem(errorText(error));
    }
    return result;
  } catch (error) {
    if (error instanceof Ending) throw error.cause;
    reportProblem(errorText(error));
    return null;
  }
}

class Ending extends Error {
  constructor(cause: unknown) {
    super('a hook ended the command', { cause });
  }
}

/** While `run` is running, process exits and uncaught errors count as failures of `run`. */
async function catchingExits<T>(event: string, run: () => Promise<T>): Promise<T> {
  const { exit } = process;
  const write = process.stdout.write;
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  process.exit = code => {
    const error = new Error(`it called process.exit(${code ?? ''})`);
    fail(error);
    throw error;
  };
  // Standard output is reserved for the result of the command, which may be JSON.
  if (!mayEndCommand(event)) process.stdout.write = process.stderr.write.bind(process.stderr);
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  try {
    return await Promise.race([failed, run()]);
  } finally {
    process.exit = exit;
    process.stdout.write = write;
    process.off('uncaughtException', fail);
    process.off('unhandledRejection', fail);
  }
}

/** Keeps the exit status that an error specifies: with `--json`, oclif would always exit with 1. */
function withExitCode(Base: Command.Class): Command.Class {
  const Guarded = class extends (Base as unknown as new (
    ...args: never[]
  ) => { catch(error: Error): Promise<unknown> }) {
    override async catch(error: OclifError): Promise<unknown> {
      process.exitCode ??= error.oclif?.exit;
      return super.catch(error);
    }
  };
  return Guarded as unknown as Command.Class;
}
