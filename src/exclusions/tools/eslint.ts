/**
 * ESLint lints folders with a dot since its flat configuration; an entry that has only `ignores` holds for all. Before
 * that (`.eslintrc`) it leaves them alone unless `.eslintignore` takes that back.
 */
import { exportedPart, listIn } from '../exported.ts';
import {
  coversDure,
  type Finding,
  firstOf,
  ignores,
  packageOf,
  type RootFiles,
  type Tool,
  withLine,
} from '../finding.ts';
import { append, styleOf, text } from '../insert.ts';
import { type ListPart, memberOf, type Part, textsOf, Unsure } from '../literal.ts';

const FLAT = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'];
const LEGACY = /^\.eslintrc(\.(js|cjs|yaml|yml|json))?$/;
const PATTERN = '.dure/';
/** Functions that give their arguments, or the one array among them, as the configuration. */
const MAKES_LIST = [
  'defineConfig',
  'tseslint.config',
  'ts.config',
  'eslint.config',
  'config',
  'typescriptEslint.config',
];

export const eslint: Tool = files => {
  const flat = firstOf(files, 'eslint.config', FLAT);
  if (flat) return inFlat(files, flat);
  const legacy = [...files.keys()].find(name => LEGACY.test(name));
  if (!legacy && packageOf(files)['eslintConfig'] === undefined) return null;
  const listed = files.get('.eslintignore');
  const takesBack = /^!.*\./m.test(listed ?? '');
  return takesBack && !ignores(listed)
    ? { tool: 'eslint', is: 'offered', file: '.eslintignore', after: withLine(listed) }
    : {
        tool: 'eslint',
        is: 'covered',
        file: legacy ?? 'package.json',
        why: 'it leaves folders with a dot alone',
      };
};

function inFlat(files: RootFiles, file: string): Finding {
  const source = files.get(file)!;
  try {
    const list = listIn(exportedPart(source), MAKES_LIST);
    const all = list.items.flatMap(item => globalIgnores(item) ?? []);
    if (all.some(one => textsOf(one).some(coversDure)))
      return { tool: 'eslint', is: 'covered', file, why: 'its ignores name .dure' };
    const pattern = text(styleOf(source), PATTERN);
    const after = all[0]
      ? append(source, all[0], pattern)
      : append(source, list, `{ ignores: [${pattern}] }`);
    return { tool: 'eslint', is: 'offered', file, after };
  } catch (error) {
    if (!(error instanceof Unsure)) throw error;
    return { tool: 'eslint', is: 'by-hand', file, add: `an entry of its own: { ignores: ['${PATTERN}'] }` };
  }
}

/** The patterns of an entry that holds for all files. */
function globalIgnores(item: Part): ListPart | null {
  if (item.is === 'call' && item.name === 'globalIgnores') {
    const [first] = item.args.items;
    return first?.is === 'list' ? first : null;
  }
  if (
    item.is !== 'object' ||
    item.items.some(other => !('key' in other) || !['ignores', 'name'].includes(other.key))
  )
    return null;
  const value = memberOf(item, 'ignores')?.value;
  return value?.is === 'list' ? value : null;
}
