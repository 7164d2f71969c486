/** The plugins' own sections of global.json. */
import type { Config } from '../formats/config.ts';
import { problemsOf } from '../formats/define.ts';
import { type Blame, wordsOf } from './calls.ts';
import type { Gathered } from './gathered.ts';

/**
 * The configuration with every plugin's section checked and its defaults filled in. A section with mistakes is named
 * with its key and left out; one that is not written counts as empty.
 */
export function fillSections(
  config: Config,
  shapes: Gathered['configShapes'],
): { config: Config; problems: Blame[] } {
  const problems: Blame[] = [];
  const plugins: Record<string, unknown> = {};
  for (const [name, shape] of Object.entries(shapes)) {
    const written = config.plugins[name];
    try {
      const read = shape.safeParse(written ?? {});
      if (read.success) plugins[name] = read.data;
      else if (written !== undefined)
        for (const problem of problemsOf(read.error).split('\n'))
          problems.push({ plugin: name, problem: `global.json: ${name}.${problem}` });
    } catch (error) {
      problems.push({ plugin: name, problem: `its config shape: ${wordsOf(error)}` });
    }
  }
  return { config: { ...config, plugins }, problems };
}
