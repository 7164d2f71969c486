/**
 * ESLint lints folders with a dot since its flat configuration; an entry that has only `ignores` holds for all. Before
 * that (`.eslintrc`) it leaves them alone unless `.eslintignore` takes that back.
 */
import { firstOf, ignores, packageOf, type Tool, unlessNamed } from '../finding.ts';

const FLAT = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'];
const LEGACY = /^\.eslintrc(\.(js|cjs|yaml|yml|json))?$/;

export const eslint: Tool = files => {
  const flat = firstOf(files, 'eslint.config', FLAT);
  if (flat)
    return unlessNamed('eslint', flat, files.get(flat), "an entry of its own: { ignores: ['.dure/'] }");
  const legacy = [...files.keys()].find(name => LEGACY.test(name));
  if (!legacy && packageOf(files)['eslintConfig'] === undefined) return null;
  const listed = files.get('.eslintignore');
  const takesBack = /^!.*\./m.test(listed ?? '');
  return takesBack && !ignores(listed)
    ? { tool: 'eslint', is: 'needed', file: '.eslintignore', add: '.dure/' }
    : {
        tool: 'eslint',
        is: 'covered',
        file: legacy ?? 'package.json',
        why: 'it leaves folders with a dot alone',
      };
};
