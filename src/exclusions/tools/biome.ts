/**
 * Biome goes into every folder, and stops at once when it meets the configuration in a run's worktree. The pattern is
 * bound to the root: with a leading star it would also hide everything from a Biome that runs inside the worktree.
 */
import { coversDure, firstOf, type Tool } from '../finding.ts';
import { addItem, JSON_STYLE } from '../insert.ts';
import { memberOf, Unsure } from '../literal.ts';
import { jsonRoot } from './jest.ts';

const PATTERN = '!.dure';
const FIRST = ['"**"'];

export const biome: Tool = files => {
  const file = firstOf(files, 'biome', ['json', 'jsonc']) ?? firstOf(files, '.biome', ['json', 'jsonc']);
  if (!file) return null;
  const source = files.get(file)!;
  try {
    const root = jsonRoot(source);
    const settings = memberOf(root, 'files')?.value;
    if (/schemas\/1\./.test(source) || (settings?.is === 'object' && memberOf(settings, 'ignore')))
      return { tool: 'biome', is: 'by-hand', file, add: '"files": { "ignore": [".dure/**"] } (Biome 1)' };
    const addition = { path: ['files', 'includes'], item: PATTERN, first: FIRST };
    const added = addItem(source, root, addition, JSON_STYLE, coversDure);
    return added
      ? { tool: 'biome', is: 'offered', file, after: added.source }
      : { tool: 'biome', is: 'covered', file, why: 'its includes leave .dure out' };
  } catch (error) {
    if (!(error instanceof Unsure)) throw error;
    return { tool: 'biome', is: 'by-hand', file, add: `"files": { "includes": ["**", "${PATTERN}"] }` };
  }
};
