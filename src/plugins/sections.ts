/** The plugins' own sections of global.json. */
import type { Config, ConfigName } from '../formats/config.ts';
import { problemsOf } from '../formats/define.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { readConfig } from '../project.ts';
import { type Blame, wordsOf } from './calls.ts';
import type { Gathered } from './gathered.ts';

type Shapes = Gathered['configShapes'];

/** The configuration as it is written; what plugins keep in it is theirs to check. Throws `E_CONFIG`. */
export const projectConfig = (
  project: ProjectFiles,
  { configShapes }: Pick<Gathered, 'configShapes'>,
): Promise<Config> => readConfig(project, Object.keys(configShapes));

/** The configuration with every plugin's section checked and its defaults filled in. */
export function fillSections(config: Config, shapes: Shapes): { config: Config; problems: Blame[] } {
  const { sections, problems } = checkSections(config.plugins, shapes);
  return { config: { ...config, plugins: sections }, problems };
}

/** The five files as they hold, with the plugins' sections where they are written: in global.json. */
export async function settings(
  project: ProjectFiles,
  configShapes: Shapes,
): Promise<Record<ConfigName, Record<string, unknown>>> {
  const written = await projectConfig(project, { configShapes });
  const { plugins, ...config } = written;
  const filled = fillSections(written, configShapes).config.plugins;
  return { ...config, global: { ...config.global, ...plugins, ...filled } };
}

/**
 * A section with mistakes is named with its key and left out; one that is not written counts as empty. Other keys of
 * `written` are nobody's here.
 */
export function checkSections(
  written: Readonly<Record<string, unknown>>,
  shapes: Shapes,
): { sections: Record<string, unknown>; problems: Blame[] } {
  const problems: Blame[] = [];
  const sections: Record<string, unknown> = {};
  for (const [name, shape] of Object.entries(shapes)) {
    try {
      const read = shape.safeParse(written[name] ?? {});
      if (read.success) sections[name] = read.data;
      else if (written[name] !== undefined)
        for (const problem of problemsOf(read.error).split('\n'))
          problems.push({ plugin: name, problem: `global.json: ${name}: ${problem}` });
    } catch (error) {
      problems.push({ plugin: name, problem: `its config shape: ${wordsOf(error)}` });
    }
  }
  return { sections, problems };
}
