import { installedPlugins } from '../../plugins/installed-plugins.ts';
import { BaseCommand } from '../../terminal/base-command.ts';
import { paint } from '../../terminal/paint.ts';
import { words } from '../../words/cli/load-language.ts';

export default class Plugins extends BaseCommand<typeof Plugins> {
  static override summary = 'List installed and linked plugins.';

  async run() {
    const plugins = installedPlugins(this.config);
    if (plugins.length === 0) this.log(words().plugins.none);
    for (const { plugin, plugin_version, type, root } of plugins)
      this.log(
        [
          plugin,
          paint('dim', plugin_version ?? words().plugins.unloadable),
          ...(type === 'link' ? [paint('dim', `(link) ${root}`)] : []),
        ].join(' '),
      );
    return { plugins };
  }
}
