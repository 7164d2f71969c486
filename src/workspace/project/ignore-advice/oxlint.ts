/** Oxlint respects nested `.gitignore` files, including the one in `.dure/`, which ignores the runs. */
import { dependsOn, firstPresent, type Tool } from './tool.ts';

export const oxlint: Tool = files => {
  const file = firstPresent(files, '.oxlintrc', ['json', 'jsonc']);
  if (!file && !dependsOn(files, 'oxlint')) return null;
  return { tool: 'oxlint', is: 'covered', file: file ?? 'package.json', why: 'it reads .dure/.gitignore' };
};
