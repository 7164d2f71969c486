import { Flags } from '@oclif/core';
import { installedPlugins } from '../../plugins/installed-plugins.ts';
import { BaseCommand } from '../../terminal/base-command.ts';
import { paint } from '../../terminal/paint.ts';
import { words } from '../../words/cli/load-language.ts';

export default class PluginsReset extends BaseCommand<typeof PluginsReset> {
  static override summary = 'Remove all installed and linked plugins.';
  static override flags = {
    hard: Flags.boolean({
      default: false,
      description: "Also delete the plugins' node_modules and package files.",
    }),
    reinstall: Flags.boolean({ default: false, description: 'Reinstall and relink the plugins afterwards.' }),
  };

  async run() {
    const before = installedPlugins(this.config).map(({ plugin }) => plugin);
    const { runOclifCommand } = await import('../../plugins/run-oclif-plugins-command.ts');
    const argv = [...(this.flags.hard ? ['--hard'] : []), ...(this.flags.reinstall ? ['--reinstall'] : [])];
    await runOclifCommand({ command: 'plugins:reset', argv, about: before.join(', ') }, this.config);
    const back = installedPlugins(this.config).map(({ plugin }) => plugin);
    const removed = before.filter(plugin => !back.includes(plugin));
    if (before.length === 0) this.log(words().plugins.none);
    for (const plugin of before) this.log(`${paint('green', back.includes(plugin) ? '↻' : '✔')} ${plugin}`);
    return { removed, reinstalled: back };
  }
}
