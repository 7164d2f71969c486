/**
 * `/run/:id/mrp`: the result and its proof. A decision applies only to the tree shown on the page.
 * `/run/:id/packs/:number`: a pack by its number, even after changes were requested for it.
 */

import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { MrpView } from '../../pack-protocol.ts';
import { api } from '../connection/api-client.ts';
import { Refusal } from '../connection/refusal-error.ts';
import { parsePatch } from '../diff/parse-patch.ts';
import { formatTime, short } from '../format.ts';
import { useChangesSinceReview } from '../hooks/use-changes-since-review.ts';
import { FEEDBACK, useDecision } from '../hooks/use-decision.ts';
import { useUnlessSending } from '../hooks/use-run-request.ts';
import { useKeys } from '../keyboard-shortcuts.ts';
import { SubmitButton } from '../parts/button-needing-connection.tsx';
import { ApproveDialog } from '../parts/decision/approve-dialog.tsx';
import { DecisionBar, HEADING } from '../parts/decision/decision-bar.tsx';
import { FeedbackForm } from '../parts/decision/feedback-form.tsx';
import { RefusedDecisions } from '../parts/decision/refused-decisions.tsx';
import { UnsentReview } from '../parts/decision/unsent-text.tsx';
import { Changes } from '../parts/diff/changes.tsx';
import { SinceReview } from '../parts/diff/changes-since-review.tsx';
import { inFolders } from '../parts/diff/file-list.tsx';
import { Prose } from '../parts/lazy-markdown.tsx';
import { JudgedCriteria } from '../parts/pack/criteria.tsx';
import { PackLinks } from '../parts/pack/links-to-packs.tsx';
import {
  AgentsWithoutSandbox,
  DecisionList,
  EvidenceTable,
  GatekeeperJudgement,
  PackTests,
  Warnings,
} from '../parts/pack/pack-sections.tsx';
import { EmptyState, Skeleton } from '../parts/placeholders.tsx';
import { QueryPage } from '../parts/query-result.tsx';
import { RunPageHead } from '../parts/run-subpage-header.tsx';
import { useWords } from '../preferences.ts';
import { sentComments, unsentTexts, useCommenting } from '../review-draft.ts';
import { useTitle } from '../tab-title.ts';

export default function Review({ id, number }: { id: string; number: number | null }) {
  const w = useWords();
  useTitle(w.review.title);
  const pack = useQuery({
    queryKey: ['run', id, 'pack', number],
    queryFn: () => api.pack(id, number),
    enabled: useUnlessSending(id),
  });
  return (
    <>
      <RunPageHead id={id} />
      {pack.error instanceof Refusal && pack.error.problem.code === 'E_NOT_READY' ? (
        <>
          <h1 className="unseen">{w.review.title}</h1>
          <UnsentReview id={id} tree={null} />
          <EmptyState title={w.review.none}>
            <p>{w.review.noneHint}</p>
            <PackLinks id={id} shown={null} />
          </EmptyState>
        </>
      ) : (
        <QueryPage title={w.review.title} of={pack}>
          {view => <Shown id={id} isCurrent={number === null} pack={view} />}
        </QueryPage>
      )}
    </>
  );
}

function Shown({ id, isCurrent, pack }: { id: string; isCurrent: boolean; pack: MrpView }) {
  const w = useWords();
  const files = useMemo(() => inFolders(parsePatch(pack.patch)), [pack.patch]);
  const draft = useCommenting(pack);
  const commenting = useMemo(
    () => (pack.open ? draft : sentComments(pack.feedback?.comments ?? [])),
    [pack.open, pack.feedback, draft],
  );
  const since = useChangesSinceReview(pack);
  const decision = useDecision(pack);
  const [approving, setApproving] = useState(false);
  // The dialog is about one tree. While it is open, someone may decide on that tree in another tab or a terminal.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the dialog closes when these change, but the effect does not read them
  useEffect(() => setApproving(false), [pack.tree, pack.open]);
  useDecisionKeys(pack.open, setApproving);
  // If the page were shown earlier, its content would shift just as the user is about to click.
  if (since === undefined) return <Skeleton />;
  return (
    <>
      <h1 id={HEADING}>{pack.title || w.review.title}</h1>
      <AgentsWithoutSandbox pack={pack} />
      <p className="about">
        <span className="mono">{id}</span>
        <span>
          {w.review.tree} <code>{short(pack.tree)}</code>
        </span>
        <span>
          {w.review.commit} <code>{short(pack.commit)}</code>
        </span>
        <PackLinks id={id} shown={pack.pack} />
      </p>
      {isCurrent && (
        <UnsentReview key={`${pack.tree} ${pack.open}`} id={id} tree={pack.open ? pack.tree : null} />
      )}
      <DecisionBar
        pack={pack}
        files={files}
        comments={commenting.comments.length}
        decision={decision}
        askToApprove={() => setApproving(true)}
      />
      {pack.open && <RefusedDecisions id={id} />}
      {pack.refused && (
        <p className="note caution">
          {w.run.refused} {w.notMerged(pack.refused)}
        </p>
      )}
      {pack.open && pack.moved && (
        <div className="note caution row">
          <span>{w.review.moved(pack.moved)}</span>
          <SubmitButton disabled={decision.isBusy} onClick={decision.rebase}>
            {w.review.rebase}
          </SubmitButton>
        </div>
      )}
      <Warnings pack={pack} />
      {pack.feedback && (
        <section className="note caution stack" aria-label={w.review.feedback}>
          <p>{w.review.asked(formatTime(pack.feedback.asked_at))}</p>
          {pack.feedback.feedback && <blockquote className="quoted">{pack.feedback.feedback}</blockquote>}
        </section>
      )}
      {since && <SinceReview id={id} since={since} />}
      <div className="two">
        <div className="stack">
          <JudgedCriteria pack={pack} />
          <GatekeeperJudgement pack={pack} />
          <DecisionList pack={pack} />
          <details className="sheet whole-pack">
            <summary>{w.review.wholePack}</summary>
            <Prose text={pack.summary} />
          </details>
        </div>
        <div className="stack">
          <PackTests pack={pack} />
          <EvidenceTable pack={pack} />
        </div>
      </div>
      <Changes pack={pack} files={files} since={since} commenting={commenting} />
      {pack.open && <FeedbackForm pack={pack} comments={commenting.comments} decision={decision} />}
      {approving && (
        <ApproveDialog
          pack={pack}
          unsent={unsentTexts(pack)}
          approve={decision.approve}
          close={() => setApproving(false)}
        />
      )}
    </>
  );
}

/** `a` opens the approval dialog; `r` moves the focus to the field for requested changes. */
function useDecisionKeys(open: boolean, setApproving: (approving: boolean) => void): void {
  useKeys(
    useMemo(
      (): Record<string, () => void> =>
        open ? { a: () => setApproving(true), r: () => document.getElementById(FEEDBACK)?.focus() } : {},
      [open, setApproving],
    ),
  );
}
