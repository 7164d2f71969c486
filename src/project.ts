/** A project is laid out, and its configuration read, checked and changed. */
import { mkdir } from 'node:fs/promises';
import { dureError } from './errors.ts';
import { CONFIG_NAMES, type Config, type ConfigName, configFiles } from './formats/config.ts';
import { problemsOf } from './formats/define.ts';
import { create, replaceJson } from './formats/file.ts';
import type { Json } from './formats/json.ts';
import { type ProjectFiles, projectFiles } from './formats/layout.ts';
import { readWritten, shown } from './written.ts';

export { findProject, readWritten } from './written.ts';

/** Makes `.dure/` with the config files that are missing. Returns the names of those it wrote. */
export async function layOut(root: string): Promise<{ project: ProjectFiles; written: ConfigName[] }> {
  const project = projectFiles(root);
  await mkdir(project.config, { recursive: true });
  await create(project.ignore, 'runs/\nshadow.git/\nserver/\n');
  const written: ConfigName[] = [];
  for (const name of CONFIG_NAMES) {
    const text = `${JSON.stringify(configFiles[name].shape.parse({}), null, 2)}\n`;
    if (await create(project.configOf(name), text)) written.push(name);
  }
  return { project, written };
}

/**
 * All five files with their defaults. Every mistake is named with file and key, all at once, as `E_CONFIG`.
 * `plugins` are the names whose own sections may stand in global.json.
 */
export async function readConfig(project: ProjectFiles, plugins: readonly string[] = []): Promise<Config> {
  const written = await Promise.all(
    CONFIG_NAMES.map(async name => [name, await readWritten(project, name)] as const),
  );
  return checkConfig(Object.fromEntries(written) as Record<ConfigName, { [key: string]: Json }>, plugins);
}

export function checkConfig(
  written: Readonly<Record<ConfigName, { readonly [key: string]: Json }>>,
  plugins: readonly string[],
): Config {
  const sections = Object.fromEntries(
    Object.entries(written.global).filter(([key]) => plugins.includes(key)),
  );
  const problems: string[] = [];
  const parsed: Partial<Record<ConfigName, unknown>> = {};
  for (const name of CONFIG_NAMES) {
    const own =
      name === 'global'
        ? Object.fromEntries(Object.entries(written.global).filter(([key]) => !plugins.includes(key)))
        : written[name];
    const result = configFiles[name].shape.safeParse(own);
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

/** Replaces one file after the whole configuration was found right with it. */
export async function replaceConfig(
  project: ProjectFiles,
  name: ConfigName,
  value: { [key: string]: Json },
  plugins: readonly string[],
): Promise<void> {
  const others = await Promise.all(
    CONFIG_NAMES.map(
      async other => [other, other === name ? value : await readWritten(project, other)] as const,
    ),
  );
  checkConfig(Object.fromEntries(others) as Record<ConfigName, { [key: string]: Json }>, plugins);
  await replaceJson(project.configOf(name), value);
}
