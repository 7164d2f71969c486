import { Args } from '@oclif/core';
import { BaseCommand } from '../../base-command.ts';
import { readConfig } from '../../project.ts';
import { settingOf, valueAt } from '../../terminal/settings.ts';

export default class ConfigGet extends BaseCommand<typeof ConfigGet> {
  static override summary = 'Show a setting, with its default filled in.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> builder.model',
    '<%= config.bin %> <%= command.id %> timeouts',
  ];
  static override args = {
    key: Args.string({ ignoreStdin: true, description: 'Such as builder.model. Default: everything.' }),
  };

  async run() {
    const { configShapes } = await this.plugins();
    const { plugins, ...config } = await readConfig(await this.project(), Object.keys(configShapes));
    const { key } = this.args;
    const all = { ...config, global: { ...config.global, ...plugins } };
    const setting = key === undefined ? null : settingOf(key);
    const value = setting && key !== undefined ? valueAt(all[setting.file], setting.path, key) : all;
    this.log(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
    return { key: key ?? null, value };
  }
}
