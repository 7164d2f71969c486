import { Args } from '@oclif/core';
import { dureError } from '../../errors.ts';
import { resolvePluginFolder } from '../../plugins/resolve-plugin-argument.ts';
import { BaseCommand } from '../../terminal/base-command.ts';
import { pluginView } from '../../terminal/views/plugin-view.ts';

export default class PluginsCheck extends BaseCommand<typeof PluginsCheck> {
  static override summary = 'Show what a plugin contributes and what is wrong with it (for plugin authors).';
  static override examples = [
    {
      command: '<%= config.bin %> <%= command.id %> ./my-plugin',
      description: 'Check a plugin before linking or publishing it.',
    },
  ];
  static override args = {
    path: Args.string({ ignoreStdin: true, default: '.', description: "The plugin's folder." }),
  };

  async run() {
    const folder = resolvePluginFolder(this.args.path);
    const { inspect } = await import('../../plugins/check-plugin.ts');
    const inspection = await inspect(folder, this.config);
    this.partialResult = inspection;
    const { plugin, problems } = inspection;
    if (problems.length > 0) throw dureError('E_PLUGIN_FAULTY', { plugin, problems: problems.join('\n') });
    this.log(pluginView(inspection));
    return inspection;
  }
}
