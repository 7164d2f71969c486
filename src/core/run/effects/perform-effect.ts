/**
 * Performs the effects that `decide` returns, and returns the event that records success or failure.
 * Every effect is idempotent: after a crash before the event is recorded, it is performed again.
 */

import { rm } from 'node:fs/promises';
import { DureError } from '../../../errors.ts';
import type { RunEvent } from '../../../formats/events/events.ts';
import { PACK_REQUESTS } from '../../../formats/requests-and-feedback.ts';
import type { RunState } from '../../../formats/state.ts';
import { sealedResult } from '../../policy/state/sealed-trees.ts';
import type { Effect } from '../../policy/transition.ts';
import { isCostComplete, spentUsd } from '../../usage-tracker.ts';
import { buildPack } from '../pack/build-pack.ts';
import { setAsideUnusedFeedback } from '../requests/set-aside-unused-feedback.ts';
import type { RunContext } from '../run-context.ts';
import { askUser, newSetup, recommend } from './ask-and-resolve-questions.ts';
import { judgeVerdict } from './limit-and-handle-verdict.ts';
import { mergeApprovedResult } from './merge-approved-result.ts';
import { rebaseResult, writeConflict } from './rebase-result.ts';
import { restoreRunSeals } from './seal-bundles.ts';
import { sealStep } from './seal-step.ts';

const now = () => new Date().toISOString();

/** Null if there is nothing to record. */
export async function performEffect(
  context: RunContext,
  s: RunState,
  effect: Effect,
): Promise<RunEvent | null> {
  switch (effect.kind) {
    case 'seal':
      return sealStep(context, s);
    case 'judge':
      return judgeVerdict(context, s, effect.verdict);
    case 'ask':
      return askUser(context, s, effect);
    case 'recommend':
      return recommend(context, s, effect.crp);
    case 'set-up':
      return newSetup(context, s, effect.vcr);
    case 'pack':
      return pack(context, s, effect.changed);
    case 'merge':
      return mergeApprovedResult(context, s, effect.request);
    case 'rebase':
      return rebaseResult(context, s, effect.request);
    case 'write-conflict':
      await writeConflict(context, s);
      return effect.iteration;
  }
}

/** If the pack cannot be created, the user is asked; otherwise the run would retry forever. */
async function pack(context: RunContext, s: RunState, changed: readonly string[]): Promise<RunEvent> {
  try {
    // No agent is running, so existing requests are about an earlier pack and are no longer valid.
    await removeRequests(context);
    await restoreRunSeals(context, s);
    await setAsideUnusedFeedback(context.files, s, sealedResult(s)?.tree ?? null);
    const built = await buildPack(context, s);
    // Requests that a person made in the meantime are also about an earlier pack.
    await removeRequests(context);
    return {
      at: now(),
      type: 'mrp.created',
      ...built,
      cost_usd: isCostComplete(s) ? spentUsd(s) : null,
      ...(changed.length > 0 && { remade: [...changed] }),
    };
  } catch (error) {
    // Without disk space, or with a damaged log, the question could not be recorded either.
    if (error instanceof DureError && ['E_DISK', 'E_LOG_CORRUPT'].includes(error.code)) throw error;
    const message = obstacle(error).slice(0, 4000);
    // Skips the check of the Gatekeeper's files, which was done with the verdict and may fail for the same reason now.
    return askUser(context, { ...s, since: null }, { kind: 'ask', from: 'dure', why: 'pack', message });
  }
}

async function removeRequests({ files }: RunContext): Promise<void> {
  for (const request of PACK_REQUESTS) await rm(files.request(request), { force: true });
}

/** Describes an error: with suggestions if the user may be able to fix it, with a stack trace if it is a bug. */
const obstacle = (error: unknown): string =>
  error instanceof DureError
    ? [error.message, ...error.suggestions].join(' ')
    : ((error as Error).stack ?? String(error));
