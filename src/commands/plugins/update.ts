import { Config, Flags } from '@oclif/core';
import { BaseCommand } from '../../base-command.ts';
import { installed } from '../../plugins/installed.ts';
import { words } from '../../words/cli/words.ts';

export default class PluginsUpdate extends BaseCommand<typeof PluginsUpdate> {
  static override summary = 'Bring installed plugins to their newest version.';
  static override flags = {
    verbose: Flags.boolean({ char: 'v', default: false, description: 'Show what npm says.' }),
  };

  async run() {
    const ours = installed(this.config).filter(({ type }) => type === 'user');
    const about = ours.map(({ plugin }) => plugin).join(', ');
    if (ours.length > 0) {
      const { done } = await import('../../plugins/oclif-plugins.ts');
      const argv = this.flags.verbose ? ['--verbose'] : [];
      await done({ command: 'plugins:update', argv, about }, this.config);
    } else this.log(words().plugins.none);
    const { root, pjson } = this.config;
    const plugins = installed(await Config.load({ root, pjson, devPlugins: false }));
    for (const { plugin, plugin_version, type } of plugins)
      if (type === 'user') this.log(`${plugin} ${plugin_version ?? words().plugins.unloadable}`);
    return { plugins };
  }
}
