import { Args, Flags, loadHelpClass } from '@oclif/core';
import { BaseCommand } from '../terminal/base-command.ts';

export default class Help extends BaseCommand<typeof Help> {
  static override summary = 'Show help.';
  static override args = {
    command: Args.string({ multiple: true, ignoreStdin: true, description: 'Command to show help for.' }),
  };
  static override flags = {
    'nested-commands': Flags.boolean({
      char: 'n',
      default: false,
      description: 'List all commands, including those nested under topics.',
    }),
  };

  async run() {
    const about = this.args.command ?? [];
    const HelpClass = await loadHelpClass(this.config);
    const help = new HelpClass(this.config, { all: this.flags['nested-commands'] });
    const lines: string[] = [];
    if (this.jsonEnabled())
      Object.assign(help, {
        log: (...parts: string[]) => {
          lines.push(parts.join(' '));
        },
      });
    await help.showHelp(about);
    return { about: about.join(' '), help: lines.join('\n') };
  }
}
