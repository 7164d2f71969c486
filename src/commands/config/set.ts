import { Args } from '@oclif/core';
import { markCommandsSeen } from '../../core/run/seen-commands-and-used-projects.ts';
import { knownBackend } from '../../daemon/choose-backend.ts';
import { DureError, dureError } from '../../errors.ts';
import { configFiles } from '../../formats/config/config.ts';
import { withValue } from '../../formats/config/value-at-path.ts';
import type { Json } from '../../formats/schema/strict-json.ts';
import { checkSections, settings, unknownRoles } from '../../plugins/config-sections.ts';
import type { Contributions } from '../../plugins/load-contributions.ts';
import { BaseCommand } from '../../terminal/base-command.ts';
import { parseSettingValue, resolveSettingKey, settingIn } from '../../terminal/settings-as-typed.ts';
import { readConfig, replaceConfig } from '../../workspace/project/read-and-write-config.ts';
import { readRawConfig } from '../../workspace/project/read-raw-config.ts';

export default class ConfigSet extends BaseCommand<typeof ConfigSet> {
  static override summary = 'Change a setting. An invalid value is rejected and changes nothing.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> builder.model opus',
    '<%= config.bin %> <%= command.id %> timeouts.builder 1200000',
    `<%= config.bin %> <%= command.id %> builder.style.prefer_libraries '["zod"]'`,
  ];
  static override args = {
    key: Args.string({ required: true, ignoreStdin: true, description: 'Setting, such as builder.model.' }),
    value: Args.string({ required: true, ignoreStdin: true, description: 'JSON value, or plain text.' }),
  };

  async run() {
    const project = await this.project();
    const { configShapes, backends, roles } = await this.plugins();
    const sections = Object.keys(configShapes);
    const { key, value } = this.args;
    const { file, path } = resolveSettingKey(key);
    const setting = path.join('.');
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
      const changed = withValue(await readRawConfig(project, file), setting, wanted);
      const { backend } = changed;
      if (setting === 'backend' && typeof backend === 'string') knownBackend(backend, backends);
      if (file === 'global') await expectValid(changed, configShapes, roles);
      await replaceConfig(project, file, changed, sections);
    };
    const wanted = parseSettingValue(value);
    try {
      await write(wanted);
    } catch (error) {
      if (!(error instanceof DureError && error.code === 'E_CONFIG')) throw error;
      // For an unknown setting, report the key instead of the value.
      if (isUnknown(error, path)) settingIn(await settings(project, configShapes), key);
      // If the files were already invalid, report that instead.
      await readConfig(project, sections);
      const { problems } = error.context as { problems: string };
      const refused = dureError('E_CONFIG_VALUE', { problems });
      // The input may look like a number but be meant as text.
      if (typeof wanted === 'string' || typeof wanted === 'object') throw refused;
      await write(value).catch(() => {
        throw refused;
      });
    }
    if (file === 'global' && ['workspace', 'checks'].includes(path[0] ?? ''))
      await markCommandsSeen(project.root, await readConfig(project, sections));
    const now = settingIn(await settings(project, configShapes), key);
    this.log(`${file}.${setting} = ${JSON.stringify(now)}`);
    return { key: `${file}.${setting}`, value: now };
  }
}

/** Whether the error is about a key in `path` that the schema does not know. */
const isUnknown = ({ message }: DureError, path: readonly string[]): boolean =>
  [...message.matchAll(/unknown key (\S+)/g)].some(([, word]) => path.includes(word!));

/** Checks the sections of plugins in global.json against the shapes that the plugins declared. */
async function expectValid(
  written: Readonly<Record<string, Json>>,
  shapes: Contributions['configShapes'],
  roles: Contributions['roles'],
): Promise<void> {
  const { problems: mistakes } = await checkSections(written, shapes);
  const own = Object.entries(written).filter(([key]) => !Object.hasOwn(shapes, key));
  const read = configFiles.global.shape.safeParse(Object.fromEntries(own));
  const problems = [
    ...mistakes.map(({ problem }) => problem),
    ...(read.success ? unknownRoles(read.data, roles) : []),
  ];
  if (problems.length > 0) throw dureError('E_CONFIG', { problems: problems.join('\n') });
}
