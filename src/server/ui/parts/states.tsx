/** What a page shows when there is nothing, nothing yet, or something went wrong. */
import type { UseQueryResult } from '@tanstack/react-query';
import { Component, type ReactNode } from 'react';
import { useWords } from '../look.ts';
import { Refusal } from '../refusal.ts';
import { WithCode } from './with-code.tsx';

export function Bones({ rows = 3 }: { rows?: number }) {
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

export function Nothing({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="nothing">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

export function Trouble({ error, again }: { error: unknown; again?: () => void }) {
  const w = useWords();
  const problem = error instanceof Refusal ? error.problem : null;
  return (
    <div className="trouble" role="alert">
      <strong>{problem?.message ?? w.state.failed}</strong>
      {problem?.suggestions.map(suggestion => (
        <span key={suggestion}>
          <WithCode text={suggestion} />
        </span>
      ))}
      {again && (
        <button type="button" className="small" onClick={again}>
          {w.state.retry}
        </button>
      )}
    </div>
  );
}

/** The answer once it is there; what is known stays on the page while it is asked for again. */
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
  if (of.isError) return <Trouble error={of.error} again={() => void of.refetch()} />;
  return <Bones {...(rows === undefined ? {} : { rows })} />;
}

/** A page that throws takes no other page with it. */
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
