/**
 * Biome goes into every folder, and stops at once when it meets the configuration in a run's worktree. The pattern is
 * bound to the root: with a leading star it would also hide everything from a Biome that runs inside the worktree.
 */
import { firstOf, type Tool, unlessNamed } from '../finding.ts';

export const biome: Tool = files => {
  const file = firstOf(files, 'biome', ['json', 'jsonc']) ?? firstOf(files, '.biome', ['json', 'jsonc']);
  if (!file) return null;
  const source = files.get(file)!;
  const isFirst = /schemas\/1\./.test(source) || /"ignore"\s*:/.test(source);
  const add = isFirst
    ? '"files": { "ignore": [".dure/**"] } (Biome 1)'
    : '"files": { "includes": ["**", "!.dure"] }';
  return unlessNamed('biome', file, source, add);
};
