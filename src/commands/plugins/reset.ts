import { Flags } from '@oclif/core';
import { BaseCommand } from '../../base-command.ts';
import { installed } from '../../plugins/installed.ts';
import { paint } from '../../terminal/paint.ts';
import { words } from '../../words/cli/words.ts';

export default class PluginsReset extends BaseCommand<typeof PluginsReset> {
  static override summary = 'Take all plugins out, installed and linked.';
  static override flags = {
    hard: Flags.boolean({ default: false, description: 'Also delete what npm keeps for them.' }),
    reinstall: Flags.boolean({ default: false, description: 'Install and link them again afterwards.' }),
  };

  async run() {
    const before = installed(this.config).map(({ plugin }) => plugin);
    const { done } = await import('../../plugins/oclif-plugins.ts');
    const argv = [...(this.flags.hard ? ['--hard'] : []), ...(this.flags.reinstall ? ['--reinstall'] : [])];
    await done({ command: 'plugins:reset', argv, about: before.join(', ') }, this.config);
    const back = installed(this.config).map(({ plugin }) => plugin);
    const removed = before.filter(plugin => !back.includes(plugin));
    if (before.length === 0) this.log(words().plugins.none);
    for (const plugin of before) this.log(`${paint('green', back.includes(plugin) ? '↻' : '✔')} ${plugin}`);
    return { removed, reinstalled: back };
  }
}
