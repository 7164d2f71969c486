/** What a run waits for, and the exact command that gives it. Pure. */
import { isOver } from '../core/evolve.ts';
import type { RunState } from '../formats/state.ts';

export interface Wait {
  readonly for: 'answer' | 'approval' | 'recovery';
  readonly command: string;
}

export function waitOf(s: RunState): Wait | null {
  if (isOver(s)) return null;
  if (s.phase === 'waiting_human') return { for: 'answer', command: `dure answer ${s.run_id}` };
  if (s.phase === 'ready_for_merge') return { for: 'approval', command: approveCommand(s) };
  if (s.phase === 'interrupted') return { for: 'recovery', command: `dure recover ${s.run_id}` };
  return null;
}

export const approveCommand = (s: RunState): string =>
  `dure approve ${s.run_id}${s.mrp ? ` --tree ${s.mrp.tree.slice(0, 12)}` : ''}`;

export const reviewCommand = (s: RunState): string => `dure review ${s.run_id}`;
