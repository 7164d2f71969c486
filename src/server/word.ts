/**
 * A person's word to a run, from the web: left as the same file the command line leaves, and acknowledged only when
 * the event it caused stands in events.log. What cannot be done is refused before anything is left.
 */
import { lstat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { isOver } from '../core/evolve.ts';
import {
  type Answer,
  leaveAnswer,
  leaveApproval,
  leaveExtend,
  leaveFeedback,
  leaveRetry,
  leaveStop,
  openQuestion,
} from '../core/wishes.ts';
import { dureError } from '../errors.ts';
import type { Crp } from '../formats/consultation.ts';
import { runId as runIdShape } from '../formats/define.ts';
import type { RunEvent } from '../formats/events.ts';
import { type ProjectFiles, type RunFiles, runFiles } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import type { Feedback, Wish } from '../formats/wish.ts';
import { decisionOf } from './dashboard.ts';
import { logTail } from './log-tail.ts';
import type { CRPResponse, Recorded, VcrBody } from './protocol.ts';

/** How long a word may lie untaken before the person is told. Approval may mean that tests are run again. */
const PATIENCE = { word: 15_000, merge: 120_000 } as const;

/** The folder of a run. The id is checked before it becomes part of a path. Throws `E_RUN_ID`, `E_RUN_NOT_FOUND`. */
export async function runAt(project: ProjectFiles, id: string): Promise<RunFiles> {
  if (!runIdShape.safeParse(id).success) throw dureError('E_RUN_ID', { run: id.slice(0, 80) });
  const dir = project.run(id);
  const found = await lstat(dir).catch(() => null);
  if (!found?.isDirectory()) throw dureError('E_RUN_NOT_FOUND', { run: id });
  return runFiles(dir);
}

/** From the log, which is written first: who has just heard of an event must not be shown the state before it. */
export async function stateAt(files: RunFiles, id: string): Promise<RunState> {
  const tail = logTail(files.events);
  await tail.next();
  if (!tail.state) throw dureError('E_RUN_NOT_FOUND', { run: id });
  return tail.state;
}

export interface Word {
  stop(id: string, reason: string): Promise<Recorded>;
  retry(id: string, agent: string | undefined): Promise<Recorded>;
  extend(id: string, ms: number, agent?: string): Promise<Recorded>;
  answer(id: string, vcr: VcrBody): Promise<Recorded>;
  approve(id: string, tree: string, how: Wish<'approve'>['how']): Promise<Recorded>;
  reject(id: string, tree: string, feedback: string, comments: Feedback['comments']): Promise<Recorded>;
}

/** The two spellings of an answer as one. */
export const asVcr = (given: VcrBody | CRPResponse): VcrBody =>
  'crp_id' in given
    ? given
    : {
        crp_id: given.crpId,
        ...(given.decision !== undefined && { decision: given.decision }),
        ...(given.amountUsd !== undefined && { amount_usd: given.amountUsd }),
        ...(given.rationale !== undefined && { rationale: given.rationale }),
        ...(given.additionalNotes !== undefined && { additional_notes: given.additionalNotes }),
        ...(given.appliesToFuture !== undefined && { applies_to_future: given.appliesToFuture }),
      };

/** `wake` makes sure that somebody drives the run. */
export function wordTo(
  project: ProjectFiles,
  wake: (runId: string) => void,
  patience: { readonly word: number; readonly merge: number } = PATIENCE,
): Word {
  const at = async (id: string) => {
    const files = await runAt(project, id);
    return { files, state: await stateAt(files, id) };
  };

  /** The state once an interrupted run goes on: only then it can be told what it waits for. */
  const awake = async (id: string) => {
    const { files, state } = await at(id);
    if (state.phase !== 'interrupted') return { files, state };
    wake(id);
    for (const until = performance.now() + patience.word; performance.now() < until; await pause(50)) {
      const now = await stateAt(files, id);
      if (now.phase !== 'interrupted') return { files, state: now };
    }
    throw dureError('E_NOT_TAKEN', { run: id });
  };

  const taken = async (
    files: RunFiles,
    after: number,
    isIt: (event: RunEvent) => boolean,
    limit = patience.word,
  ) => {
    const id = runIdOf(files);
    const tail = logTail(files.events);
    wake(id);
    let wait = 20;
    for (const until = performance.now() + limit; performance.now() < until; await pause(wait)) {
      for (const { seq, event } of await tail.next()) {
        if (seq <= after) continue;
        if (isIt(event)) return { event, recorded: recordedAs(id, seq, event) };
      }
      if (tail.state && tail.state.seq > after && isOver(tail.state))
        throw dureError('E_RUN_OVER', { run: id, phase: tail.state.phase });
      wait = Math.min(250, wait * 1.3);
    }
    throw dureError('E_NOT_TAKEN', { run: id });
  };

  return {
    async stop(id, reason) {
      const { files, state } = await at(id);
      await leaveStop(files, state, reason);
      return (await taken(files, state.seq, event => event.type === 'run.stopped')).recorded;
    },
    async retry(id, agent) {
      const { files, state } = await awake(id);
      await leaveRetry(files, state, agent);
      return (await taken(files, state.seq, event => event.type === 'agent.retried')).recorded;
    },
    async extend(id, ms, agent) {
      const { files, state } = await awake(id);
      await leaveExtend(files, state, ms, agent);
      return (await taken(files, state.seq, event => event.type === 'agent.extended')).recorded;
    },
    async answer(id, given) {
      const { files, state } = await at(id);
      const crp = await openQuestion(files, state, given.crp_id);
      const vcr = await leaveAnswer(files, crp, answerOf(crp, given));
      const { recorded } = await taken(
        files,
        state.seq,
        event => event.type === 'vcr.created' && event.crp_id === crp.crp_id,
      );
      return { ...recorded, vcr_id: vcr.vcr_id };
    },
    async approve(id, tree, how) {
      const { files, state } = await awake(id);
      await leaveApproval(files, state, tree, how);
      const { event, recorded } = await taken(
        files,
        state.seq,
        e => e.type === 'run.completed' || e.type === 'approval.refused',
        patience.merge,
      );
      if (event.type === 'approval.refused')
        throw dureError('E_MERGE', { why: event.reason, branch: `dure/${id}` });
      return recorded;
    },
    async reject(id, tree, feedback, comments) {
      const { files, state } = await awake(id);
      if (state.mrp && state.mrp.tree !== tree)
        throw dureError('E_PACK_MOVED', { seen: tree, now: state.mrp.tree });
      await leaveFeedback(files, state, feedback, comments);
      return (await taken(files, state.seq, event => event.type === 'mrp.rejected')).recorded;
    },
  };
}

const runIdOf = ({ dir }: RunFiles): string => dir.slice(dir.lastIndexOf('/') + 1);

const recordedAs = (id: string, seq: number, event: RunEvent): Recorded => ({
  ok: true,
  id: `${id}#${seq}`,
  event: { type: event.type, seq },
});

const answerOf = (crp: Crp, given: VcrBody): Answer => ({
  ...(given.decision !== undefined && { decision: decisionOf(crp, given.decision) }),
  ...(given.amount_usd !== undefined && { amount_usd: given.amount_usd }),
  ...(given.rationale !== undefined && { rationale: given.rationale }),
  ...(given.additional_notes !== undefined && { notes: given.additional_notes }),
  ...(given.applies_to_future !== undefined && { appliesToFuture: given.applies_to_future }),
});
