/** Mocha's patterns leave folders with a dot alone; only a recursive walk from the root goes into them. */
import { firstOf, packageOf, type Tool, unlessNamed } from '../finding.ts';

export const mocha: Tool = files => {
  const own = firstOf(files, '.mocharc', ['json', 'jsonc', 'js', 'cjs', 'mjs', 'yaml', 'yml']);
  const settings = packageOf(files)['mocha'];
  const file = own ?? (settings === undefined ? null : 'package.json');
  if (!file) return null;
  const source = own ? files.get(own)! : JSON.stringify(settings);
  const walks = /\brecursive\b/.test(source) && /["'\s]\.\/?["'\s]/.test(source);
  return walks
    ? unlessNamed('mocha', file, source, '"ignore": [".dure/**"]')
    : { tool: 'mocha', is: 'covered', file, why: 'it leaves folders with a dot alone' };
};
