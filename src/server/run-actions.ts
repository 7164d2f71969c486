/**
 * Writes the requests that people make in the web UI, to the same files as the corresponding commands. A request is
 * acknowledged once the resulting event is in events.log. An invalid request is refused before anything is written.
 */

import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import { isOver } from '../core/policy/state/phase.ts';
import { decisionOutcome, type SentDecision } from '../core/run/requests/decision-outcome.ts';
import type { DecisionSource } from '../core/run/requests/decision-proof.ts';
import { requestChanges } from '../core/run/requests/request-changes.ts';
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
import { type DureError, dureError } from '../errors.ts';
import { type ProjectFiles, type RunFiles, runIdOf } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import type { Recorded } from './http-protocol.ts';
import type {
  CRPResponse,
  extendBody,
  rebaseBody,
  rejectBody,
  retryBody,
  stopBody,
  VcrBody,
} from './question-and-action-protocol.ts';
import { type LogStep, logTail } from './runs/event-log-tail.ts';
import { recordedState } from './runs/recorded-state.ts';

/** How long (ms) to wait for the resulting event. An approval may run the tests again. */
const TIMEOUTS_MS = { request: 15_000, merge: 120_000 } as const;

/** Decisions made on a page count as those of the user who runs the server. */
const ON_PAGE: DecisionSource = { through: 'page' };

export type RunAction = ReturnType<typeof runActions>;

/** Converts an answer in either format to the format of vcr-NNN.json. */
const asVcr = (given: VcrBody | CRPResponse): VcrBody =>
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
) {
  const at = async (id: string) => {
    const files = await findRun(project, id);
    return { files, state: await recordedState(files) };
  };

  /**
   * Waits for the first event after `state` for which `outcomeOf` returns an outcome. Throws if the outcome is a
   * refusal, if the run ends first, or after the time limit.
   */
  const waitFor = async (
    files: RunFiles,
    { seq: after }: RunState,
    outcomeOf: (step: LogStep) => { readonly refused?: DureError } | null,
    limit = timeouts.request,
  ): Promise<Recorded> => {
    const id = runIdOf(files);
    const tail = logTail(files.events);
    wake(id);
    let wait = 20;
    for (const until = performance.now() + limit; performance.now() < until; await pause(wait)) {
      for (const step of await tail.next()) {
        const outcome = step.seq > after ? outcomeOf(step) : null;
        if (outcome?.refused) throw outcome.refused;
        if (outcome)
          return { ok: true, id: `${id}#${step.seq}`, event: { type: step.event.type, seq: step.seq } };
      }
      if (tail.state && tail.state.seq > after && isOver(tail.state)) throw runOver(tail.state);
      wait = Math.min(250, wait * 1.3);
    }
    throw dureError('E_NOT_TAKEN', { run: id });
  };

  const waitForDecision = (files: RunFiles, state: RunState, sent: SentDecision, limit?: number) =>
    waitFor(files, state, step => decisionOutcome(files, sent, [step.event], step.state), limit);

  /**
   * Resumes the run if it is interrupted, and returns its state: the phase of an interrupted run does not show what the
   * run is waiting for.
   */
  const resumed = async (id: string) => {
    const { files, state } = await at(id);
    if (state.phase !== 'interrupted') return { files, state };
    await waitFor(files, state, step => (step.state.phase === 'interrupted' ? null : {}));
    return at(id);
  };

  return {
    async stop(id: string, { reason = '' }: z.output<typeof stopBody>) {
      const { files, state } = await at(id);
      const request = await requestStop(files, state, reason, ON_PAGE);
      return waitForDecision(files, state, { kind: 'stop', ...request });
    },
    async retry(id: string, { agent }: z.output<typeof retryBody>) {
      const { files, state } = await resumed(id);
      const request = await requestRetry(files, state, agent, ON_PAGE);
      return waitForDecision(files, state, { kind: 'retry', ...request });
    },
    async extend(id: string, { ms }: z.output<typeof extendBody>) {
      const { files, state } = await resumed(id);
      const request = await requestExtend(files, state, ms, undefined, ON_PAGE);
      return waitForDecision(files, state, { kind: 'extend', ...request });
    },
    async answer(id: string, given: VcrBody | CRPResponse) {
      const { files, state } = await at(id);
      const { crp_id, ...answer } = asVcr(given);
      const crp = await openQuestion(files, state, crp_id);
      const vcr = await writeAnswer(files, state, crp, answer, ON_PAGE);
      const recorded = await waitForDecision(files, state, { kind: 'answer', ...vcr });
      return { ...recorded, vcr_id: vcr.vcr_id };
    },
    async approve(id: string, approval: Approval) {
      const { files, state } = await resumed(id);
      const request = await requestApproval(files, state, approval, ON_PAGE);
      return waitForDecision(files, state, { kind: 'approve', ...request }, timeouts.merge);
    },
    async rebase(id: string, { onto }: z.output<typeof rebaseBody>) {
      const { files, state } = await resumed(id);
      const request = await requestRebase({ project, files, state }, onto ?? null, ON_PAGE);
      return waitForDecision(files, state, { kind: 'rebase', ...request }, timeouts.merge);
    },
    async reject(id: string, { tree, feedback, comments }: z.output<typeof rejectBody>) {
      const { files, state } = await resumed(id);
      if (state.mrp && state.mrp.tree !== tree)
        throw dureError('E_PACK_MOVED', { seen: tree, now: state.mrp.tree });
      await requestChanges({ project, files, state }, feedback, comments, ON_PAGE);
      return waitForDecision(files, state, { kind: 'feedback', feedback: state.feedbacks + 1 });
    },
  };
}
