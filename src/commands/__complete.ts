import { Command } from '@oclif/core';
import { installed } from '../plugins/installed.ts';
import type { KnownCommand } from '../terminal/complete.ts';
import { completedLines } from '../terminal/completed-lines.ts';

/** Answers the shell. */
export default class Complete extends Command {
  static override hidden = true;
  static override strict = false;
  static override summary = 'Answer a shell that completes a command line.';

  async run(): Promise<void> {
    const commands = this.config.commands as unknown as KnownCommand[];
    const plugins = installed(this.config).map(
      ({ plugin, plugin_version }) => [plugin, plugin_version ?? ''] as const,
    );
    process.stdout.write(await completedLines(this.argv, commands, plugins));
  }

  /** A shell that completes has no use for messages. */
  protected override async catch(): Promise<void> {
    process.exitCode = 1;
  }
}
