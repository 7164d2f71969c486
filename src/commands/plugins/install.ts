import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../../base-command.ts';
import type { Inspection } from '../../plugins/inspection.ts';
import { packageNamed } from '../../plugins/place.ts';
import { pluginView } from '../../terminal/plugin-view.ts';

export default class PluginsInstall extends BaseCommand<typeof PluginsInstall> {
  static override summary = 'Install plugins, with what they depend on.';
  static override description =
    'A package of the npm registry, a folder, a tarball, or a git repository. A folder is copied; `plugins link` uses it as it lies there.';
  static override aliases = ['plugins:add'];
  static override examples = [
    '<%= config.bin %> <%= command.id %> dure-notify-somewhere',
    '<%= config.bin %> <%= command.id %> ./my-plugin',
    '<%= config.bin %> <%= command.id %> https://github.com/someone/dure-plugin',
  ];
  static override args = {
    plugin: Args.string({
      required: true,
      multiple: true,
      ignoreStdin: true,
      description: 'Name, folder, tarball or address of the plugin.',
    }),
  };
  static override flags = {
    force: Flags.boolean({ char: 'f', default: false, description: 'Fetch it even if it is there already.' }),
    verbose: Flags.boolean({ char: 'v', default: false, description: 'Show what npm says.' }),
  };

  async run() {
    const wanted = this.args.plugin.map(packageNamed);
    const [{ done }, { inspect }, { packed }] = await Promise.all([
      import('../../plugins/oclif-plugins.ts'),
      import('../../plugins/inspection.ts'),
      import('../../plugins/packed.ts'),
    ]);
    const flags = [...(this.flags.force ? ['--force'] : []), ...(this.flags.verbose ? ['--verbose'] : [])];
    const plugins: Inspection[] = [];
    for (const about of wanted) {
      const argv = [await packed(about, this.config.dataDir), ...flags];
      const came = await done({ command: 'plugins:install', argv, about }, this.config);
      for (const { root } of came) {
        const inspection = await inspect(root, this.config);
        plugins.push(inspection);
        this.log(pluginView(inspection));
        for (const problem of inspection.problems) this.complain({ plugin: inspection.plugin, problem });
      }
    }
    return { plugins };
  }
}
