import { Args } from '@oclif/core';
import { BaseCommand } from '../../base-command.ts';
import { dureError } from '../../errors.ts';
import { folderOf } from '../../plugins/place.ts';
import { pluginView } from '../../terminal/plugin-view.ts';

export default class PluginsCheck extends BaseCommand<typeof PluginsCheck> {
  static override summary = 'Say what a plugin gives, and what is wrong with it; for its author.';
  static override examples = [
    {
      command: '<%= config.bin %> <%= command.id %> ./my-plugin',
      description: 'Before it is linked or published.',
    },
  ];
  static override args = {
    path: Args.string({ ignoreStdin: true, default: '.', description: 'Folder of the plugin.' }),
  };

  async run() {
    const folder = folderOf(this.args.path);
    const { inspect } = await import('../../plugins/inspection.ts');
    const inspection = await inspect(folder, this.config);
    this.known = inspection;
    const { plugin, problems } = inspection;
    if (problems.length > 0) throw dureError('E_PLUGIN_FAULTY', { plugin, problems: problems.join('\n') });
    this.log(pluginView(inspection));
    return inspection;
  }
}
