/** Oxlint reads every `.gitignore` on its way, and so the one in `.dure/` that hides the runs. */
import { dependsOn, firstOf, type Tool } from '../finding.ts';

export const oxlint: Tool = files => {
  const file = firstOf(files, '.oxlintrc', ['json', 'jsonc']);
  if (!file && !dependsOn(files, 'oxlint')) return null;
  return { tool: 'oxlint', is: 'covered', file: file ?? 'package.json', why: 'it reads .dure/.gitignore' };
};
