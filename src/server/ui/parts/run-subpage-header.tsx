/** The top of a page about part of a run: a link back to the run, and who else has it open. Subscribes to the run. */
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
