/** oclif's help, adapted to narrow terminals. */
import { type Command, Help, type Interfaces } from '@oclif/core';
import { byUse } from './command-order.ts';
import { unknownCommand } from './unknown-command.ts';

export class NarrowHelp extends Help {
  constructor(config: Interfaces.Config, options?: Partial<Interfaces.HelpOptions>) {
    super(config, options);
    // Most texts contain no template, so compiling them is skipped.
    const { render } = this;
    this.render = text => (text.includes('<%') ? render(text) : text);
  }

  protected override get sortedCommands(): Command.Loadable[] {
    return byUse(super.sortedCommands);
  }

  override async showHelp(argv: string[]): Promise<void> {
    const [word] = argv.filter(one => !one.startsWith('-'));
    const { config } = this;
    if (word && !config.findCommand(word) && !config.findTopic(word)) throw unknownCommand(word, config);
    return super.showHelp(argv);
  }

  /** Skips the slow wrapping for text that already fits. */
  override wrap(body: string, spacing = this.indentSpacing): string {
    const text = this.render(body);
    const fits = PLAIN.test(text) && text.length <= this.opts.maxWidth - spacing;
    return fits ? text : super.wrap(body, spacing);
  }

  override formatRoot(): string {
    const [about = '', ...rest] = super.formatRoot().split('\n');
    return [this.wrap(about, 0), ...rest].join('\n');
  }
}

const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;
