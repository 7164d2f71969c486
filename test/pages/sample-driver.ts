/** The events that a driver would record for what people asked of a sample run. */
import { currentStep } from '../../src/core/policy/pipeline/look-up-steps.ts';
import { readAnswers } from '../../src/core/run/requests/read-requests-and-answers.ts';
import { openJournal } from '../../src/core/run/run-store.ts';
import type { Proven } from '../../src/formats/decision-provenance.ts';
import type { RunEvent } from '../../src/formats/events/events.ts';
import type { RunFiles } from '../../src/formats/layout.ts';
import { load, readFormat } from '../../src/formats/read-and-write-files.ts';
import { feedbackFile, requestFiles } from '../../src/formats/requests-and-feedback.ts';
import { COMMIT, TREE } from './sample-run.ts';

const REBASED = '8'.repeat(40);

const deciders = ({ by }: { by?: Proven | undefined }) => {
  if (!by) return {};
  const { proof: _, ...decider } = by;
  return { by: decider };
};

export async function eventsFor(files: RunFiles): Promise<RunEvent[]> {
  const { state } = await openJournal(files);
  if (!state) return [];
  const at = new Date().toISOString();
  const answer = (await readAnswers(files, state)).find(vcr => vcr.crp_id === state.pending_crp);
  if (answer) {
    const { vcr_id, crp_id, decision, rationale, applies_to_future } = answer;
    const given = { vcr_id, crp_id, decision, rationale, applies_to_future, ...deciders(answer) };
    return [{ at, type: 'vcr.created', effect: 'resume', ...given }];
  }
  const stop = await load(requestFiles.stop, files.request('stop'));
  if (stop) return [{ at, type: 'run.stopped', reason: stop.reason, ...deciders(stop) }];
  const ready = state.phase === 'ready_for_merge';
  const approval = await load(requestFiles.approve, files.request('approve'));
  if (approval && ready) {
    const landed = { how: 'merge', merged: true, into: 'main', commit: COMMIT, tree: TREE } as const;
    return [{ at, type: 'run.completed', ...landed, ...deciders(approval) }];
  }
  const feedback = await readFormat(feedbackFile, files.feedbackOf(state.feedbacks + 1));
  if (feedback.is === 'value' && ready) {
    const summary = feedback.value.feedback;
    return [
      { at, type: 'mrp.rejected', feedback: state.feedbacks + 1, summary, ...deciders(feedback.value) },
      { at, type: 'iteration.started', iteration: state.iteration + 1, reason: 'changes were requested' },
    ];
  }
  const rebase = await load(requestFiles.rebase, files.request('rebase'));
  if (rebase && ready) {
    const { asked_at, base, onto } = rebase;
    const result = { commit: COMMIT, tree: REBASED };
    const kept = { same_patch: true, conflicts: [] };
    return [
      {
        at,
        type: 'run.rebased',
        asked_at,
        from: state.base,
        base,
        onto,
        ...result,
        ...kept,
        ...deciders(rebase),
      },
      { at, type: 'mrp.created', ...result, cost_usd: 1, files: {}, pack: COMMIT },
    ];
  }
  const { role: agent, name: step } = currentStep(state);
  const { launch, requests_done: done } = state;
  const extend = await load(requestFiles.extend, files.request('extend'));
  if (extend && done['extend'] !== extend.asked_at) {
    const { asked_at, ms } = extend;
    return [{ at, type: 'agent.extended', agent, step, launch, ms, asked_at, ...deciders(extend) }];
  }
  const retry = await load(requestFiles.retry, files.request('retry'));
  if (!retry || done['retry'] === retry.asked_at) return [];
  return [{ at, type: 'agent.retried', agent, step, launch, asked_at: retry.asked_at, ...deciders(retry) }];
}
