/** Mocha's patterns skip dot folders; only `recursive` from the root includes them. */
import { firstPresent, packageOf, type Tool, unlessNamed } from './tool.ts';

export const mocha: Tool = files => {
  const own = firstPresent(files, '.mocharc', ['json', 'jsonc', 'js', 'cjs', 'mjs', 'yaml', 'yml']);
  const settings = packageOf(files)['mocha'];
  const file = own ?? (settings === undefined ? null : 'package.json');
  if (!file) return null;
  const source = own ? files.get(own)! : JSON.stringify(settings);
  const walks = /\brecursive\b/.test(source) && /["'\s]\.\/?["'\s]/.test(source);
  return walks
    ? unlessNamed('mocha', file, source, '"ignore": [".dure/**"]')
    : { tool: 'mocha', is: 'covered', file, why: 'it skips dot folders' };
};
