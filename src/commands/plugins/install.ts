import { Args, Flags } from '@oclif/core';
import type { Inspection } from '../../formats/output/common.ts';
import { npmPackageArgument } from '../../plugins/resolve-plugin-argument.ts';
import { BaseCommand } from '../../terminal/base-command.ts';
import { pluginView } from '../../terminal/views/plugin-view.ts';

export default class PluginsInstall extends BaseCommand<typeof PluginsInstall> {
  static override summary = 'Install plugins and their dependencies.';
  static override description =
    'Installs a package from the npm registry, a folder, a tarball or a git repository. A folder is copied; `plugins link` uses it in place.';
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
      description: 'Name, folder, tarball or URL of the plugin.',
    }),
  };
  static override flags = {
    force: Flags.boolean({
      char: 'f',
      default: false,
      description: 'Fetch the plugin even if it is already installed.',
    }),
    verbose: Flags.boolean({ char: 'v', default: false, description: "Show npm's output." }),
  };

  async run() {
    const wanted = this.args.plugin.map(npmPackageArgument);
    const [{ runOclifCommand }, { inspect }, { packPluginTarball }] = await Promise.all([
      import('../../plugins/run-oclif-plugins-command.ts'),
      import('../../plugins/check-plugin.ts'),
      import('../../plugins/plugin-tarballs.ts'),
    ]);
    const flags = [...(this.flags.force ? ['--force'] : []), ...(this.flags.verbose ? ['--verbose'] : [])];
    const plugins: Inspection[] = [];
    for (const about of wanted) {
      const argv = [await packPluginTarball(about, this.config.dataDir), ...flags];
      const came = await runOclifCommand({ command: 'plugins:install', argv, about }, this.config);
      for (const { root } of came) {
        const inspection = await inspect(root, this.config);
        plugins.push(inspection);
        this.log(pluginView(inspection));
        for (const problem of inspection.problems)
          this.reportPluginProblem({ plugin: inspection.plugin, problem });
      }
    }
    return { plugins };
  }
}
