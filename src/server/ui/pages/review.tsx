/** `/run/:id/mrp`: the result and its proof. A decision holds for the tree that is on the page. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ApproveBody, MrpView, RejectBody } from '../../protocol.ts';
import { api, Refusal } from '../api.ts';
import { useDraft } from '../draft.ts';
import { cost, duration, short } from '../format.ts';
import { sendsForm, useKeys } from '../keys.ts';
import { useWords } from '../look.ts';
import { Ask } from '../parts/ask.tsx';
import { type Comment, type Commenting, DiffFile } from '../parts/diff.tsx';
import { Field } from '../parts/field.tsx';
import { Prose } from '../parts/prose.tsx';
import { Loaded, Nothing, Trouble } from '../parts/states.tsx';
import { CountsBar, Log, MachineWord } from '../parts/test-result.tsx';
import { parsePatch } from '../patch.ts';
import { useTitle } from '../title.ts';
import { useWish } from '../wish.ts';

const HOWS = ['merge', 'branch', 'pr'] as const;
const EMPTY: { feedback: string; comments: readonly Comment[] } = { feedback: '', comments: [] };

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
          <Nothing title={w.review.none}>
            <p>{w.review.noneHint}</p>
          </Nothing>
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
  const commenting: Commenting = {
    comments: draft.comments,
    put: comment => write({ ...draft, comments: [...without(draft.comments, comment), comment] }),
    remove: comment => write({ ...draft, comments: without(draft.comments, comment) }),
  };
  useFileKeys(files.length);
  return (
    <>
      <div className="head">
        <div>
          <h1>{w.review.title}</h1>
          <p className="about">
            <span className="mono">{id}</span>
            <span>
              {w.review.tree} <code>{short(pack.tree)}</code>
            </span>
            <span>
              {w.review.commit} <code>{short(pack.commit)}</code>
            </span>
          </p>
        </div>
      </div>
      {pack.refused && (
        <p className="note caution">
          {w.run.refused} {pack.refused}
        </p>
      )}
      <div className="two">
        <section aria-labelledby="summary">
          <h2 id="summary" className="unseen">
            {w.review.summary}
          </h2>
          <Prose text={pack.summary} />
        </section>
        <div className="stack">
          <Tests pack={pack} />
          <Proof pack={pack} />
        </div>
      </div>
      <Decisions pack={pack} />
      <section className="section" aria-labelledby="changes">
        <div className="row changes-head">
          <h2 id="changes">{w.review.changes}</h2>
          <span className="soft">
            {w.review.files(files.length)}
            {pack.open && files.length > 0 && `. ${w.review.lineHint}`}
          </span>
        </div>
        {files.length === 0 && <p className="soft">{w.review.empty}</p>}
        {files.length > 1 && (
          <nav aria-label={w.review.fileList}>
            <ul className="file-list mono">
              {files.map((file, index) => (
                <li key={file.path}>
                  <button type="button" className="plain small" onClick={() => toFile(index)}>
                    {file.path} <span className="good">+{file.added}</span>{' '}
                    <span className="bad">−{file.deleted}</span>
                  </button>
                </li>
              ))}
            </ul>
          </nav>
        )}
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
      {pack.open && <Decide id={id} pack={pack} draft={draft} write={write} discard={discard} />}
    </>
  );
}

const without = (comments: readonly Comment[], other: Comment): Comment[] =>
  comments.filter(one => one.file !== other.file || one.line !== other.line);

function toFile(index: number): void {
  const file = document.getElementById(`file-${index}`);
  file?.focus({ preventScroll: true });
  file?.scrollIntoView({ block: 'start' });
}

/** `j` and `k` go from file to file. */
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

function Tests({ pack }: { pack: MrpView }) {
  const w = useWords();
  const { tests } = pack;
  return (
    <section className="sheet" aria-labelledby="tests">
      <h2 id="tests">{w.review.tests}</h2>
      {tests === null ? (
        <p className="soft">{w.run.noTests}</p>
      ) : (
        <>
          <p className="row">
            <MachineWord machine={tests.machine} />
            <span className="soft">
              {w.run.exit(tests.exit_code)}, {duration(tests.duration_ms)}
            </span>
          </p>
          {tests.problem && <p className="bad">{tests.problem}</p>}
          {tests.test_results && <CountsBar counts={tests.test_results} />}
          {tests.coverage !== undefined && (
            <p className="soft">
              {w.run.coverage} {tests.coverage.toFixed(1)} %
            </p>
          )}
          {tests.failures.length > 0 && (
            <ul className="dotted bad">
              {tests.failures.map(failure => (
                <li key={failure}>{failure}</li>
              ))}
            </ul>
          )}
          <p className="command">
            <code>{tests.command}</code>
          </p>
        </>
      )}
      <details>
        <summary>{w.run.log}</summary>
        <Log text={pack.log_tail} />
      </details>
    </section>
  );
}

function Proof({ pack: { evidence } }: { pack: MrpView }) {
  const w = useWords();
  if (!evidence) return null;
  const facts: [string, React.ReactNode][] = [
    [w.review.verdict, w.verdict(evidence.verdict)],
    [w.review.iterations, evidence.iterations],
    [w.review.author, evidence.test_author],
    [w.review.base, <code key="base">{short(evidence.base)}</code>],
    [
      w.cost.title,
      evidence.cost_usd === null ? w.cost.unknown : cost(w, evidence.cost_usd, evidence.cost_complete),
    ],
  ];
  return (
    <section className="sheet" aria-labelledby="evidence">
      <h2 id="evidence">{w.review.evidence}</h2>
      {evidence.accepted_by_person && <p className="warn">{w.review.byPerson}</p>}
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Decisions({ pack }: { pack: MrpView }) {
  const w = useWords();
  if (pack.decisions.length === 0) return null;
  return (
    <section className="section" aria-labelledby="decisions">
      <h2 id="decisions">{w.review.decisions}</h2>
      <ul className="decisions">
        {pack.decisions.map(({ crp, vcr }) => (
          <li key={vcr.vcr_id}>
            <Link href={`/run/${pack.run_id}/crp/${vcr.crp_id}`}>{crp?.question ?? vcr.crp_id}</Link>
            <p>
              <strong>
                {crp?.options.find(option => option.id === vcr.decision)?.label ?? vcr.decision}
              </strong>{' '}
              <span className="soft">{vcr.rationale}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Deciding {
  id: string;
  pack: MrpView;
  draft: typeof EMPTY;
  write: (draft: typeof EMPTY) => void;
  discard: () => void;
}

function Decide({ id, pack, draft, write, discard }: Deciding) {
  const w = useWords();
  const [, go] = useLocation();
  const [how, setHow] = useState<(typeof HOWS)[number]>('merge');
  const [sure, setSure] = useState(false);
  const [missing, setMissing] = useState(false);
  const done = () => {
    discard();
    go(`/run/${id}`);
  };
  const approve = useWish((body: ApproveBody) => api.approve(id, body), w.review.approved, done);
  const reject = useWish((body: RejectBody) => api.reject(id, body), w.review.sent, done);
  const busy = approve.isPending || reject.isPending;
  const send = (event: FormEvent) => {
    event.preventDefault();
    const lacks = draft.feedback.trim() === '' && draft.comments.length === 0;
    setMissing(lacks);
    if (lacks) document.getElementById('feedback')?.focus();
    else if (!busy)
      reject.mutate({ tree: pack.tree, feedback: draft.feedback.trim(), comments: [...draft.comments] });
  };
  return (
    <section className="section sheet decide" aria-labelledby="decide">
      <h2 id="decide">{w.question.options}</h2>
      <form className="stack" onSubmit={send} onKeyDown={sendsForm} noValidate>
        <Field
          id="feedback"
          label={w.review.feedback}
          about={missing ? <span className="bad">{w.review.needFeedback}</span> : w.review.feedbackHint}
        >
          <textarea
            id="feedback"
            rows={3}
            maxLength={50_000}
            value={draft.feedback}
            aria-invalid={missing}
            aria-describedby="feedback-about"
            onChange={event => write({ ...draft, feedback: event.target.value })}
          />
        </Field>
        {draft.comments.length > 0 && (
          <ul className="dotted">
            {draft.comments.map(comment => (
              <li key={`${comment.file}:${comment.line}`}>
                <code>
                  {comment.file}:{comment.line}
                </code>{' '}
                {comment.comment}
              </li>
            ))}
          </ul>
        )}
        {(approve.error ?? reject.error) && <Trouble error={approve.error ?? reject.error} />}
        <div className="decide-row">
          <button type="submit" disabled={busy}>
            {w.review.reject}
            {draft.comments.length > 0 && (
              <span className="soft">{w.review.comments(draft.comments.length)}</span>
            )}
          </button>
          <span className="row">
            <label className="row">
              <span className="soft">{w.review.how}</span>
              <select value={how} onChange={event => setHow(event.target.value as (typeof HOWS)[number])}>
                {HOWS.map(one => (
                  <option key={one} value={one}>
                    {w.review.hows[one]}
                  </option>
                ))}
              </select>
            </label>
            <button type="button" className="main" disabled={busy} onClick={() => setSure(true)}>
              {w.review.approve}
            </button>
          </span>
        </div>
        <p className="soft">{w.review.binds(short(pack.tree))}</p>
      </form>
      {sure && (
        <Ask
          title={w.review.sure}
          yes={w.review.approve}
          then={() => approve.mutate({ tree: pack.tree, how })}
          close={() => setSure(false)}
        >
          <p>
            {w.review.binds(short(pack.tree))} {w.review.how}: {w.review.hows[how]}.
          </p>
          {draft.comments.length > 0 && <p className="warn">{w.review.unsent(draft.comments.length)}</p>}
        </Ask>
      )}
    </section>
  );
}
