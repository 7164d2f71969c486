import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { resolvePluginFolder } from '../../plugins/resolve-plugin-argument.ts';
import { BaseCommand } from '../../terminal/base-command.ts';
import { pluginView } from '../../terminal/views/plugin-view.ts';

const LOCKS = ['package-lock.json', 'yarn.lock', 'pnpm-lock.yaml'];

export default class PluginsLink extends BaseCommand<typeof PluginsLink> {
  static override summary = 'Use a plugin in place, from its folder (for plugin authors).';
  static override description =
    "Changes in the folder take effect immediately. Dependencies must be in the folder's node_modules; if there is a lockfile, they are installed.";
  static override examples = ['<%= config.bin %> <%= command.id %> ./my-plugin'];
  static override args = {
    path: Args.string({ ignoreStdin: true, default: '.', description: "The plugin's folder." }),
  };
  static override flags = {
    install: Flags.boolean({
      allowNo: true,
      default: true,
      description: "Install the dependencies from the plugin's lockfile.",
    }),
    verbose: Flags.boolean({ char: 'v', default: false, description: "Show npm's output." }),
  };

  async run() {
    const about = resolvePluginFolder(this.args.path);
    const [{ runOclifCommand }, { inspect }] = await Promise.all([
      import('../../plugins/run-oclif-plugins-command.ts'),
      import('../../plugins/check-plugin.ts'),
    ]);
    const installs = this.flags.install && LOCKS.some(name => existsSync(join(about, name)));
    const argv = [
      about,
      installs ? '--install' : '--no-install',
      ...(this.flags.verbose ? ['--verbose'] : []),
    ];
    await runOclifCommand({ command: 'plugins:link', argv, about }, this.config);
    const inspection = await inspect(about, this.config);
    this.log(pluginView(inspection));
    for (const problem of inspection.problems)
      this.reportPluginProblem({ plugin: inspection.plugin, problem });
    return inspection;
  }
}
