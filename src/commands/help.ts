import { Args, Flags, loadHelpClass } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';

export default class Help extends BaseCommand<typeof Help> {
  static override summary = 'Show help.';
  static override args = {
    command: Args.string({ multiple: true, ignoreStdin: true, description: 'Command to show help for.' }),
  };
  static override flags = {
    'nested-commands': Flags.boolean({
      char: 'n',
      default: false,
      description: 'Name all commands, also those below a topic.',
    }),
  };

  async run() {
    const about = this.args.command ?? [];
    const HelpClass = await loadHelpClass(this.config);
    const help = new HelpClass(this.config, { all: this.flags['nested-commands'] });
    const said: string[] = [];
    if (this.jsonEnabled())
      Object.assign(help, {
        log: (...parts: string[]) => {
          said.push(parts.join(' '));
        },
      });
    await help.showHelp(about);
    return { about: about.join(' '), help: said.join('\n') };
  }
}
