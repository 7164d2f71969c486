/**
 * Requests that people send to a run from the web. Each writes the same file as the command line and is acknowledged
 * once the resulting event is in events.log. An invalid request is refused before anything is written.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { isOver } from '../core/policy/state/phase.ts';
import type { DecisionSource } from '../core/run/requests/decision-proof.ts';
import { requestChanges } from '../core/run/requests/request-changes.ts';
import {
  agentRequestOutcome,
  approvalOutcome,
  type RequestOutcome,
  rebaseOutcome,
} from '../core/run/requests/request-outcome.ts';
import { requestRebase } from '../core/run/requests/request-rebase.ts';
import { openQuestion, writeAnswer } from '../core/run/requests/write-answer.ts';
import {
  type Approval,
  requestApproval,
  requestExtend,
  requestRetry,
  requestStop,
  runOver,
} from '../core/run/requests/write-requests.ts';
import { findRun } from '../core/run/run-store.ts';
import { DureError, dureError } from '../errors.ts';
import type { RunEvent } from '../formats/events/events.ts';
import { type ProjectFiles, type RunFiles, runIdOf } from '../formats/layout.ts';
import type { Feedback } from '../formats/request.ts';
import type { RunState } from '../formats/state.ts';
import type { CRPResponse, VcrBody } from './decision-protocol.ts';
import type { Recorded } from './protocol.ts';
import { type LogStep, logTail } from './runs/event-log-tail.ts';
import { recordedState } from './runs/recorded-state.ts';
import { decisionOf } from './sockets/dashboard-data.ts';

/** How long (ms) to wait for the resulting event. An approval may run the tests again. */
const TIMEOUTS_MS = { request: 15_000, merge: 120_000 } as const;

/** Decisions on a page are made by the user who runs the server. */
const ON_PAGE: DecisionSource = { through: 'page' };

export interface RunAction {
  stop(id: string, reason: string): Promise<Recorded>;
  retry(id: string, agent: string | undefined): Promise<Recorded>;
  extend(id: string, ms: number, agent?: string): Promise<Recorded>;
  answer(id: string, vcr: VcrBody): Promise<Recorded>;
  approve(id: string, approval: Approval): Promise<Recorded>;
  rebase(id: string, onto: string | null): Promise<Recorded>;
  reject(id: string, tree: string, feedback: string, comments: Feedback['comments']): Promise<Recorded>;
}

/** Converts an answer in either format to the format of vcr-NNN.json. */
export const asVcr = (given: VcrBody | CRPResponse): VcrBody =>
  'crp_id' in given
    ? given
    : {
        crp_id: given.crpId,
        decision: given.decision,
        amount_usd: given.amountUsd,
        rationale: given.rationale,
        additional_notes: given.additionalNotes,
        applies_to_future: given.appliesToFuture,
      };

/** `wake` makes sure that a process drives the run. */
export function runActions(
  project: ProjectFiles,
  wake: (runId: string) => void,
  timeouts: { readonly request: number; readonly merge: number } = TIMEOUTS_MS,
): RunAction {
  const at = async (id: string) => {
    const files = await findRun(project, id);
    return { files, state: await recordedState(files) };
  };

  /**
   * Resumes an interrupted run and returns its state: while it is interrupted, its phase does not show what it is
   * waiting for.
   */
  const resumed = async (id: string) => {
    const { files, state } = await at(id);
    if (state.phase !== 'interrupted') return { files, state };
    wake(id);
    for (const until = performance.now() + timeouts.request; performance.now() < until; await pause(50)) {
      const now = await recordedState(files);
      if (now.phase !== 'interrupted') return { files, state: now };
    }
    throw dureError('E_NOT_TAKEN', { run: id });
  };

  /** The first result of `found`, other than null, for an event after number `after`. */
  const waitFor = async <T>(
    files: RunFiles,
    after: number,
    found: (step: LogStep) => T | null,
    limit: number,
  ) => {
    const id = runIdOf(files);
    const tail = logTail(files.events);
    wake(id);
    let wait = 20;
    for (const until = performance.now() + limit; performance.now() < until; await pause(wait)) {
      for (const step of await tail.next()) {
        const result = step.seq > after ? found(step) : null;
        if (result !== null) return { result, recorded: recordedAs(id, step) };
      }
      if (tail.state && tail.state.seq > after && isOver(tail.state)) throw runOver(tail.state);
      wait = Math.min(250, wait * 1.3);
    }
    throw dureError('E_NOT_TAKEN', { run: id });
  };

  const waitForEvent = async (files: RunFiles, after: number, matches: (event: RunEvent) => boolean) => {
    const found = ({ event }: LogStep) => (matches(event) ? event : null);
    return (await waitFor(files, after, found, timeouts.request)).recorded;
  };

  const waitForOutcome = async (
    files: RunFiles,
    after: number,
    outcomeOf: (step: LogStep) => RequestOutcome<RunEvent> | null,
  ) => {
    const { result, recorded } = await waitFor(files, after, outcomeOf, timeouts.merge);
    if (result.refused) throw result.refused;
    return recorded;
  };

  const waitForAgent = async (
    files: RunFiles,
    after: number,
    outcomeIn: (state: RunState) => 'done' | DureError | null,
  ) => {
    const found = ({ state }: LogStep) => outcomeIn(state);
    const { result, recorded } = await waitFor(files, after, found, timeouts.request);
    if (result instanceof DureError) throw result;
    return recorded;
  };

  return {
    async stop(id, reason) {
      const { files, state } = await at(id);
      await requestStop(files, state, reason, ON_PAGE);
      return waitForEvent(files, state.seq, event => event.type === 'run.stopped');
    },
    async retry(id, agent) {
      const { files, state } = await resumed(id);
      const request = await requestRetry(files, state, agent, ON_PAGE);
      return waitForAgent(files, state.seq, now => agentRequestOutcome('retry', request, now));
    },
    async extend(id, ms, agent) {
      const { files, state } = await resumed(id);
      const request = await requestExtend(files, state, ms, agent, ON_PAGE);
      return waitForAgent(files, state.seq, now => agentRequestOutcome('extend', request, now));
    },
    async answer(id, given) {
      const { files, state } = await at(id);
      const crp = await openQuestion(files, state, given.crp_id);
      const decision = given.decision && decisionOf(crp, given.decision);
      const vcr = await writeAnswer(files, state, crp, { ...given, decision }, ON_PAGE);
      const recorded = await waitForEvent(
        files,
        state.seq,
        event => event.type === 'vcr.created' && event.crp_id === crp.crp_id,
      );
      return { ...recorded, vcr_id: vcr.vcr_id };
    },
    async approve(id, approval) {
      const { files, state } = await resumed(id);
      const request = await requestApproval(files, state, approval, ON_PAGE);
      return waitForOutcome(files, state.seq, ({ event, state: now }) =>
        approvalOutcome(files, request, event, now.phase),
      );
    },
    async rebase(id, onto) {
      const { files, state } = await resumed(id);
      const request = await requestRebase({ project, files, state }, onto, ON_PAGE);
      return waitForOutcome(files, state.seq, ({ event }) => rebaseOutcome(files, request, event));
    },
    async reject(id, tree, feedback, comments) {
      const { files, state } = await resumed(id);
      if (state.mrp && state.mrp.tree !== tree)
        throw dureError('E_PACK_MOVED', { seen: tree, now: state.mrp.tree });
      await requestChanges({ project, files, state }, feedback, comments, ON_PAGE);
      return waitForEvent(files, state.seq, event => event.type === 'mrp.rejected');
    },
  };
}

const recordedAs = (id: string, { seq, event }: LogStep): Recorded => ({
  ok: true,
  id: `${id}#${seq}`,
  event: { type: event.type, seq },
});
