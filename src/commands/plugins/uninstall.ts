import { Args, Flags } from '@oclif/core';
import { installedAs } from '../../plugins/installed-plugins.ts';
import { BaseCommand } from '../../terminal/base-command.ts';
import { paint } from '../../terminal/paint.ts';

export default class PluginsUninstall extends BaseCommand<typeof PluginsUninstall> {
  static override summary = 'Uninstall plugins. A linked folder is not changed.';
  static override aliases = ['plugins:unlink', 'plugins:remove'];
  static override args = {
    plugin: Args.string({
      required: true,
      multiple: true,
      ignoreStdin: true,
      description: 'Name of the plugin, or the linked folder.',
    }),
  };
  static override flags = {
    verbose: Flags.boolean({ char: 'v', default: false, description: "Show npm's output." }),
  };

  async run() {
    const removed = this.args.plugin.map(word => installedAs(word, this.config).plugin);
    const { runOclifCommand } = await import('../../plugins/run-oclif-plugins-command.ts');
    const flags = this.flags.verbose ? ['--verbose'] : [];
    for (const about of removed) {
      await runOclifCommand({ command: 'plugins:uninstall', argv: [about, ...flags], about }, this.config);
      this.log(`${paint('green', '✔')} ${about}`);
    }
    return { removed };
  }
}
