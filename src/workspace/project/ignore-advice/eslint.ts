/**
 * With a flat configuration, ESLint lints dot folders; a config object with only `ignores` applies globally.
 * With `.eslintrc` it skips them unless `.eslintignore` re-includes them.
 */
import { namesOtherPaths } from './script-paths.ts';
import { firstPresent, ignores, packageOf, type Tool, unlessNamed } from './tool.ts';

const FLAT = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'];
const COMMAND = {
  program: 'eslint',
  valued:
    /^(?:-[cfo]|--(?:config|format|output-file|ext|max-warnings|rule|rulesdir|plugin|parser|parser-options|ignore-path|ignore-pattern|cache-file|cache-location|cache-strategy|env|global|flag|fix-type|stdin-filename|resolve-plugins-relative-to|report-unused-disable-directives-severity|suppressions-location|concurrency))$/,
};
const LEGACY = /^\.eslintrc(\.(js|cjs|yaml|yml|json))?$/;

export const eslint: Tool = files => {
  const flat = firstPresent(files, 'eslint.config', FLAT);
  if (flat && namesOtherPaths(files, COMMAND))
    return { tool: 'eslint', is: 'covered', file: 'package.json', why: 'its scripts name other paths' };
  if (flat)
    return unlessNamed('eslint', flat, files.get(flat), "a separate config object: { ignores: ['.dure/'] }");
  const legacy = [...files.keys()].find(name => LEGACY.test(name));
  if (!legacy && packageOf(files)['eslintConfig'] === undefined) return null;
  const listed = files.get('.eslintignore');
  const reIncludes = /^!.*\./m.test(listed ?? '');
  return reIncludes && !ignores(listed)
    ? { tool: 'eslint', is: 'needed', file: '.eslintignore', add: '.dure/' }
    : {
        tool: 'eslint',
        is: 'covered',
        file: legacy ?? 'package.json',
        why: 'it skips dot folders',
      };
};
