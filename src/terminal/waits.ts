/** What a run waits for, and the exact command that gives it. Pure. */
import { commandFor } from '../core/describe.ts';
import type { Crp } from '../formats/consultation.ts';
import type { RunState } from '../formats/state.ts';

export type WaitsFor = 'answer' | 'approval' | 'recovery';

const FOR: Record<string, WaitsFor> = {
  waiting_human: 'answer',
  ready_for_merge: 'approval',
  interrupted: 'recovery',
};

export function waitOf(s: RunState): { for: WaitsFor; command: string } | null {
  const what = FOR[s.phase];
  const command = commandFor(s);
  return what && command ? { for: what, command } : null;
}

export const approveCommand = (s: RunState): string =>
  `dure approve ${s.run_id}${s.mrp ? ` --tree ${s.mrp.tree.slice(0, 12)}` : ''}`;

/** The ways to decide on a pack. */
export const decideCommands = (s: RunState): string[] => [
  `dure review ${s.run_id} --diff`,
  approveCommand(s),
  `dure reject ${s.run_id} --feedback "…"`,
];

/** The ways to go on with an agent that takes longer than it may. */
export const lateCommands = ({ run_id }: RunState): string[] => [
  `dure extend ${run_id}`,
  `dure retry ${run_id}`,
  `dure stop ${run_id}`,
];

/** The ways to answer, for those who are not at this keyboard. */
export const answerCommands = (s: RunState, crp: Crp): string[] => [
  commandFor(s, crp) ?? '',
  `dure answer ${s.run_id} --decision OTHER --rationale "…"`,
];
