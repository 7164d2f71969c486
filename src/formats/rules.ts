/** The rules for agents that a team commits (AGENTS.md, CLAUDE.md, .claude/rules), as a run has recorded them. */
import { z } from 'zod';
import { hash } from './define-file.ts';

const LEFT_OUT = ['too-long', 'link', 'not-text', 'outside', 'missing'] as const;
export type LeftOut = (typeof LEFT_OUT)[number];

const ruleFile = z.strictObject({
  path: z.string().describe('relative to the top of the repository'),
  blob: hash.describe('git object with the quoted content'),
  imported_by: z.string().optional(),
  quoted: z.int().nonnegative().optional().describe('characters that are quoted; absent: all'),
});
export type RuleFile = Readonly<z.infer<typeof ruleFile>>;

export const rules = z.strictObject({
  files: z.array(ruleFile).describe('in the order in which prompts quote them'),
  left_out: z.array(z.strictObject({ path: z.string(), why: z.enum(LEFT_OUT) })),
});
export type Rules = Readonly<z.infer<typeof rules>>;
