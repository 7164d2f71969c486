/** The command with which a person lets a run continue. Pure. */
import type { Crp } from '../../formats/consultation.ts';
import { singleLine } from '../../formats/plain-text.ts';
import type { RunState } from '../../formats/state.ts';
import { isWorkedOn } from './phase.ts';

/**
 * The command with which a person lets the run continue; null if no action is needed. If a question is open, the
 * command includes the recommended option, or else the first one.
 */
export function commandFor(s: RunState, open: Crp | null = null): string | null {
  switch (s.phase) {
    case 'waiting_human': {
      const option = open && (open.recommendation ?? open.options[0]?.id);
      return `dure answer ${s.run_id}${option ? ` --decision ${word(option)}` : ''}`;
    }
    case 'ready_for_merge':
      return `dure review ${s.run_id}`;
    case 'interrupted':
      return `dure recover ${s.run_id}`;
    default:
      return s.timeout_noticed && isWorkedOn(s.phase) ? `dure extend ${s.run_id}` : null;
  }
}

/** The id was chosen by an agent; quoted so that it stays one shell word when pasted. */
const word = (id: string) =>
  /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(id) ? id : `'${singleLine(id).replaceAll("'", `'\\''`)}'`;
