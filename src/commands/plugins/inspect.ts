import { Args } from '@oclif/core';
import { installedAs } from '../../plugins/installed-plugins.ts';
import { resolvePluginFolder } from '../../plugins/resolve-plugin-argument.ts';
import { BaseCommand } from '../../terminal/base-command.ts';
import { paint } from '../../terminal/paint.ts';
import { pluginView } from '../../terminal/views/plugin-view.ts';

export default class PluginsInspect extends BaseCommand<typeof PluginsInspect> {
  static override summary = 'Show what an installed plugin contributes, and its folder.';
  static override args = {
    plugin: Args.string({ required: true, ignoreStdin: true, description: 'Name of the plugin.' }),
  };

  async run() {
    const { root, type } = installedAs(this.args.plugin, this.config);
    const { inspect } = await import('../../plugins/check-plugin.ts');
    const inspection = await inspect(resolvePluginFolder(root), this.config);
    this.log(pluginView(inspection));
    this.log(paint('dim', `  ${root}`));
    const { plugin } = inspection;
    for (const problem of inspection.problems) this.reportPluginProblem({ plugin, problem });
    return { ...inspection, type };
  }
}
