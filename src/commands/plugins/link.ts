import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../../base-command.ts';
import { folderOf } from '../../plugins/place.ts';
import { pluginView } from '../../terminal/plugin-view.ts';

const LOCKS = ['package-lock.json', 'yarn.lock'];

export default class PluginsLink extends BaseCommand<typeof PluginsLink> {
  static override summary = 'Use a plugin from its folder, as it lies there; for its author.';
  static override description =
    'Changes in the folder count at once. What it depends on has to be in its own node_modules: with a lockfile that is seen to.';
  static override examples = ['<%= config.bin %> <%= command.id %> ./my-plugin'];
  static override args = {
    path: Args.string({ ignoreStdin: true, default: '.', description: 'Folder of the plugin.' }),
  };
  static override flags = {
    install: Flags.boolean({
      allowNo: true,
      default: true,
      description: 'Install what its lockfile names.',
    }),
    verbose: Flags.boolean({ char: 'v', default: false, description: 'Show what npm says.' }),
  };

  async run() {
    const about = folderOf(this.args.path);
    const [{ done }, { inspect }] = await Promise.all([
      import('../../plugins/oclif-plugins.ts'),
      import('../../plugins/inspection.ts'),
    ]);
    const installs = this.flags.install && LOCKS.some(name => existsSync(join(about, name)));
    const argv = [
      about,
      installs ? '--install' : '--no-install',
      ...(this.flags.verbose ? ['--verbose'] : []),
    ];
    await done({ command: 'plugins:link', argv, about }, this.config);
    const inspection = await inspect(about, this.config);
    this.log(pluginView(inspection));
    for (const problem of inspection.problems) this.complain({ plugin: inspection.plugin, problem });
    return inspection;
  }
}
