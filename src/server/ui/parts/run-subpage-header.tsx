/** The top of a question or review page: a link to the run, and who else has the run open. Subscribes to the run. */
import { Link } from 'wouter';
import { useWords } from '../preferences.ts';
import { OtherViewers } from './other-viewers.tsx';

export function RunPageHead({ id }: { id: string }) {
  const w = useWords();
  return (
    <p className="back about">
      <Link href={`/run/${id}`}>{w.question.back}</Link>
      <OtherViewers id={id} />
    </p>
  );
}
