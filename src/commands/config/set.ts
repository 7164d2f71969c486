import { Args } from '@oclif/core';
import { BaseCommand } from '../../base-command.ts';
import { DureError, dureError } from '../../errors.ts';
import type { Json } from '../../formats/json.ts';
import type { Gathered } from '../../plugins/host.ts';
import { checkSections, settings } from '../../plugins/sections.ts';
import { readConfig, readWritten, replaceConfig } from '../../project.ts';
import { settingIn, settingOf, typed, withValue } from '../../terminal/settings.ts';

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
    const write = async (wanted: Json) => {
      const changed = withValue(await readWritten(project, file), path, wanted);
      if (path.join('.') === 'backend') expectKnown(changed['backend'], backends);
      if (file === 'global') expectRight(changed, configShapes);
      await replaceConfig(project, file, changed, sections);
    };
    const wanted = typed(value);
    try {
      await write(wanted);
    } catch (error) {
      if (!(error instanceof DureError && error.code === 'E_CONFIG')) throw error;
      // Of a setting that there is not, no value is right.
      if (isUnknown(error, path)) settingIn(await settings(project, configShapes), key);
      // A number may be meant as words.
      if (typeof wanted === 'string' || typeof wanted === 'object') throw error;
      await write(value).catch(() => {
        throw error;
      });
    }
    const now = settingIn(await settings(project, configShapes), key);
    this.log(`${file}.${path.join('.')} = ${JSON.stringify(now)}`);
    return { key: `${file}.${path.join('.')}`, value: now };
  }
}

/** Whether it is a word of this path that the files do not know. */
const isUnknown = ({ message }: DureError, path: readonly string[]): boolean =>
  [...message.matchAll(/unknown key (\S+)/g)].some(([, word]) => path.includes(word!));

function expectKnown(name: Json | undefined, backends: Gathered['backends']): void {
  if (typeof name !== 'string' || backends.some(backend => backend.name === name)) return;
  throw dureError('E_BACKEND_UNKNOWN', { name, known: backends.map(backend => backend.name).join(', ') });
}

/** What plugins keep in global.json has the shapes that they gave. */
function expectRight(written: Readonly<Record<string, Json>>, shapes: Gathered['configShapes']): void {
  const problems = checkSections(written, shapes).problems.map(({ problem }) => problem);
  if (problems.length > 0) throw dureError('E_CONFIG', { problems: problems.join('\n') });
}
