import { BaseCommand } from '../../base-command.ts';
import { dureError } from '../../errors.ts';
import { readConfig } from '../../project.ts';
import { paint } from '../../terminal/paint.ts';
import { words } from '../../words/cli/words.ts';

const ROLES = ['refiner', 'builder', 'verifier', 'gatekeeper'] as const;

export default class ConfigCheck extends BaseCommand<typeof ConfigCheck> {
  static override summary = 'Check all configuration files and the sections of plugins.';

  async run() {
    const { fillSections } = await import('../../plugins/host.ts');
    const project = await this.project();
    const plugins = await this.plugins();
    const config = await readConfig(project, Object.keys(plugins.configShapes));
    const { problems } = fillSections(config, plugins.configShapes);
    if (problems.length > 0)
      throw dureError('E_CONFIG', { problems: problems.map(p => p.problem).join('\n') });
    const known = plugins.backends.map(({ name }) => name);
    for (const name of [config.global, ...ROLES.map(role => config[role])].map(({ backend }) => backend))
      if (name !== undefined && !known.includes(name))
        throw dureError('E_BACKEND_UNKNOWN', { name, known: known.join(', ') });
    this.log(`${paint('green', '✔')} ${words().config.right(project.config)}`);
    return { config: project.config, plugins: plugins.problems };
  }
}
