import { BaseCommand } from '../../base-command.ts';
import { installed } from '../../plugins/installed.ts';
import { paint } from '../../terminal/paint.ts';
import { words } from '../../words/cli/words.ts';

export default class Plugins extends BaseCommand<typeof Plugins> {
  static override summary = 'List the plugins that are installed or linked.';

  async run() {
    const plugins = installed(this.config);
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
