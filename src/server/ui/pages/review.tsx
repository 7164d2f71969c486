/** `/run/:id/mrp`: the result and its proof. A decision applies only to the tree shown on the page. */

import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { MrpView } from '../../decision-protocol.ts';
import { api } from '../api.ts';
import { short } from '../format.ts';
import { useKeys } from '../keys.ts';
import { ApproveDialog } from '../parts/approve-dialog.tsx';
import { Changes } from '../parts/changes.tsx';
import { JudgedCriteria } from '../parts/criteria.tsx';
import { DecisionBar } from '../parts/decision-bar.tsx';
import { FeedbackForm } from '../parts/feedback-form.tsx';
import { inFolders } from '../parts/file-list.tsx';
import { Prose } from '../parts/lazy-markdown.tsx';
import { Decisions, EvidenceTable, GatekeeperJudgement, PackTests, Warnings } from '../parts/pack.tsx';
import { EmptyState, Loaded } from '../parts/placeholders.tsx';
import { SendButton } from '../parts/send-button.tsx';
import { Unsent } from '../parts/unsent.tsx';
import { parsePatch } from '../patch.ts';
import { useWords } from '../preferences.ts';
import { Refusal } from '../refusal-error.ts';
import { readReviewDraft, useCommenting } from '../review-draft.ts';
import { useTitle } from '../title.ts';
import { FEEDBACK, useDecision } from '../use-decision.ts';

export default function Review({ id }: { id: string }) {
  const w = useWords();
  useTitle(w.review.title);
  const pack = useQuery({ queryKey: ['run', id, 'pack'], queryFn: () => api.pack(id) });
  return (
    <>
      <p className="back">
        <Link href={`/run/${id}`}>{w.question.back}</Link>
      </p>
      {pack.error instanceof Refusal && pack.error.problem.code === 'E_NOT_READY' ? (
        <>
          <h1 className="unseen">{w.review.title}</h1>
          <Unsent id={id} tree={null} />
          <EmptyState title={w.review.none}>
            <p>{w.review.noneHint}</p>
          </EmptyState>
        </>
      ) : (
        <Loaded of={pack}>{view => <Shown id={id} pack={view} />}</Loaded>
      )}
    </>
  );
}

function Shown({ id, pack }: { id: string; pack: MrpView }) {
  const w = useWords();
  const files = useMemo(() => inFolders(parsePatch(pack.patch)), [pack.patch]);
  const commenting = useCommenting(pack);
  const decision = useDecision(pack);
  const [approving, setApproving] = useState(false);
  useDecisionKeys(pack.open, setApproving);
  return (
    <>
      <h1>{pack.title || w.review.title}</h1>
      <p className="about">
        <span className="mono">{id}</span>
        <span>
          {w.review.tree} <code>{short(pack.tree)}</code>
        </span>
        <span>
          {w.review.commit} <code>{short(pack.commit)}</code>
        </span>
      </p>
      <Unsent key={`${pack.tree} ${pack.open}`} id={id} tree={pack.open ? pack.tree : null} />
      <DecisionBar
        pack={pack}
        files={files}
        comments={commenting.comments.length}
        decision={decision}
        askToApprove={() => setApproving(true)}
      />
      {pack.refused && (
        <p className="note caution">
          {w.run.refused} {pack.refused}
        </p>
      )}
      {pack.open && pack.moved && (
        <div className="note caution row">
          <span>{w.review.moved(pack.moved)}</span>
          <SendButton disabled={decision.isBusy} onClick={decision.rebase}>
            {w.review.rebase}
          </SendButton>
        </div>
      )}
      <Warnings pack={pack} />
      <div className="two">
        <div className="stack">
          <JudgedCriteria pack={pack} />
          <GatekeeperJudgement pack={pack} />
          <Decisions pack={pack} />
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
      <Changes pack={pack} files={files} commenting={commenting} />
      {pack.open && <FeedbackForm pack={pack} comments={commenting.comments} decision={decision} />}
      {approving && (
        <ApproveDialog
          pack={pack}
          unsent={readReviewDraft(pack).comments.length}
          approve={decision.approve}
          close={() => setApproving(false)}
        />
      )}
    </>
  );
}

/** `a` opens the approval, `r` goes to the field for requested changes. */
function useDecisionKeys(open: boolean, setApproving: (approving: boolean) => void): void {
  useKeys(
    useMemo(
      (): Record<string, () => void> =>
        open ? { a: () => setApproving(true), r: () => document.getElementById(FEEDBACK)?.focus() } : {},
      [open, setApproving],
    ),
  );
}
