/**
 * Jest crawls every folder and reports name collisions between packages. It does not crawl folders that match
 * `modulePathIgnorePatterns`. `<rootDir>` prevents the pattern from matching inside a run's worktree, which is below `.dure/`.
 */
import { dependsOn, firstPresent, packageOf, type Tool, unlessNamed } from './tool.ts';

const ENDINGS = ['js', 'ts', 'mjs', 'cjs', 'mts', 'cts', 'json'];
const PATTERN = '<rootDir>/.dure/';

export const jest: Tool = files => {
  const own = firstPresent(files, 'jest.config', ENDINGS);
  const settings = packageOf(files)['jest'];
  if (own && !own.endsWith('.json'))
    return unlessNamed('jest', own, files.get(own), `modulePathIgnorePatterns: ['${PATTERN}']`);
  const list = `"modulePathIgnorePatterns": ["${PATTERN}"]`;
  if (own) return unlessNamed('jest', own, files.get(own), list);
  if (settings === undefined && !dependsOn(files, 'jest')) return null;
  return unlessNamed('jest', 'package.json', JSON.stringify(settings), `"jest": { ${list} }`);
};
