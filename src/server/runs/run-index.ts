/**
 * An in-memory index of all runs. Detects changes by the modification times of run folders, which change whenever
 * state.json is replaced. Each refresh checks the runs that may still change and a batch of the others, so that its
 * cost does not grow with the number of runs.
 */

import { readdirSync, statSync } from 'node:fs';
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import type { z } from 'zod';
import type { ProjectFiles } from '../../formats/layout.ts';
import { runId } from '../../formats/schema/common-fields.ts';
import type { RunRow, RunsPage, runsQuery } from '../http-protocol.ts';
import { singleFlight } from '../single-flight.ts';
import { ORDER, pageOf } from './filter-sort-and-page-runs.ts';
import { isWorking, type RunRowSource, readRunRow, refreshRunRow } from './read-run-row.ts';
import { overviewOf, type RunsOverview } from './runs-overview.ts';

/** A refresh within this time (ms) of the last one does nothing. */
const FRESH_MS = 150;
/** File times are coarse: a folder may change again within this time (ms) without a new timestamp. */
const COARSE_MS = 1500;
const RECENT_MS = 600_000;
const MAX_RECENT = 500;
const BATCH_SIZE = 200;

interface Entry {
  readonly listed: RunRowSource | null;
  readonly mtime: number;
  readonly readAt: number;
}

export interface ChangedRuns {
  readonly row: RunRow;
  readonly seq: number;
  /** `seq` at the previous refresh; 0 for a new run, null at the first refresh. */
  readonly before: number | null;
}

export interface RunIndex {
  /** Rereads changed runs and reports them to the listeners. */
  refresh(): Promise<void>;
  /** Returns a function that removes the listener. */
  subscribe(listener: (changed: readonly ChangedRuns[]) => void): () => void;
  get(id: string): RunRowSource | undefined;
  all(): RunRowSource[];
  page(query: z.output<typeof runsQuery>): RunsPage;
  overview(): RunsOverview;
}

export function runIndex(project: ProjectFiles): RunIndex {
  const entries = new Map<string, Entry>();
  let foldersAt = 0;
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let first = true;
  let queue: string[] = [];
  const listeners = new Set<(changed: readonly ChangedRuns[]) => void>();
  const sorted = new Map<string, RunRowSource[]>();

  const check = (id: string): ChangedRuns | null => {
    const before = entries.get(id);
    const dir = project.run(id);
    let mtime: number;
    try {
      mtime = statSync(dir).mtimeMs;
    } catch {
      entries.delete(id);
      sorted.clear();
      return null;
    }
    const known = before?.listed;
    if (before && known && mtime === before.mtime && before.readAt - mtime > COARSE_MS) {
      const again = refreshRunRow(known);
      if (again === known) return null;
      entries.set(id, { ...before, listed: again });
      sorted.clear();
      return { row: again.row, seq: again.seq, before: known.seq };
    }
    const listed = readRunRow(id, dir);
    entries.set(id, { listed, mtime, readAt: Date.now() });
    if (!listed || (known && JSON.stringify(known) === JSON.stringify(listed))) return null;
    sorted.clear();
    return { row: listed.row, seq: listed.seq, before: first ? null : (known?.seq ?? 0) };
  };

  const refresh = singleFlight(async (): Promise<void> => {
    const changed: ChangedRuns[] = [];
    const ids = new Set([...newFolders(), ...recentlyChanged(), ...nextBatch()]);
    let n = 0;
    for (const id of ids) {
      const found = check(id);
      if (found) changed.push(found);
      n += 1;
      if (n % 50 === 0) await yieldToLoop();
    }
    first = false;
    refreshedAt = performance.now();
    if (changed.length > 0) for (const listener of listeners) listener(changed);
  });

  const newFolders = (): string[] => {
    const mtime = statSync(project.runs, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (mtime === foldersAt && Date.now() - mtime > COARSE_MS) return [];
    foldersAt = mtime;
    const names = new Set(
      mtime === 0 ? [] : readdirSync(project.runs).filter(name => runId.safeParse(name).success),
    );
    const gone = [...entries.keys()].filter(id => !names.has(id));
    for (const id of gone) entries.delete(id);
    if (gone.length > 0) sorted.clear();
    return [...names].filter(id => !entries.has(id));
  };

  const recentlyChanged = (): string[] => {
    const now = Date.now();
    return [...entries]
      .filter(([, { listed, mtime }]) => !listed || isWorking(listed.recorded) || now - mtime < RECENT_MS)
      .sort(([, a], [, b]) => b.mtime - a.mtime)
      .slice(0, MAX_RECENT)
      .map(([id]) => id);
  };

  const nextBatch = (): string[] => {
    if (queue.length === 0) queue = [...entries.keys()];
    return queue.splice(-BATCH_SIZE);
  };

  const all = (): RunRowSource[] => [...entries.values()].flatMap(entry => entry.listed ?? []);

  const sortedBy = (sort: keyof typeof ORDER): RunRowSource[] => {
    const known = sorted.get(sort);
    if (known) return known;
    const list = all().sort(ORDER[sort]);
    sorted.set(sort, list);
    return list;
  };

  return {
    all,
    get: id => entries.get(id)?.listed ?? undefined,
    async refresh() {
      if (performance.now() - refreshedAt >= FRESH_MS) await refresh();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    page: ({ sort, ...query }) => pageOf(sortedBy(sort), query),
    overview: () => overviewOf(sortedBy('newest'), sortedBy('updated'), Date.now()),
  };
}
