/**
 * What Claude Code is told before `consult_human` runs. A question that is asked well ends the process at no cost
 * (`defer`); the answered one goes through (`allow`); one that could not be shown to a person is sent back (`deny`).
 * One launch brings one answer: any later question of the same session is deferred again.
 */
import { z } from 'zod';
import { crpFile } from '../../formats/consultation.ts';
import { problemsOf } from '../../formats/define.ts';

export type Verdict =
  | { readonly permissionDecision: 'defer' | 'allow' }
  | { readonly permissionDecision: 'deny'; readonly permissionDecisionReason: string };

const call = z.object({ tool_use_id: z.string(), tool_input: z.record(z.string(), z.unknown()) });
export type Call = z.infer<typeof call>;
export const callShape = call;

/** `answered`: the call that this launch's answer belongs to, so far as one was let through; `answer`: there is one. */
export function verdictOn(asked: Call, answered: string | null, answer: boolean): Verdict {
  if (answer && (answered === null || answered === asked.tool_use_id)) return { permissionDecision: 'allow' };
  const problems = problemsIn(asked.tool_input);
  return problems === null
    ? { permissionDecision: 'defer' }
    : {
        permissionDecision: 'deny',
        permissionDecisionReason: `The question is not valid; correct it and ask again:\n${problems}`,
      };
}

/** A question is valid when it makes a valid consultation request. */
function problemsIn(input: Record<string, unknown>): string | null {
  const parsed = crpFile.shape.safeParse({
    type: 'clarification',
    ...input,
    crp_id: 'crp-001',
    created_by: 'agent',
  });
  return parsed.success ? null : problemsOf(parsed.error);
}
