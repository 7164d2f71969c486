/**
 * The hook for `consult_human` in Claude Code. A valid question ends the process at no cost (`defer`), the answered
 * call passes (`allow`), and an invalid question is returned to the agent (`deny`). A launch carries one answer; any
 * later question in the session is deferred again.
 */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { crpFile } from '../../formats/crp-and-vcr.ts';
import { runFiles } from '../../formats/layout.ts';
import { create, readText } from '../../formats/read-and-write-files.ts';
import { problemsOf } from '../../formats/schema/define-file.ts';

export type PermissionDecision =
  | { readonly permissionDecision: 'defer' | 'allow' }
  | { readonly permissionDecision: 'deny'; readonly permissionDecisionReason: string };

const toolCall = z.object({ tool_use_id: z.string(), tool_input: z.record(z.string(), z.unknown()) });
export type ToolCall = z.infer<typeof toolCall>;

/** Returns the output of the hook. `input` is what Claude Code writes to its standard input. */
export async function runPermissionHook(
  input: string,
  runDir: string,
  launch: number,
  answer: string | undefined,
): Promise<string> {
  const asked = toolCall.parse(JSON.parse(input));
  const decision = await recordDecision(asked, runFiles(runDir).consult(launch), answer);
  return JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } });
}

async function recordDecision(
  asked: ToolCall,
  mark: string,
  answer: string | undefined,
): Promise<PermissionDecision> {
  const decision = decidePermission(asked, await readText(mark), answer !== undefined && existsSync(answer));
  // Two calls in one message may compete for the answer: the first one to write its mark gets it.
  if (decision.permissionDecision === 'allow' && !(await create(mark, asked.tool_use_id)))
    return decidePermission(asked, await readText(mark), true);
  return decision;
}

/**
 * `answered` is the call that received this launch's answer, if one was allowed. `answer` says whether the launch
 * has an answer.
 */
export function decidePermission(
  asked: ToolCall,
  answered: string | null,
  answer: boolean,
): PermissionDecision {
  if (answer && (answered === null || answered === asked.tool_use_id)) return { permissionDecision: 'allow' };
  const problems = problemsIn(asked.tool_input);
  return problems === null
    ? { permissionDecision: 'defer' }
    : {
        permissionDecision: 'deny',
        permissionDecisionReason: `The question is not valid; correct it and ask again:\n${problems}`,
      };
}

/** Returns why a question cannot be written as a valid CRP; null if it can. */
function problemsIn(input: Record<string, unknown>): string | null {
  const parsed = crpFile.shape.safeParse({
    type: 'clarification',
    ...input,
    crp_id: 'crp-001',
    created_by: 'agent',
  });
  return parsed.success ? null : problemsOf(parsed.error);
}
