import { Args } from '@oclif/core';
import { BaseCommand } from '../../base-command.ts';
import { dureError } from '../../errors.ts';
import { readConfig, readWritten, replaceConfig } from '../../project.ts';
import { settingOf, typed, valueAt, withValue } from '../../terminal/settings.ts';

export default class ConfigSet extends BaseCommand<typeof ConfigSet> {
  static override summary = 'Change a setting. A value that is not right is refused and nothing is changed.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> builder.model opus',
    '<%= config.bin %> <%= command.id %> timeouts.builder 1200000',
    `<%= config.bin %> <%= command.id %> builder.style.prefer_libraries '["zod"]'`,
  ];
  static override args = {
    key: Args.string({ required: true, ignoreStdin: true, description: 'Such as builder.model.' }),
    value: Args.string({ required: true, ignoreStdin: true, description: 'JSON, or words.' }),
  };

  async run() {
    const project = await this.project();
    const sections = Object.keys((await this.plugins()).configShapes);
    const { key, value } = this.args;
    const { file, path } = settingOf(key);
    if (path.length === 0) {
      const { [file]: keys } = await readConfig(project, sections);
      throw dureError('E_CONFIG_KEY', {
        key,
        known: Object.keys(keys)
          .map(name => `${file}.${name}`)
          .join(', '),
      });
    }
    const changed = withValue(await readWritten(project, file), path, typed(value));
    await replaceConfig(project, file, changed, sections);
    const { plugins, ...config } = await readConfig(project, sections);
    const now = valueAt(file === 'global' ? { ...config.global, ...plugins } : config[file], path, key);
    this.log(`${file}.${path.join('.')} = ${JSON.stringify(now)}`);
    return { key: `${file}.${path.join('.')}`, value: now };
  }
}
