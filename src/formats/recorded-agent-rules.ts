/** What a team commits for agents (AGENTS.md, CLAUDE.md, .claude, .mcp.json), as a run has recorded it. */
import { z } from 'zod';
import { hash } from './schema/common-fields.ts';

const LEFT_OUT = ['too-long', 'link', 'not-text', 'outside', 'missing'] as const;
export type LeftOut = (typeof LEFT_OUT)[number];

const ruleFile = z.strictObject({
  path: z.string().describe('relative to the root of the repository'),
  blob: hash.describe('git object with the quoted content'),
  imported_by: z.string().optional(),
  quoted: z.int().nonnegative().optional().describe('characters that are quoted; absent: all'),
});
export type RuleFile = Readonly<z.infer<typeof ruleFile>>;

export const mcpServers = z.strictObject({
  path: z.string().describe('relative to the root of the repository'),
  blob: hash.describe('git object with the definitions'),
  servers: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .describe('definitions by name, as in `mcpServers` of the file'),
});
export type McpServers = Readonly<z.infer<typeof mcpServers>>;

export const rules = z.strictObject({
  files: z.array(ruleFile).describe('in the order in which prompts quote them'),
  left_out: z.array(z.strictObject({ path: z.string(), why: z.enum(LEFT_OUT) })),
  mcp: mcpServers.optional().describe('MCP servers that agents are started with; absent: none'),
});
export type Rules = Readonly<z.infer<typeof rules>>;
