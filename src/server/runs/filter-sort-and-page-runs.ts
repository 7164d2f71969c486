/** Filters and sorts the list of runs and divides it into pages. Pure functions. */
import type { z } from 'zod';
import { newestFirst } from '../../core/run/run-store.ts';
import type { RunsPage, runsQuery } from '../http-protocol.ts';
import type { RunRowSource } from './read-run-row.ts';

type Order = (a: RunRowSource, b: RunRowSource) => number;
const newestRunFirst: Order = ({ row: a }, { row: b }) => newestFirst(a.run_id, b.run_id);
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
export const ORDER = {
  newest: newestRunFirst,
  oldest: (a, b) => newestRunFirst(b, a),
  updated: (a, b) => compareText(b.row.updated_at, a.row.updated_at) || newestRunFirst(a, b),
  cost: (a, b) => b.row.cost_usd - a.row.cost_usd || newestRunFirst(a, b),
  title: (a, b) => compareText(a.row.title.toLowerCase(), b.row.title.toLowerCase()) || newestRunFirst(a, b),
} satisfies Record<string, Order>;

/** `list` contains all runs, in the order that the query asks for. */
export function pageOf(
  list: readonly RunRowSource[],
  { search, phase, page, limit }: Omit<z.output<typeof runsQuery>, 'sort'>,
): RunsPage {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const phases = phase.split(',').filter(Boolean);
  const found = list.filter(
    ({ row, searchText }) =>
      (phases.length === 0 || phases.includes(row.phase)) && words.every(word => searchText.includes(word)),
  );
  const counts: Record<string, number> = {};
  for (const { row } of list) counts[row.phase] = (counts[row.phase] ?? 0) + 1;
  const runs = found.slice((page - 1) * limit, page * limit).map(({ row }) => row);
  return { runs, total: found.length, page, limit, phases: counts };
}
