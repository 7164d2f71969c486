/** `/history`: all runs. Search, phase, sort order and page are in the URL; the server applies them. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { RunsPage, RunsQuery } from '../../http-protocol.ts';
import { api } from '../connection/api-client.ts';
import { ago, formatDuration, formatTime } from '../format.ts';
import { useNow } from '../hooks/use-now.ts';
import { listKeys, useKeys } from '../keyboard-shortcuts.ts';
import { Field } from '../parts/form-fields.tsx';
import { Phase } from '../parts/phase-label.tsx';
import { EmptyState } from '../parts/placeholders.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { costOf } from '../parts/run-list.tsx';
import { TableHead } from '../parts/table-head.tsx';
import { useWords } from '../preferences.ts';
import { useTitle } from '../tab-title.ts';

const LIMIT = 25;
const SORTS: readonly NonNullable<RunsQuery['sort']>[] = ['newest', 'oldest', 'updated', 'cost', 'title'];
/** Milliseconds between the last keystroke and the request. */
const PAUSE = 200;

export default function History() {
  const w = useWords();
  useTitle(w.places.history);
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const phase = params.get('phase') ?? '';
  const sort = SORTS.find(one => one === params.get('sort')) ?? 'newest';
  const page = Math.max(1, Number.parseInt(params.get('page') ?? '1', 10) || 1);
  const query: RunsQuery = { search, phase, sort, page, limit: LIMIT };
  const runs = useQuery({
    queryKey: ['runs', query],
    queryFn: () => api.runs(query),
    placeholderData: keepPreviousData,
  });
  const field = useRef<HTMLInputElement>(null);
  const set = (change: Record<string, string>) =>
    setParams(
      now => {
        const next = new URLSearchParams(now);
        for (const [key, value] of Object.entries({ page: '', ...change }))
          if (value) next.set(key, value);
          else next.delete(key);
        return next;
      },
      { replace: true },
    );
  const pages = Math.max(1, Math.ceil((runs.data?.total ?? 0) / LIMIT));
  useKeys(useMemo(() => ({ '/': () => field.current?.focus(), ...listKeys('.history-title') }), []));
  return (
    <>
      <div className="head">
        <div>
          <h1>{w.places.history}</h1>
          <p className="about" role="status">
            {runs.data ? w.history.total(runs.data.total) : '\u00a0'}
          </p>
        </div>
      </div>
      <search className="filters">
        <Search ref={field} value={search} set={value => set({ search: value })} />
        <Field id="phase" label={w.history.phase}>
          <select id="phase" value={phase} onChange={event => set({ phase: event.target.value })}>
            <option value="">{w.history.any}</option>
            {Object.entries(runs.data?.phases ?? (phase ? { [phase]: 0 } : {})).map(([one, count]) => (
              <option key={one} value={one}>
                {w.phase(one)} ({count})
              </option>
            ))}
          </select>
        </Field>
        <Field id="sort" label={w.history.sort}>
          <select id="sort" value={sort} onChange={event => set({ sort: event.target.value })}>
            {SORTS.map(one => (
              <option key={one} value={one}>
                {w.history.sorts[one]}
              </option>
            ))}
          </select>
        </Field>
      </search>
      <QueryResult of={runs} rows={8}>
        {found =>
          found.runs.length === 0 ? (
            <EmptyState title={w.history.none}>
              <p>{w.history.noneHint}</p>
              <button type="button" className="button" onClick={() => setParams({})}>
                {w.history.clear}
              </button>
            </EmptyState>
          ) : (
            <Rows found={found} stale={runs.isPlaceholderData} />
          )
        }
      </QueryResult>
      {pages > 1 && (
        <nav className="row pager" aria-label={w.history.page(page, pages)}>
          <button type="button" disabled={page <= 1} onClick={() => set({ page: String(page - 1) })}>
            {w.history.previous}
          </button>
          <span>{w.history.page(page, pages)}</span>
          <button type="button" disabled={page >= pages} onClick={() => set({ page: String(page + 1) })}>
            {w.history.next}
          </button>
        </nav>
      )}
    </>
  );
}

function Search({
  ref,
  value,
  set,
}: {
  ref: React.RefObject<HTMLInputElement | null>;
  value: string;
  set: (value: string) => void;
}) {
  const w = useWords();
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const write = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => set(next), PAUSE);
  };
  return (
    <Field id="search" label={w.history.search}>
      <input
        id="search"
        ref={ref}
        type="search"
        maxLength={200}
        placeholder={w.history.searchHint}
        value={text}
        onChange={event => write(event.target.value)}
      />
    </Field>
  );
}

function Rows({ found, stale }: { found: RunsPage; stale: boolean }) {
  const w = useWords();
  const now = useNow(30_000);
  return (
    <table className="history" aria-busy={stale}>
      <TableHead
        of={[
          { name: w.history.run },
          { name: w.history.phase },
          { name: w.history.started, className: 'wide' },
          { name: w.history.took, className: 'number wide' },
          { name: w.review.iterations, className: 'number wide' },
          { name: w.cost.title, className: 'number' },
        ]}
      />
      <tbody>
        {found.runs.map(run => (
          <tr key={run.run_id}>
            <td>
              <Link href={`/run/${run.run_id}`} className="history-title">
                {run.title || run.run_id}
              </Link>
              <span className="soft mono history-id">{run.run_id}</span>
              {run.problem && <span className="bad">{run.problem}</span>}
            </td>
            <td>
              <Phase phase={run.phase} />
            </td>
            <td className="wide" title={formatTime(run.started_at)}>
              {ago(w, run.started_at, now)}
            </td>
            <td className="number wide">
              {formatDuration(w, Date.parse(run.updated_at) - Date.parse(run.started_at))}
            </td>
            <td className="number wide">{run.iteration}</td>
            <td className="number">{costOf(w, run)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
