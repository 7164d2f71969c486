/**
 * Requests to the driver of a run. The CLI and the web server write only these files, so a request works from another
 * terminal, after a crash, or from a script.
 */

import { type DureError, dureError } from '../../../errors.ts';
import type { RunFiles } from '../../../formats/layout.ts';
import { replaceJson } from '../../../formats/read-and-write-files.ts';
import type { PersonRequest, RequestName } from '../../../formats/requests-and-feedback.ts';
import type { RunState } from '../../../formats/state.ts';
import { desired } from '../../policy/desired-launch.ts';
import { canExtendExam } from '../../policy/pipeline/rerun-automated-steps.ts';
import { examOf } from '../../policy/state/current-results.ts';
import { isOver } from '../../policy/state/phase.ts';
import { type DecisionSource, FROM_TERMINAL, withProof } from './decision-proof.ts';

const now = () => new Date().toISOString();

/** Writes a request with its proof, and returns it. */
export async function writeRequest<N extends RequestName>(
  files: RunFiles,
  state: RunState,
  name: N,
  request: PersonRequest<N>,
  { through, before }: DecisionSource,
): Promise<PersonRequest<N>> {
  const proven = await withProof(files, state, name, request, through);
  await before?.();
  await replaceJson(files.request(name), proven);
  return proven;
}

export async function requestStop(
  files: RunFiles,
  state: RunState,
  reason: string,
  source = FROM_TERMINAL,
): Promise<PersonRequest<'stop'>> {
  if (isOver(state)) throw runOver(state);
  return writeRequest(files, state, 'stop', { asked_at: now(), reason }, source);
}

/** Asks the driver to restart the running agent. Throws `E_RUN_OVER`, `E_NOT_AT_WORK`. */
export async function requestRetry(
  files: RunFiles,
  state: RunState,
  role: string | undefined,
  source: DecisionSource,
): Promise<PersonRequest<'retry'>> {
  const launch = launchAtWork(state, role);
  return writeRequest(files, state, 'retry', { asked_at: now(), launch }, source);
}

/** Asks the driver to extend the running agent's time limit by `ms`. Throws `E_RUN_OVER`, `E_NOT_AT_WORK`. */
export async function requestExtend(
  files: RunFiles,
  state: RunState,
  ms: number,
  role?: string,
  source = FROM_TERMINAL,
): Promise<PersonRequest<'extend'>> {
  const launch = launchAtWork(state, role);
  return writeRequest(files, state, 'extend', { asked_at: now(), launch, ms }, source);
}

/** Returns the number of the launch that is running or scheduled. Throws `E_RUN_OVER`, `E_NOT_AT_WORK`. */
function launchAtWork(state: RunState, role: string | undefined): number {
  if (isOver(state)) throw runOver(state);
  const launch = desired(state);
  if (launch === null || (role !== undefined && role !== launch.step.role))
    throw dureError('E_NOT_AT_WORK', { run: state.run_id, agent: role ?? 'agent' });
  return launch.launch;
}

export interface Approval extends Partial<Omit<PersonRequest<'approve'>, 'asked_at' | 'how' | 'by'>> {
  readonly how: PersonRequest<'approve'>['how'];
}

/**
 * Requests approval of the tree that the user saw; `tree` may be abbreviated to 8 or more digits. Throws
 * `E_RUN_OVER`, `E_NOT_READY`, `E_PACK_MOVED`.
 */
export async function requestApproval(
  files: RunFiles,
  state: RunState,
  { tree, how, tests = 'leave', hooks = 'run', accepted }: Approval,
  source = FROM_TERMINAL,
): Promise<PersonRequest<'approve'>> {
  const pack = readyPack(state);
  if (tree !== undefined && (tree.length < 8 || !pack.tree.startsWith(tree)))
    throw dureError('E_PACK_MOVED', { seen: tree, now: pack.tree });
  const request = { asked_at: now(), tree: pack.tree, how, tests, hooks };
  return writeRequest(
    files,
    state,
    'approve',
    { ...request, ...(accepted !== undefined && { accepted }) },
    source,
  );
}

/**
 * Asks the driver to continue the exam of a result that waits for approval. Throws `E_RUN_OVER`, `E_NOT_READY`,
 * `E_NOT_EXAMINED`, `E_EXAM_COMPLETE`.
 */
export async function requestExam(
  files: RunFiles,
  state: RunState,
  budget_s: number,
  source = FROM_TERMINAL,
): Promise<PersonRequest<'exam'>> {
  readyPack(state);
  if (!examOf(state)) throw dureError('E_NOT_EXAMINED', { run: state.run_id });
  if (!canExtendExam(state)) throw dureError('E_EXAM_COMPLETE', { run: state.run_id });
  return writeRequest(files, state, 'exam', { asked_at: now(), budget_s }, source);
}

/** Creates the error for a request to a run that is over. */
export const runOver = (s: RunState): DureError =>
  dureError('E_RUN_OVER', { run: s.run_id, phase: s.phase, pack: s.mrp !== null });

/** Returns the pack that a person may decide on. A run that is over keeps its pack, but accepts no decision. */
export function readyPack(state: RunState): { commit: string; tree: string } {
  if (isOver(state)) throw runOver(state);
  if (state.phase !== 'ready_for_merge' || !state.mrp)
    throw dureError('E_NOT_READY', { run: state.run_id, phase: state.phase });
  return state.mrp;
}
