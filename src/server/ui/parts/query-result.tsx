/** Shows the result of a query, or a placeholder until it has loaded. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState, Skeleton } from './placeholders.tsx';

/** Old data stays visible during a refetch. */
export function QueryResult<T>({
  of,
  rows,
  children,
}: {
  of: UseQueryResult<T>;
  rows?: number;
  children: (value: T) => ReactNode;
}) {
  if (of.data !== undefined) return children(of.data);
  if (of.isError) return <ErrorState error={of.error} again={() => void of.refetch()} />;
  return <Skeleton {...(rows === undefined ? {} : { rows })} />;
}

/** A page that shows the result of a query. If the query failed, the title is shown as the heading. */
export function QueryPage<T>({ title, ...loaded }: { title: string } & Parameters<typeof QueryResult<T>>[0]) {
  return (
    <>
      {loaded.of.isError && loaded.of.data === undefined && <h1 className="unseen">{title}</h1>}
      <QueryResult {...loaded} />
    </>
  );
}
