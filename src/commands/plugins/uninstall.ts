import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../../base-command.ts';
import { installedAs } from '../../plugins/installed.ts';
import { paint } from '../../terminal/paint.ts';

export default class PluginsUninstall extends BaseCommand<typeof PluginsUninstall> {
  static override summary = 'Take plugins out again. A linked folder stays as it is.';
  static override aliases = ['plugins:unlink', 'plugins:remove'];
  static override args = {
    plugin: Args.string({
      required: true,
      multiple: true,
      ignoreStdin: true,
      description: 'Name of the plugin, or the folder that was linked.',
    }),
  };
  static override flags = {
    verbose: Flags.boolean({ char: 'v', default: false, description: 'Show what npm says.' }),
  };

  async run() {
    const removed = this.args.plugin.map(word => installedAs(word, this.config).plugin);
    const { done } = await import('../../plugins/oclif-plugins.ts');
    const flags = this.flags.verbose ? ['--verbose'] : [];
    for (const about of removed) {
      await done({ command: 'plugins:uninstall', argv: [about, ...flags], about }, this.config);
      this.log(`${paint('green', '✔')} ${about}`);
    }
    return { removed };
  }
}
