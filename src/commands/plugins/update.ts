import { Config, Flags } from '@oclif/core';
import { installedPlugins } from '../../plugins/installed-plugins.ts';
import { BaseCommand } from '../../terminal/base-command.ts';
import { words } from '../../words/cli/load-language.ts';

export default class PluginsUpdate extends BaseCommand<typeof PluginsUpdate> {
  static override summary = 'Update installed plugins to their latest versions.';
  static override flags = {
    verbose: Flags.boolean({ char: 'v', default: false, description: "Show npm's output." }),
  };

  async run() {
    const ours = installedPlugins(this.config).filter(({ type }) => type === 'user');
    const about = ours.map(({ plugin }) => plugin).join(', ');
    if (ours.length > 0) {
      const { runOclifCommand } = await import('../../plugins/run-oclif-plugins-command.ts');
      const argv = this.flags.verbose ? ['--verbose'] : [];
      await runOclifCommand({ command: 'plugins:update', argv, about }, this.config);
    } else this.log(words().plugins.none);
    const { root, pjson } = this.config;
    const plugins = installedPlugins(await Config.load({ root, pjson, devPlugins: false }));
    for (const { plugin, plugin_version, type } of plugins)
      if (type === 'user') this.log(`${plugin} ${plugin_version ?? words().plugins.unloadable}`);
    return { plugins };
  }
}
