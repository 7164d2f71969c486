/** Prettier formats dot folders too, and reads only the ignore files in the root. */
import { namesOtherPaths } from './script-paths.ts';
import { dependsOn, ignores, packageOf, type Tool } from './tool.ts';

const FILE = '.prettierignore';
const COMMAND = {
  program: 'prettier',
  valued:
    /^--(?:config|config-precedence|ignore-path|parser|plugin|log-?level|cache-location|cache-strategy|stdin-filepath|print-width|tab-width|trailing-comma|end-of-line)$/,
};
const CONFIG = /^(\.prettierrc(\..+)?|prettier\.config\..+|\.prettierignore)$/;

export const prettier: Tool = files => {
  const config = [...files.keys()].some(name => CONFIG.test(name));
  if (!config && packageOf(files)['prettier'] === undefined && !dependsOn(files, 'prettier')) return null;
  for (const file of [FILE, '.gitignore'])
    if (ignores(files.get(file))) return { tool: 'prettier', is: 'covered', file, why: 'it names .dure' };
  if (namesOtherPaths(files, COMMAND))
    return { tool: 'prettier', is: 'covered', file: 'package.json', why: 'its scripts name other paths' };
  return { tool: 'prettier', is: 'needed', file: FILE, add: '.dure/' };
};
