/** The open question of a run, with a button for each option, so that no other page is needed to answer. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../../connection/api-client.ts';
import { useRequest } from '../../hooks/use-run-request.ts';
import { useWords } from '../../preferences.ts';
import { questionQuery } from '../../queries.ts';
import { SubmitButton } from '../button-needing-connection.tsx';
import { StopDialog } from '../dialog.tsx';
import { ErrorState } from '../placeholders.tsx';

/** The irreversible option in Dure's own questions. */
const FINAL = 'stop';

export function QuickAnswer({ id, crp: crpId }: { id: string; crp: string }) {
  const w = useWords();
  const { data } = useQuery(questionQuery(id, crpId));
  const [sure, setSure] = useState(false);
  const answer = useRequest(
    id,
    (decision: string) => api.answer(id, { crp_id: crpId, decision }),
    () => w.review.sent,
  );
  const page = `/run/${id}/crp/${crpId}`;
  if (!data?.open) return null;
  const crp = w.question.shown(data.crp);
  const isOwn = crp.created_by === 'dure';
  const choose = (option: string) => {
    if (isOwn && option === FINAL) setSure(true);
    else answer.mutate(option);
  };
  return (
    <div className="quick-answer">
      <p className="about">
        <span className="tag">{w.why(crp.type)}</span>
        {!isOwn && <span>{w.question.of(w.role(crp.created_by))}</span>}
      </p>
      <p className="quick-question">{crp.question}</p>
      <div className="row">
        {crp.options.map(option => (
          <SubmitButton
            key={option.id}
            className={option.id === crp.recommendation ? 'main small' : 'small'}
            title={[option.description, option.risk && `${w.question.risk}: ${option.risk}`]
              .filter(Boolean)
              .join('\n')}
            disabled={answer.isPending}
            onClick={() => choose(option.id)}
          >
            {option.label}
            {option.id === crp.recommendation && <span className="unseen"> ({w.question.recommended})</span>}
          </SubmitButton>
        ))}
        <Link href={page}>{w.question.whole}</Link>
      </div>
      {answer.isError && <ErrorState error={answer.error} />}
      {sure && <StopDialog stop={() => answer.mutate(FINAL)} close={() => setSure(false)} />}
    </div>
  );
}
