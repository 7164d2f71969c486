/**
 * Follows the runs that connected clients need. Without clients, nothing is watched. With clients, every event of
 * every run is reported once and in order: the index finds changed runs, and each is followed from its last reported
 * event, so that a run that starts and ends between two refreshes is not missed.
 */
import { type ProjectFiles, runFiles } from '../../formats/layout.ts';
import type { RunState } from '../../formats/state.ts';
import type { RunRow } from '../http-protocol.ts';
import type { LogStep } from './event-log-tail.ts';
import { type Follower, followRun } from './follow-run.ts';
import { isWorking } from './read-run-row.ts';
import type { ChangedRuns, RunIndex } from './run-index.ts';

const REFRESH_MS = 1000;
/** A run is followed for this long after it becomes idle, because its last usage is often recorded after its end. */
const LINGER_MS = 15_000;

export interface Listener {
  events(runId: string, steps: readonly LogStep[]): void;
  printed(runId: string): void;
  broken(runId: string, error: Error): void;
  rows(rows: readonly RunRow[]): void;
}

interface Followed {
  readonly follower: Follower;
  idleSince: number;
}

export interface RunFollowers {
  /** Changes the number of connected clients: by 1 for each that connects, by -1 for each that disconnects. */
  countClients(by: number): void;
  /** Follows a run until `release`. Resolves with its state once the log has been read. */
  acquire(runId: string): Promise<RunState | null>;
  release(runId: string): void;
  stateOf(runId: string): RunState | null;
  close(): Promise<void>;
}

export function runFollowers(project: ProjectFiles, index: RunIndex, listener: Listener): RunFollowers {
  const followed = new Map<string, Followed>();
  const holders = new Map<string, number>();
  /** Sequence number of the last reported event, by run. */
  const reported = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  const follow = (id: string): Followed => {
    const existing = followed.get(id);
    if (existing) return existing;
    const follower = followRun(runFiles(project.run(id)), reported.get(id) ?? index.get(id)?.seq ?? 0, {
      events: steps => {
        reported.set(id, Math.max(reported.get(id) ?? 0, steps.at(-1)?.seq ?? 0));
        listener.events(id, steps);
      },
      printed: () => listener.printed(id),
      broken: error => listener.broken(id, error),
    });
    const created = { follower, idleSince: performance.now() };
    followed.set(id, created);
    return created;
  };

  const unfollow = async (id: string): Promise<void> => {
    const existing = followed.get(id);
    followed.delete(id);
    await existing?.follower.close();
  };

  const changed = (changes: readonly ChangedRuns[]) => {
    if (!timer) return;
    for (const { row, before } of changes) {
      if (!reported.has(row.run_id)) reported.set(row.run_id, before ?? index.get(row.run_id)?.seq ?? 0);
      if (before !== null || isWorking(row.phase)) {
        const existing = follow(row.run_id);
        existing.idleSince = performance.now();
        void existing.follower.readLog();
      }
    }
    listener.rows(changes.map(({ row }) => row));
  };
  const unsubscribe = index.subscribe(changed);

  const refresh = async (): Promise<void> => {
    await index.refresh().catch(() => {});
    for (const { row } of index.all())
      if (isWorking(row.phase) && timer) follow(row.run_id).idleSince = performance.now();
    for (const [id, { idleSince }] of followed)
      if (!holders.has(id) && performance.now() - idleSince > LINGER_MS) await unfollow(id);
  };

  const start = async (): Promise<void> => {
    // Earlier events are not reported: pages fetch them when they open.
    reported.clear();
    await index.refresh().catch(() => {});
    for (const listed of index.all()) reported.set(listed.row.run_id, listed.seq);
  };

  let ready: Promise<void> = Promise.resolve();
  let clients = 0;
  const stop = async (): Promise<void> => {
    if (timer) clearInterval(timer);
    timer = null;
    await Promise.all([...followed.keys()].map(unfollow));
  };

  return {
    countClients(by) {
      clients += by;
      if (clients > 0 && !timer && !closed) {
        timer = setInterval(() => void refresh(), REFRESH_MS);
        ready = start();
        void ready.then(refresh);
      }
      if (clients === 0 && timer) void stop();
    },
    async acquire(id) {
      await ready;
      holders.set(id, (holders.get(id) ?? 0) + 1);
      const { follower } = follow(id);
      await follower.readLog();
      return follower.state;
    },
    release(id) {
      const left = (holders.get(id) ?? 0) - 1;
      if (left > 0) holders.set(id, left);
      else holders.delete(id);
      const existing = followed.get(id);
      if (existing) existing.idleSince = performance.now();
    },
    stateOf: id => followed.get(id)?.follower.state ?? null,
    async close() {
      closed = true;
      unsubscribe();
      await stop();
    },
  };
}
