/** Renders the pack section about rules for agents: which were quoted, and whether the result changes any. */

import { isRulePath } from '../../../formats/agent-rule-paths.ts';
import type { Rules } from '../../../formats/agent-rules.ts';
import type { Evidence } from '../../../formats/evidence.ts';
import { quotedName } from '../../text/markdown-quote.ts';
import { truncatedInline } from '../../text/truncate-list.ts';

export const rulesList = ({ files, left_out, mcp }: Rules): string =>
  [
    'The prompts of all agents quoted these files from the base commit:',
    '',
    ...files.map(
      ({ path, blob, quoted }) =>
        `- ${quotedName(path)} (blob \`${blob.slice(0, 12)}\`${quoted === undefined ? '' : `, the first ${quoted} characters`})`,
    ),
    ...(files.length === 0 ? ['- none'] : []),
    ...(left_out.length > 0
      ? ['', `Not quoted: ${left_out.map(({ path, why }) => `${quotedName(path)} (${why})`).join(', ')}`]
      : []),
    ...(mcp
      ? [
          '',
          `MCP servers of ${quotedName(mcp.path)} (blob \`${mcp.blob.slice(0, 12)}\`) that agents were started with: ${Object.keys(mcp.servers).map(quotedName).join(', ')}`,
        ]
      : []),
  ].join('\n');

/** Changed files with rules for agents. */
export function changedRules({ files_changed, rules }: Pick<Evidence, 'files_changed' | 'rules'>): string[] {
  const known = new Set(rules?.files.map(({ path }) => path));
  if (rules?.mcp) known.add(rules.mcp.path);
  return files_changed.filter(path => known.has(path) || isRulePath(path));
}

/** Maximum paths in the warning. */
const MAX_PATHS = 20;

/** A warning that later runs will follow the rules changed by this result. */
export const rulesChanged = (paths: readonly string[]): string =>
  `**Warning: this result changes rules for agents: ${truncatedInline(paths.map(quotedName), MAX_PATHS)}.** The agents of later runs follow them.`;
