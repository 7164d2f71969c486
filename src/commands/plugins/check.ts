import { resolve } from 'node:path';
import { Args } from '@oclif/core';
import { BaseCommand } from '../../base-command.ts';
import { dureError } from '../../errors.ts';
import { paint } from '../../terminal/paint.ts';

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
    const { inspect } = await import('../../plugins/inspection.ts');
    const { plugin, version, gives, problems } = await inspect(resolve(this.args.path), this.config);
    this.known = { plugin, plugin_version: version, gives, problems };
    if (problems.length > 0) throw dureError('E_PLUGIN', { plugin, problem: problems.join('\n') });
    this.log(`${paint('green', '✔')} ${plugin} ${version}`);
    for (const [what, names] of Object.entries(gives))
      if (names.length > 0) this.log(`  ${what}: ${names.join(', ')}`);
    return this.known;
  }
}
