/** Mocha's patterns leave folders with a dot alone; only a recursive walk from the root goes into them. */
import { coversDure, firstOf, packageOf, type Tool } from '../finding.ts';
import { addItem, JSON_STYLE } from '../insert.ts';
import { memberOf, Unsure } from '../literal.ts';
import { jsonRoot } from './jest.ts';

const PATTERN = '.dure/**';
const add = `ignore: ['${PATTERN}']`;

export const mocha: Tool = files => {
  const json = firstOf(files, '.mocharc', ['json', 'jsonc']);
  const other = firstOf(files, '.mocharc', ['js', 'cjs', 'mjs', 'yaml', 'yml']);
  const file = json ?? other ?? (packageOf(files)['mocha'] === undefined ? null : 'package.json');
  if (!file) return null;
  const source = files.get(file)!;
  try {
    const walks = /\brecursive\b/.test(source) && /["'\s]\.\/?["'\s]/.test(source);
    if (!walks) return { tool: 'mocha', is: 'covered', file, why: 'it leaves folders with a dot alone' };
    if (file === other) return { tool: 'mocha', is: 'by-hand', file, add };
    const path = file === 'package.json' ? ['mocha', 'ignore'] : ['ignore'];
    if (path.length > 1 && memberOf(jsonRoot(source), 'mocha')?.value.is !== 'object')
      throw new Unsure('mocha is no plain object');
    const added = addItem(source, jsonRoot(source), { path, item: PATTERN }, JSON_STYLE, coversDure);
    return added
      ? { tool: 'mocha', is: 'offered', file, after: added.source }
      : { tool: 'mocha', is: 'covered', file, why: 'its ignore names .dure' };
  } catch (error) {
    if (!(error instanceof Unsure)) throw error;
    return { tool: 'mocha', is: 'by-hand', file, add };
  }
};
