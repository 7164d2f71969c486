/** The command by which a person lets a run continue. Pure. */
import type { Crp } from '../../formats/consultation.ts';
import { singleLine } from '../../formats/plain-text.ts';
import type { RunState } from '../../formats/state.ts';
import { isWorkedOn } from './phase.ts';

/**
 * The command by which a person lets the run go on, or null when it needs nobody. With the open question it already
 * names the option that was recommended, or the first.
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

/** An agent chose the option's id: in a line that a person pastes, it must stay one word. */
const word = (id: string) =>
  /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(id) ? id : `'${singleLine(id).replaceAll("'", `'\\''`)}'`;
