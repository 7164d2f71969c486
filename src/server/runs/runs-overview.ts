/** Builds the overview: the runs to show first, and the costs of each day. */

import { isOver } from '../../core/policy/state/phase.ts';
import { sumUsd } from '../../core/usage-tracker.ts';
import type { OverviewView } from '../http-protocol.ts';
import { compareText } from './filter-sort-and-page-runs.ts';
import { isWorking, type RunRowSource } from './read-run-row.ts';

const OVERVIEW_ROWS = 12;

const MAX_CARDS = 50;

const DAYS = 30;

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
    usd = sumUsd(usd, row.cost_usd);
    for (const [role, cost] of Object.entries(costByRole)) byRole[role] = sumUsd(byRole[role] ?? 0, cost);
    const day = row.started_at.slice(0, 10);
    if (day >= since) byDay[day] = sumUsd(byDay[day] ?? 0, row.cost_usd);
  }
  const days = Object.entries(byDay).sort(([a], [b]) => compareText(a, b));
  return {
    usd,
    complete: runs.every(({ row }) => row.cost_complete),
    by_role: byRole,
    by_day: days.map(([day, cost]) => ({ day, usd: cost })),
  };
}
