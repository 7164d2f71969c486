/** Extends oclif's help: lists commands in the order of use, rejects unknown commands, and wraps the first line. */
import { type Command, Help } from '@oclif/core';
import { unknownCommand } from './unknown-command-error.ts';

/** The commands that the help lists first, roughly in the order of use; all others follow alphabetically. */
const BY_USE: readonly string[] = [
  'init',
  'doctor',
  'start',
  'status',
  'watch',
  'attach',
  'logs',
  'answer',
  'review',
  'approve',
  'exam',
  'rebase',
  'reject',
  'open',
  'pages',
  'inbox',
  'history',
  'extend',
  'retry',
  'stop',
  'recover',
  'bundle',
  'prove',
  'verify',
  'clean',
  'wait',
  'serve',
  'demo',
  'import-orchestral',
  'completion',
  'plugins',
  'help',
  'version',
];

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

const placeOf = (id: string): number => (BY_USE.includes(id) ? BY_USE.indexOf(id) : BY_USE.length);

/** `commands` are sorted by name. */
export const byUse = <C extends { readonly id: string }>(commands: readonly C[]): C[] =>
  commands.toSorted((a, b) => placeOf(a.id) - placeOf(b.id));
