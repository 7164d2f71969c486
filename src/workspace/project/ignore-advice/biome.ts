/**
 * Biome scans every folder and fails on the nested configuration in a run's worktree. The pattern is anchored to the root:
 * with a leading star it would also hide all files from a Biome that runs inside the worktree.
 */
import { firstPresent, type Tool, unlessNamed } from './tool.ts';

export const biome: Tool = files => {
  const file =
    firstPresent(files, 'biome', ['json', 'jsonc']) ?? firstPresent(files, '.biome', ['json', 'jsonc']);
  if (!file) return null;
  const source = files.get(file)!;
  const isFirst = /schemas\/1\./.test(source) || /"ignore"\s*:/.test(source);
  const add = isFirst
    ? '"files": { "ignore": [".dure/**"] } (Biome 1)'
    : '"files": { "includes": ["**", "!.dure"] }';
  return unlessNamed('biome', file, source, add);
};
