/** Determines what a run is waiting for, and which commands to suggest to the user. This module is pure. */
import { commandFor } from '../core/policy/command-for-user.ts';
import { canExtendExam } from '../core/policy/pipeline/rerun-automated-steps.ts';
import type { Crp } from '../formats/crp-and-vcr.ts';
import type { RunState } from '../formats/state.ts';

export type NextAction = 'answer' | 'approval' | 'recovery';

const FOR: Record<string, NextAction> = {
  waiting_human: 'answer',
  ready_for_merge: 'approval',
  interrupted: 'recovery',
};

export function nextAction(s: RunState): { for: NextAction; command: string } | null {
  const what = FOR[s.phase];
  const command = commandFor(s);
  return what && command ? { for: what, command } : null;
}

export const approveCommand = (s: RunState): string =>
  `dure approve ${s.run_id}${s.mrp ? ` --tree ${s.mrp.tree.slice(0, 12)}` : ''}`;

/** Returns the commands for reading a pack, improving it and deciding on it. */
export const decideCommands = (s: RunState): string[] => [
  `dure review ${s.run_id} --diff`,
  ...(canExtendExam(s) ? [`dure exam ${s.run_id} --budget 10m`] : []),
  approveCommand(s),
  `dure reject ${s.run_id} --feedback "…"`,
];

/** Returns the command that keeps the result of an earlier pack on a branch: the pack can no longer be approved. */
export const keepCommand = ({ run_id, mrp }: Pick<RunState, 'run_id' | 'mrp'>, pack: number): string =>
  `git branch ${run_id}-pack-${pack} ${mrp?.commit}`;

/** Returns the commands to suggest when an agent has exceeded its time limit. */
export const lateCommands = ({ run_id }: RunState): string[] => [
  `dure extend ${run_id}`,
  `dure retry ${run_id}`,
  `dure stop ${run_id}`,
];

/** Returns the commands that answer a question. */
export const answerCommands = (s: RunState, crp: Crp): string[] => [
  commandFor(s, crp) ?? '',
  `dure answer ${s.run_id} --decision OTHER --rationale "…"`,
];
