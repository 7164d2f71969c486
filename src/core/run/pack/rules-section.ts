/** Renders the pack section about rules for agents: which were quoted, and whether the result changes any. */

import type { Rules } from '../../../formats/recorded-agent-rules.ts';
import { quotedName } from '../../text/markdown-quote.ts';

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
          `MCP servers from ${quotedName(mcp.path)} (blob \`${mcp.blob.slice(0, 12)}\`) that agents were started with: ${Object.keys(mcp.servers).map(quotedName).join(', ')}`,
        ]
      : []),
  ].join('\n');
