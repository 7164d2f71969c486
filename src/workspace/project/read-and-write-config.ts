/** Reads, validates and changes the configuration of a project. */
import { dureError } from '../../errors.ts';
import { CONFIG_NAMES, type Config, type ConfigName, configFiles } from '../../formats/config/config.ts';
import type { ProjectFiles } from '../../formats/layout.ts';
import { replaceJson } from '../../formats/read-and-write-files.ts';
import { problemsOf } from '../../formats/schema/define-file.ts';
import type { Json } from '../../formats/schema/strict-json.ts';
import { readRawConfig, shown } from './read-raw-config.ts';

/**
 * Reads all config files with their defaults. Throws one `E_CONFIG` that lists every error with file and key.
 * `plugins` are the plugins that may have a section in global.json.
 */
export async function readConfig(project: ProjectFiles, plugins: readonly string[]): Promise<Config> {
  const written = await Promise.all(
    CONFIG_NAMES.map(async name => [name, await readRawConfig(project, name)] as const),
  );
  return checkConfig(Object.fromEntries(written) as Record<ConfigName, { [key: string]: Json }>, plugins);
}

/** Reads only the `commit` section, so that mistakes in other settings do not matter. Throws `E_CONFIG`. */
export async function readCommitConfig(project: ProjectFiles): Promise<Config['global']['commit']> {
  const { commit } = await readRawConfig(project, 'global');
  const read = configFiles.global.shape.shape.commit.safeParse(commit);
  if (read.success) return read.data;
  throw dureError('E_CONFIG', { problems: `${shown('global')}: commit: ${problemsOf(read.error)}` });
}

function checkConfig(
  written: Readonly<Record<ConfigName, { readonly [key: string]: Json }>>,
  plugins: readonly string[],
): Config {
  const sections = Object.fromEntries(
    Object.entries(written.global).filter(([key]) => plugins.includes(key)),
  );
  const problems: string[] = [];
  const parsed: Partial<Record<ConfigName, unknown>> = {};
  for (const name of CONFIG_NAMES) {
    const result = configFiles[name].shape.safeParse(ownKeys(written[name], name, plugins));
    if (result.success) parsed[name] = result.data;
    else
      problems.push(
        ...problemsOf(result.error)
          .split('\n')
          .map(problem => `${shown(name)}: ${problem}`),
      );
  }
  if (problems.length > 0) throw dureError('E_CONFIG', { problems: problems.join('\n') });
  return { ...parsed, plugins: sections } as Config;
}

/** Leaves out the sections of plugins in global.json, which the plugins validate. */
export const ownKeys = (
  written: { readonly [key: string]: Json },
  name: ConfigName,
  plugins: readonly string[],
): { readonly [key: string]: Json } =>
  name === 'global'
    ? Object.fromEntries(Object.entries(written).filter(([key]) => !plugins.includes(key)))
    : written;

/** Replaces one file after validating the whole configuration with it. */
export async function replaceConfig(
  project: ProjectFiles,
  name: ConfigName,
  value: { [key: string]: Json },
  plugins: readonly string[],
): Promise<void> {
  const others = await Promise.all(
    CONFIG_NAMES.map(
      async other => [other, other === name ? value : await readRawConfig(project, other)] as const,
    ),
  );
  checkConfig(Object.fromEntries(others) as Record<ConfigName, { [key: string]: Json }>, plugins);
  await replaceJson(project.configOf(name), value);
}
