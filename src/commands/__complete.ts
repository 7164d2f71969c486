import { Command } from '@oclif/core';
import { installedPlugins } from '../plugins/installed-plugins.ts';
import type { KnownCommand } from '../terminal/completion/complete-command-line.ts';
import { completionOutput } from '../terminal/completion/completion-output.ts';

/** Called by the shell completion scripts. */
export default class Complete extends Command {
  static override hidden = true;
  static override strict = false;
  static override summary = 'Print completions for a shell.';

  async run(): Promise<void> {
    const commands = this.config.commands as unknown as KnownCommand[];
    const plugins = installedPlugins(this.config).map(
      ({ plugin, plugin_version }) => [plugin, plugin_version ?? ''] as const,
    );
    process.stdout.write(await completionOutput(this.argv, commands, plugins));
  }

  /** Errors are not printed: they would garble the command line. */
  protected override async catch(): Promise<void> {
    process.exitCode = 1;
  }
}
