import { Args } from '@oclif/core';
import { settings } from '../../plugins/config-sections.ts';
import { BaseCommand } from '../../terminal/base-command.ts';
import { settingIn } from '../../terminal/settings-as-typed.ts';

export default class ConfigGet extends BaseCommand<typeof ConfigGet> {
  static override summary = 'Show a setting, or its default.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> builder.model',
    '<%= config.bin %> <%= command.id %> timeouts',
  ];
  static override args = {
    key: Args.string({
      ignoreStdin: true,
      description: 'Setting, such as builder.model. Default: all settings.',
    }),
  };

  async run() {
    const { configShapes } = await this.plugins();
    const all = await settings(await this.project(), configShapes);
    const { key } = this.args;
    const value = key === undefined ? all : settingIn(all, key);
    this.log(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
    return { key: key ?? null, value };
  }
}
