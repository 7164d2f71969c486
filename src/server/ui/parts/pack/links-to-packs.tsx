/** Links to the packs of a run: those for which changes were requested, and the current one. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../connection/api-client.ts';
import { useWords } from '../../preferences.ts';

/** `shown` is the number of the pack on this page; null if there is none. */
export function PackLinks({ id, shown }: { id: string; shown: number | null }) {
  const w = useWords();
  const { data: run } = useQuery({ queryKey: ['run', id], queryFn: () => api.run(id) });
  if (!run?.feedbacks) return null;
  const isThereAnother = run.mrp && run.todo?.kind !== 'iterate';
  const earlier = Array.from({ length: run.feedbacks }, (_, index) => index + 1);
  const pages = [
    ...earlier.map(number => ({ number, page: `/run/${id}/packs/${number}` })),
    ...(isThereAnother ? [{ number: run.feedbacks + 1, page: `/run/${id}/mrp` }] : []),
  ];
  return (
    <nav className="row packs" aria-label={w.review.packs}>
      {pages.map(({ number, page }) => (
        <Link key={number} href={page} aria-current={number === shown ? 'page' : undefined}>
          {w.review.pack(number)}
        </Link>
      ))}
    </nav>
  );
}
