/** Prettier formats dot folders too, and reads only the ignore files in the root. */
import { dependsOn, ignores, packageOf, type Tool } from './tool.ts';

const FILE = '.prettierignore';
const CONFIG = /^(\.prettierrc(\..+)?|prettier\.config\..+|\.prettierignore)$/;

export const prettier: Tool = files => {
  const config = [...files.keys()].some(name => CONFIG.test(name));
  if (!config && packageOf(files)['prettier'] === undefined && !dependsOn(files, 'prettier')) return null;
  for (const file of [FILE, '.gitignore'])
    if (ignores(files.get(file))) return { tool: 'prettier', is: 'covered', file, why: 'it names .dure' };
  return { tool: 'prettier', is: 'needed', file: FILE, add: '.dure/' };
};
