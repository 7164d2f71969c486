/** TypeScript's wildcards skip dot folders; only an `include` that names such folders matches `.dure/`. */
import { matchesSegment, type Tool, unlessNamed } from './tool.ts';

const FILE = 'tsconfig.json';

export const typescript: Tool = files => {
  const source = files.get(FILE);
  if (source === undefined) return null;
  const include = /"include"\s*:\s*\[([^\]]*)\]/.exec(source)?.[1] ?? '';
  return [...include.matchAll(/"([^"]*)"/g)].some(([, pattern]) => reachesDure(pattern!))
    ? unlessNamed('tsc', FILE, source, '"exclude": ["node_modules", ".dure"]')
    : { tool: 'tsc', is: 'covered', file: FILE, why: 'it skips dot folders' };
};

const reachesDure = (pattern: string): boolean =>
  pattern
    .replace(/^\.\//, '')
    .split('/')
    .some(segment => segment.startsWith('.') && matchesSegment('.dure', segment));
