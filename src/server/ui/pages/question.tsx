/** `/run/:id/crp/:crp`: one question, its options, and the answer. */

import { useQuery } from '@tanstack/react-query';
import { OTHER } from '../../../core/policy/questions/allowed-answers.ts';
import type { CrpView } from '../../question-and-action-protocol.ts';
import { formatTime } from '../format.ts';
import { useAnswerDraft } from '../hooks/use-answer.ts';
import { useUnlessSending } from '../hooks/use-run-request.ts';
import { AnswerForm } from '../parts/decision/answer-form.tsx';
import { LastDecision } from '../parts/decision/last-decision.tsx';
import { RefusedDecisions } from '../parts/decision/refused-decisions.tsx';
import { UnsentText } from '../parts/decision/unsent-text.tsx';
import { LastOutput } from '../parts/last-output.tsx';
import { Prose } from '../parts/lazy-markdown.tsx';
import { QueryPage } from '../parts/query-result.tsx';
import { RunPageHead } from '../parts/run-subpage-header.tsx';
import { useWords } from '../preferences.ts';
import { questionQuery } from '../queries.ts';
import { useTitle } from '../tab-title.ts';

export default function Question({ id, crp }: { id: string; crp: string }) {
  const w = useWords();
  useTitle(w.question.title);
  const question = useQuery({ ...questionQuery(id, crp), enabled: useUnlessSending(id) });
  return (
    <>
      <RunPageHead id={id} />
      <QueryPage title={w.question.title} of={question}>
        {view => <Shown id={id} view={view} />}
      </QueryPage>
    </>
  );
}

function Shown({ id, view: asked }: { id: string; view: CrpView }) {
  const w = useWords();
  const view = { ...asked, crp: w.question.shown(asked.crp) };
  const { crp, vcr, open } = view;
  return (
    <article className="narrow">
      <p className="about over-title">
        <span>{w.question.of(w.role(crp.created_by))}</span>
        <span>{w.why(crp.type)}</span>
        <span className="mono">{crp.crp_id}</span>
        {crp.created_at && <span>{formatTime(crp.created_at)}</span>}
      </p>
      <h1 className="question">{crp.question}</h1>
      {open && <RefusedDecisions id={id} />}
      {crp.context && (
        <section className="section" aria-labelledby="context">
          <h2 id="context">{w.question.context}</h2>
          <Prose text={crp.context} />
        </section>
      )}
      {open && crp.created_by === 'dure' && <LastOutput id={id} />}
      {open ? <AnswerForm id={id} crp={crp} /> : <Answered view={view} />}
      {vcr === null && !open && (
        <div className="section note caution">
          <p>{w.question.closed}</p>
          <LastDecision id={id} />
        </div>
      )}
      {!open && <UnsentAnswer id={id} crp={crp} />}
    </article>
  );
}

function Answered({ view: { crp, vcr } }: { view: CrpView }) {
  const w = useWords();
  if (!vcr) return null;
  const chosen = crp.options.find(option => option.id === vcr.decision);
  return (
    <section className="section sheet stack" aria-labelledby="answer">
      <h2 id="answer">{w.question.answered}</h2>
      <p>
        <strong>{chosen?.label ?? (vcr.decision === OTHER ? w.question.other : vcr.decision)}</strong>
      </p>
      {vcr.amount_usd !== undefined && <p>${vcr.amount_usd}</p>}
      {vcr.rationale && <p className="as-is">{vcr.rationale}</p>}
      {vcr.additional_notes && <p className="as-is soft">{vcr.additional_notes}</p>}
      <p className="soft">
        {vcr.vcr_id}, {formatTime(vcr.created_at)}
        {vcr.by && `, ${w.decidedBy(vcr.by)}`}
        {vcr.applies_to_future && `. ${w.question.future}`}
      </p>
    </section>
  );
}

function UnsentAnswer({ id, crp }: { id: string; crp: CrpView['crp'] }) {
  const w = useWords();
  const [draft, , discard] = useAnswerDraft(id, crp);
  const { rationale, notes } = draft;
  if (rationale.trim() === '' && notes.trim() === '') return null;
  const chosen = crp.options.find(option => option.id === draft.decision)?.label;
  const text = [chosen, draft.amount, rationale, notes].filter(Boolean).join('\n\n');
  return <UnsentText title={w.question.unsentTitle} text={text} discard={discard} />;
}
