/**
 * Jest crawls every folder, and confuses packages of the same name. What `modulePathIgnorePatterns` names it does not
 * even crawl. `<rootDir>` keeps the pattern from matching inside a run's worktree, which lies below `.dure/`.
 */
import { dependsOn, firstOf, packageOf, type Tool, unlessNamed } from '../finding.ts';

const ENDINGS = ['js', 'ts', 'mjs', 'cjs', 'mts', 'cts', 'json'];
const PATTERN = '<rootDir>/.dure/';

export const jest: Tool = files => {
  const own = firstOf(files, 'jest.config', ENDINGS);
  const settings = packageOf(files)['jest'];
  if (own && !own.endsWith('.json'))
    return unlessNamed('jest', own, files.get(own), `modulePathIgnorePatterns: ['${PATTERN}']`);
  const list = `"modulePathIgnorePatterns": ["${PATTERN}"]`;
  if (own) return unlessNamed('jest', own, files.get(own), list);
  if (settings === undefined && !dependsOn(files, 'jest')) return null;
  return unlessNamed('jest', 'package.json', JSON.stringify(settings), `"jest": { ${list} }`);
};
