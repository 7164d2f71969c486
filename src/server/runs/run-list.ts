/** Builds the list of runs and the overview from all runs. Pure functions. */
import type { z } from 'zod';
import { isOver } from '../../core/policy/state/phase.ts';
import { newestFirst } from '../../core/run/run-store.ts';
import type { OverviewView, RunsPage, runsQuery } from '../protocol.ts';
import { isWorking, type RunRowSource } from './run-row.ts';

const OVERVIEW_ROWS = 12;
const MAX_CARDS = 50;
const DAYS = 30;

type Order = (a: RunRowSource, b: RunRowSource) => number;
const newestRunFirst: Order = ({ row: a }, { row: b }) => newestFirst(a.run_id, b.run_id);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
export const ORDER = {
  newest: newestRunFirst,
  oldest: (a, b) => newestRunFirst(b, a),
  updated: (a, b) => compare(b.row.updated_at, a.row.updated_at) || newestRunFirst(a, b),
  cost: (a, b) => b.row.cost_usd - a.row.cost_usd || newestRunFirst(a, b),
  title: (a, b) => compare(a.row.title.toLowerCase(), b.row.title.toLowerCase()) || newestRunFirst(a, b),
} satisfies Record<string, Order>;

/** `list`: all runs, in the order that the query asks for. */
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

export type RunsOverview = Pick<OverviewView, 'waiting' | 'active' | 'recent' | 'runs' | 'cost'>;

/**
 * Both lists contain all runs, newest first: `newest` by run id, `updated` by last change. `now` (in milliseconds) is
 * the end of the period that the daily costs cover.
 */
export function overviewOf(
  newest: readonly RunRowSource[],
  updated: readonly RunRowSource[],
  now: number,
): RunsOverview {
  const rows = newest.map(({ row }) => row);
  const waiting = updated
    .map(({ row }) => row)
    .filter(row => row.wants !== null)
    .reverse();
  const active = rows.filter(
    row => row.wants === null && (isWorking(row.phase) || row.phase === 'interrupted'),
  );
  return {
    waiting: waiting.slice(0, MAX_CARDS),
    active: active.slice(0, MAX_CARDS),
    recent: rows.filter(isOver).slice(0, OVERVIEW_ROWS),
    runs: rows.length,
    cost: costOf(newest, now),
  };
}

function costOf(runs: readonly RunRowSource[], now: number): OverviewView['cost'] {
  const since = new Date(now - DAYS * 86_400_000).toISOString().slice(0, 10);
  const byRole: Record<string, number> = {};
  const byDay: Record<string, number> = {};
  let usd = 0;
  for (const { row, costByRole } of runs) {
    usd += row.cost_usd;
    for (const [role, cost] of Object.entries(costByRole)) byRole[role] = (byRole[role] ?? 0) + cost;
    const day = row.started_at.slice(0, 10);
    if (day >= since) byDay[day] = (byDay[day] ?? 0) + row.cost_usd;
  }
  const days = Object.entries(byDay).sort(([a], [b]) => compare(a, b));
  return {
    usd,
    complete: runs.every(({ row }) => row.cost_complete),
    by_role: byRole,
    by_day: days.map(([day, cost]) => ({ day, usd: cost })),
  };
}
