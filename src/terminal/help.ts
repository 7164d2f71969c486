/** Extends oclif's help: lists commands in the order of use, rejects unknown commands, and wraps the first line. */
import { type Command, Help } from '@oclif/core';
import { byUse } from './help-command-order.ts';
import { unknownCommand } from './unknown-command-error.ts';

export class NarrowHelp extends Help {
  protected override get sortedCommands(): Command.Loadable[] {
    return byUse(super.sortedCommands);
  }

  override async showHelp(argv: string[]): Promise<void> {
    const [word] = argv.filter(one => !one.startsWith('-'));
    const { config } = this;
    if (word && !config.findCommand(word) && !config.findTopic(word)) throw unknownCommand(word, config);
    return super.showHelp(argv);
  }

  /** oclif does not wrap the first line. */
  override formatRoot(): string {
    const [about = '', ...rest] = super.formatRoot().split('\n');
    return [this.wrap(about, 0), ...rest].join('\n');
  }
}
