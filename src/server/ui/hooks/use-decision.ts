/**
 * Approves a pack, requests changes or rebases the result. Approvals and requests for changes apply only to
 * the tree that the page shows.
 */

import { useState } from 'react';
import { useLocation } from 'wouter';
import type { MrpView } from '../../pack-protocol.ts';
import type { ApproveBody, RejectBody } from '../../question-and-action-protocol.ts';
import { api } from '../connection/api-client.ts';
import { useWords } from '../preferences.ts';
import { discardReviewDraft, readReviewDraft, unsentTexts } from '../review-draft.ts';
import { useRequest } from './use-run-request.ts';

export type ReviewDecision = ReturnType<typeof useDecision>;

/** Id of the field in which the user describes what should change. */
export const FEEDBACK = 'feedback';

export function useDecision(pack: MrpView) {
  const w = useWords();
  const [, go] = useLocation();
  /** Whether the user requested changes without text or comments. */
  const [isEmpty, setEmpty] = useState(false);
  const done = () => {
    discardReviewDraft(pack);
    go(`/run/${pack.run_id}`);
  };
  const approval = useRequest(
    pack.run_id,
    (body: ApproveBody) => api.approve(pack.run_id, body),
    () => w.review.approved,
    done,
  );
  const rejection = useRequest(
    pack.run_id,
    (body: RejectBody) => api.reject(pack.run_id, body),
    () => w.review.sent,
    done,
  );
  const rebasing = useRequest(
    pack.run_id,
    () => api.rebase(pack.run_id),
    () => w.review.rebased,
    () => go(`/run/${pack.run_id}`),
  );
  const isBusy = approval.isPending || rejection.isPending || rebasing.isPending;
  return {
    isEmpty,
    isBusy,
    error: approval.error ?? rejection.error ?? rebasing.error,
    rebase: () => rebasing.mutate(undefined),
    approve: (chosen: Omit<ApproveBody, 'tree'>) => approval.mutate({ tree: pack.tree, ...chosen }),
    requestChanges() {
      const lacks = unsentTexts(pack) === 0;
      setEmpty(lacks);
      if (lacks) document.getElementById(FEEDBACK)?.focus();
      else if (!isBusy) rejection.mutate({ tree: pack.tree, ...readReviewDraft(pack) });
    },
  };
}
