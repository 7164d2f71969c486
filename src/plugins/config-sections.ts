/** The sections of plugins in global.json. */
import type { Config, ConfigName } from '../formats/config/config.ts';
import { type ProjectFiles, ROLES } from '../formats/layout.ts';
import { problemsOf } from '../formats/schema/define-file.ts';
import { errorText, type PluginFailure, parseWith } from '../process/call-plugin-code.ts';
import { readConfig } from '../workspace/project/read-and-write-config.ts';
import type { Contributions } from './contributions.ts';

type Shapes = Contributions['configShapes'];

/** Reads the configuration as written, without checking the sections of plugins. Throws `E_CONFIG`. */
export const projectConfig = (
  project: ProjectFiles,
  { configShapes }: Pick<Contributions, 'configShapes'>,
): Promise<Config> => readConfig(project, Object.keys(configShapes));

/** Checks all plugin sections of the configuration and fills in their defaults. */
export async function withSectionDefaults(
  config: Config,
  shapes: Shapes,
): Promise<{ config: Config; problems: PluginFailure[] }> {
  const { sections, problems } = await checkSections(config.plugins, shapes);
  return { config: { ...config, plugins: sections }, problems };
}

/** Reads the five files with their defaults, and the sections of plugins in global.json. */
export async function settings(
  project: ProjectFiles,
  configShapes: Shapes,
): Promise<Record<ConfigName, Record<string, unknown>>> {
  const written = await projectConfig(project, { configShapes });
  const { plugins, ...config } = written;
  const filled = (await withSectionDefaults(written, configShapes)).config.plugins;
  return { ...config, global: { ...config.global, ...plugins, ...filled } };
}

/**
 * Returns problems for `E_CONFIG`: settings of roles that no plugin contributes, and of roles that have their own file.
 */
export function unknownRoles(global: Config['global'], roles: Contributions['roles']): string[] {
  const given = roles.map(({ name }) => name);
  const file = '.dure/config/global.json';
  return [
    ...Object.keys(global.timeouts)
      .filter(name => !given.includes(name) && !isBuiltIn(name))
      .map(name => `${file}: unknown key timeouts.${name}`),
    ...Object.keys(global.roles)
      .filter(name => !given.includes(name) || isBuiltIn(name))
      .map(name =>
        isBuiltIn(name)
          ? `${file}: roles.${name}: the settings of ${name} are in .dure/config/${name}.json`
          : `${file}: unknown key roles.${name}`,
      ),
  ];
}

const isBuiltIn = (name: string): boolean => (ROLES as readonly string[]).includes(name);

/**
 * An invalid section is reported by its key and is missing from the result; a missing one counts as empty. Other keys
 * of `written` are ignored.
 */
export async function checkSections(
  written: Readonly<Record<string, unknown>>,
  shapes: Shapes,
): Promise<{ sections: Record<string, unknown>; problems: PluginFailure[] }> {
  const problems: PluginFailure[] = [];
  const sections: Record<string, unknown> = {};
  for (const [name, shape] of Object.entries(shapes)) {
    try {
      const read = await parseWith(shape, written[name] ?? {});
      if (read.success) sections[name] = read.data;
      else if (written[name] !== undefined)
        for (const problem of problemsOf(read.error).split('\n'))
          problems.push({ plugin: name, problem: `global.json: ${name}: ${problem}` });
    } catch (error) {
      problems.push({ plugin: name, problem: `its config shape: ${errorText(error)}` });
    }
  }
  return { sections, problems };
}
