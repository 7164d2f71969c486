/** TypeScript's wildcards leave folders with a dot alone; only an `include` that names such folders reaches `.dure/`. */

import { coversDure, type Tool } from '../finding.ts';
import { addItem, JSON_STYLE } from '../insert.ts';
import { memberOf, textsOf, Unsure } from '../literal.ts';
import { jsonRoot } from './jest.ts';

const FILE = 'tsconfig.json';

export const typescript: Tool = files => {
  const source = files.get(FILE);
  if (source === undefined) return null;
  try {
    const root = jsonRoot(source);
    const include = memberOf(root, 'include')?.value;
    const reaches = include?.is === 'list' && textsOf(include).some(reachesDure);
    if (!reaches)
      return { tool: 'tsc', is: 'covered', file: FILE, why: 'it leaves folders with a dot alone' };
    // Without `exclude` these are left out by default, and with it no more.
    const first = ['"node_modules"', ...outDirOf(source)];
    const added = addItem(source, root, { path: ['exclude'], item: '.dure', first }, JSON_STYLE, coversDure);
    return added
      ? { tool: 'tsc', is: 'offered', file: FILE, after: added.source }
      : { tool: 'tsc', is: 'covered', file: FILE, why: 'its exclude names .dure' };
  } catch (error) {
    if (!(error instanceof Unsure)) throw error;
    return { tool: 'tsc', is: 'by-hand', file: FILE, add: '"exclude": ["node_modules", ".dure"]' };
  }
};

const reachesDure = (pattern: string): boolean => {
  const segments = pattern.replace(/^\.\//, '').split('/');
  return segments.some(segment => segment.startsWith('.') && matchesGlob('.dure', segment));
};

/** One part of a path against one part of a pattern with `*` and `?`. */
const matchesGlob = (name: string, segment: string): boolean =>
  new RegExp(
    `^${segment
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  ).test(name);

function outDirOf(source: string): string[] {
  const options = memberOf(jsonRoot(source), 'compilerOptions')?.value;
  if (options?.is !== 'object') return [];
  const out = memberOf(options, 'outDir')?.value;
  return out?.is === 'text' ? [JSON.stringify(out.value)] : [];
}
