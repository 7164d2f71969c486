/** Placeholders for empty, loading and failed content. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Refusal } from '../connection/refusal-error.ts';
import { useWords } from '../preferences.ts';
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
