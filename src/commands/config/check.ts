import { readdir } from 'node:fs/promises';
import { knownBackend } from '../../daemon/choose-backend.ts';
import { dureError } from '../../errors.ts';
import { CONFIG_NAMES } from '../../formats/config/config.ts';
import { ROLES } from '../../formats/layout.ts';
import { BaseCommand } from '../../terminal/base-command.ts';
import { paint } from '../../terminal/paint.ts';
import { words } from '../../words/cli/load-language.ts';
import { readConfig } from '../../workspace/project/read-and-write-config.ts';

export default class ConfigCheck extends BaseCommand<typeof ConfigCheck> {
  static override summary = 'Check all configuration files, including plugin sections.';

  async run() {
    const { unknownRoles, withSectionDefaults } = await import('../../plugins/config-sections.ts');
    const project = await this.project();
    const plugins = await this.plugins();
    const config = await readConfig(project, Object.keys(plugins.configShapes));
    const { problems } = await withSectionDefaults(config, plugins.configShapes);
    const found = [
      ...problems.map(({ problem }) => problem),
      ...unknownRoles(config.global, plugins.roles),
      ...(await unknownFiles(project.config)),
    ];
    if (found.length > 0) throw dureError('E_CONFIG', { problems: found.join('\n') });
    const roles = [...ROLES.map(role => config[role]), ...Object.values(config.global.roles)];
    for (const { backend } of [config.global, ...roles])
      if (backend !== undefined) knownBackend(backend, plugins.backends);
    this.log(`${paint('green', '✔')} ${words().config.right(project.config)}`);
    return { config: project.config, plugins: plugins.problems };
  }
}

/** Reports config files that Dure does not read, because a misspelled name would silently have no effect. */
async function unknownFiles(folder: string): Promise<string[]> {
  const known = CONFIG_NAMES.map(name => `${name}.json`);
  const names = (await readdir(folder)).filter(name => name.endsWith('.json') && !known.includes(name));
  return names.sort().map(name => `.dure/config/${name}: unknown file (known: ${known.join(', ')})`);
}
