/** Placeholders for empty, loading and failed content. */
import type { UseQueryResult } from '@tanstack/react-query';
import { Component, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useWords } from '../preferences.ts';
import { Refusal } from '../refusal-error.ts';
import { InlineCode } from './inline-code.tsx';

export function Skeleton({ rows = 3 }: { rows?: number }) {
  const w = useWords();
  return (
    <div className="bones" role="status">
      <p className="unseen">{w.state.loading}</p>
      {Array.from({ length: rows }, (_, row) => (
        <span key={`row ${String(row)}`} />
      ))}
    </div>
  );
}

export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="nothing">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

export function ErrorState({ error, again }: { error: unknown; again?: () => void }) {
  const w = useWords();
  const problem = error instanceof Refusal ? error.problem : null;
  return (
    <div className="trouble" role="alert">
      <strong>{problem?.message ?? w.state.failed}</strong>
      {problem?.suggestions.map(suggestion => (
        <span key={suggestion}>
          <InlineCode text={suggestion} />
        </span>
      ))}
      {again && (
        <span className="row">
          <button type="button" className="small" onClick={again}>
            {w.state.retry}
          </button>
          {error instanceof Refusal && error.status === 404 && (
            <Link href="/" className="button small">
              {w.state.home}
            </Link>
          )}
        </span>
      )}
    </div>
  );
}

/** Renders the result of a query. Old data stays visible during a refetch. */
export function Loaded<T>({
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

/** A page that shows the result of a query. Its title is the heading if the query failed. */
export function LoadedPage<T>({ title, ...loaded }: { title: string } & Parameters<typeof Loaded<T>>[0]) {
  return (
    <>
      {loaded.of.isError && loaded.of.data === undefined && <h1 className="unseen">{title}</h1>}
      <Loaded {...loaded} />
    </>
  );
}

/** Error boundary: an error in one page does not affect the others. */
export class Guard extends Component<
  { children: ReactNode; fallen: (error: unknown) => ReactNode },
  { error: unknown }
> {
  override state: { error: unknown } = { error: null };
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override render() {
    return this.state.error === null ? this.props.children : this.props.fallen(this.state.error);
  }
}
