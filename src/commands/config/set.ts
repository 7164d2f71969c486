import { Args } from '@oclif/core';
import { BaseCommand } from '../../base-command.ts';
import { dureError } from '../../errors.ts';
import type { Json } from '../../formats/json.ts';
import type { Gathered } from '../../plugins/host.ts';
import { checkSections } from '../../plugins/sections.ts';
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
    const { configShapes, backends } = await this.plugins();
    const sections = Object.keys(configShapes);
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
    if (path.join('.') === 'backend') expectKnown(changed['backend'], backends);
    if (file === 'global') expectRight(changed, configShapes);
    await replaceConfig(project, file, changed, sections);
    const { plugins, ...config } = await readConfig(project, sections);
    const now = valueAt(file === 'global' ? { ...config.global, ...plugins } : config[file], path, key);
    this.log(`${file}.${path.join('.')} = ${JSON.stringify(now)}`);
    return { key: `${file}.${path.join('.')}`, value: now };
  }
}

function expectKnown(name: Json | undefined, backends: Gathered['backends']): void {
  if (typeof name !== 'string' || backends.some(backend => backend.name === name)) return;
  throw dureError('E_BACKEND_UNKNOWN', { name, known: backends.map(backend => backend.name).join(', ') });
}

/** What plugins keep in global.json has the shapes that they gave. */
function expectRight(written: Readonly<Record<string, Json>>, shapes: Gathered['configShapes']): void {
  const problems = checkSections(written, shapes).problems.map(({ problem }) => problem);
  if (problems.length > 0) throw dureError('E_CONFIG', { problems: problems.join('\n') });
}
