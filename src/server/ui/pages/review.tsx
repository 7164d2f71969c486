/** `/run/:id/mrp`: the result and its proof. A decision applies only to the tree shown on the page. */

import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { spelledOut } from '../../../core/policy/markdown-quote.ts';
import type { MrpView } from '../../decision-protocol.ts';
import { api } from '../api.ts';
import { short } from '../format.ts';
import { useKeys } from '../keys.ts';
import { ApproveDialog } from '../parts/approve-dialog.tsx';
import { DecisionBar } from '../parts/decision-bar.tsx';
import { DiffFile } from '../parts/diff.tsx';
import { FeedbackForm } from '../parts/feedback-form.tsx';
import { Prose } from '../parts/lazy-markdown.tsx';
import type { Comment, Commenting } from '../parts/line-comment.tsx';
import { Decisions, EvidenceTable, GatekeeperJudgement, PackTests, Warnings } from '../parts/pack.tsx';
import { EmptyState, Loaded } from '../parts/placeholders.tsx';
import { type PatchFile, parsePatch } from '../patch.ts';
import { useWords } from '../preferences.ts';
import { Refusal } from '../refusal.ts';
import { useTitle } from '../title.ts';
import { FEEDBACK, type ReviewDraft, useDecision } from '../use-decision.ts';
import { useDraft } from '../use-draft.ts';

const EMPTY: ReviewDraft = { feedback: '', comments: [] };

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
  const files = useMemo(() => parsePatch(pack.patch), [pack.patch]);
  const [draft, write, discard] = useDraft(`review.${id}.${pack.tree}`, EMPTY);
  const decision = useDecision(pack, draft, discard);
  const [approving, setApproving] = useState(false);
  const commenting: Commenting = {
    comments: draft.comments,
    put: comment => write({ ...draft, comments: [...without(draft.comments, comment), comment] }),
    remove: comment => write({ ...draft, comments: without(draft.comments, comment) }),
  };
  useFileKeys(files.length);
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
      <DecisionBar
        pack={pack}
        files={files}
        comments={draft.comments.length}
        decision={decision}
        askToApprove={() => setApproving(true)}
      />
      {pack.refused && (
        <p className="note caution">
          {w.run.refused} {pack.refused}
        </p>
      )}
      <Warnings pack={pack} />
      <div className="two">
        <div className="stack">
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
      <section className="section" aria-labelledby="changes">
        <div className="row changes-head">
          <h2 id="changes">{w.review.changes}</h2>
          <span className="soft">
            {w.review.files(files.length)}
            {pack.open && files.length > 0 && `. ${w.review.lineHint}`}
          </span>
        </div>
        {files.length === 0 && <p className="soft">{w.review.empty}</p>}
        {files.length > 1 && <FileList files={files} />}
        <div className="stack">
          {files.map((file, index) => (
            <DiffFile
              key={file.path}
              id={`file-${index}`}
              file={file}
              commenting={pack.open ? commenting : null}
            />
          ))}
        </div>
        {pack.patch_truncated && <p className="note caution">{w.review.truncated}</p>}
      </section>
      {pack.open && <FeedbackForm draft={draft} write={write} decision={decision} />}
      {approving && (
        <ApproveDialog
          pack={pack}
          unsent={draft.comments.length}
          approve={decision.approve}
          close={() => setApproving(false)}
        />
      )}
    </>
  );
}

function FileList({ files }: { files: readonly PatchFile[] }) {
  const w = useWords();
  return (
    <nav aria-label={w.review.fileList}>
      <ul className="file-list mono">
        {files.map((file, index) => (
          <li key={file.path}>
            <button type="button" className="plain small" onClick={() => toFile(index)}>
              {spelledOut(file.path)} <span className="good">+{file.added}</span>{' '}
              <span className="bad">−{file.deleted}</span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const without = (comments: readonly Comment[], other: Comment): Comment[] =>
  comments.filter(one => one.file !== other.file || one.line !== other.line);

function toFile(index: number): void {
  const file = document.getElementById(`file-${index}`);
  file?.focus({ preventScroll: true });
  file?.scrollIntoView({ block: 'start' });
}

/** `j` and `k` move between files. */
function useFileKeys(count: number): void {
  const at = useRef(-1);
  useKeys(
    useMemo(() => {
      const go = (by: number) => () => {
        at.current = Math.min(Math.max(at.current + by, 0), count - 1);
        toFile(at.current);
      };
      return { j: go(1), k: go(-1) };
    }, [count]),
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
