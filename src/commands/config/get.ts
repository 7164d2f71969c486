import { Args } from '@oclif/core';
import { BaseCommand } from '../../base-command.ts';
import { settings } from '../../plugins/sections.ts';
import { settingIn } from '../../terminal/settings.ts';

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
    const all = await settings(await this.project(), configShapes);
    const { key } = this.args;
    const value = key === undefined ? all : settingIn(all, key);
    this.log(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
    return { key: key ?? null, value };
  }
}
