/**
 * Which runs are followed, and who hears of them. Nothing is watched until somebody listens. From then on every event
 * of every run is told once, in order: runs that changed are found by the index and followed from where they were
 * last seen, so that not even a run that starts and ends between two looks is missed.
 */
import { type ProjectFiles, runFiles } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import { type Follower, follow } from './follow.ts';
import { isWorking } from './listed.ts';
import type { LogStep } from './log-tail.ts';
import type { RunRow } from './protocol.ts';
import type { Changed, RunIndex } from './run-index.ts';

const PULSE_MS = 1000;
/** A run that rests is followed this long: its last usage often comes after its end. */
const LINGER_MS = 15_000;

export interface Listener {
  events(runId: string, steps: readonly LogStep[]): void;
  files(runId: string, paths: readonly string[]): void;
  printed(runId: string): void;
  broken(runId: string, error: Error): void;
  rows(rows: readonly RunRow[]): void;
}

interface Post {
  readonly follower: Follower;
  idleSince: number;
}

export interface Watchtower {
  /** Counts the listeners: `true` for each that comes, `false` for each that goes. */
  manned(by: number): void;
  /** Follows a run as long as it is held. Resolves with its state once the log was read. */
  hold(runId: string): Promise<RunState | null>;
  release(runId: string): void;
  stateOf(runId: string): RunState | null;
  close(): Promise<void>;
}

export function watchtower(project: ProjectFiles, index: RunIndex, listener: Listener): Watchtower {
  const posts = new Map<string, Post>();
  const held = new Map<string, number>();
  /** Number of the last event that was told, by run. */
  const told = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  const post = (id: string): Post => {
    const there = posts.get(id);
    if (there) return there;
    const follower = follow(runFiles(project.run(id)), told.get(id) ?? index.get(id)?.seq ?? 0, {
      events: steps => {
        told.set(id, Math.max(told.get(id) ?? 0, steps.at(-1)?.seq ?? 0));
        listener.events(id, steps);
      },
      files: paths => listener.files(id, paths),
      printed: () => listener.printed(id),
      broken: error => listener.broken(id, error),
    });
    const made = { follower, idleSince: performance.now() };
    posts.set(id, made);
    return made;
  };

  const leave = async (id: string): Promise<void> => {
    const there = posts.get(id);
    posts.delete(id);
    await there?.follower.close();
  };

  const changed = (changes: readonly Changed[]) => {
    if (!timer) return;
    for (const { row, before } of changes) {
      if (!told.has(row.run_id)) told.set(row.run_id, before ?? index.get(row.run_id)?.seq ?? 0);
      if (before !== null || isWorking(row.phase)) {
        const there = post(row.run_id);
        there.idleSince = performance.now();
        void there.follower.look();
      }
    }
    listener.rows(changes.map(({ row }) => row));
  };
  const deaf = index.listen(changed);

  const pulse = async (): Promise<void> => {
    await index.refresh().catch(() => {});
    for (const { row } of index.all())
      if (isWorking(row.phase) && timer) post(row.run_id).idleSince = performance.now();
    for (const [id, { idleSince }] of posts)
      if (!held.has(id) && performance.now() - idleSince > LINGER_MS) await leave(id);
  };

  const start = async (): Promise<void> => {
    // What happened while nobody listened is no news: pages fetch it when they open.
    told.clear();
    await index.refresh().catch(() => {});
    for (const listed of index.all()) told.set(listed.row.run_id, listed.seq);
  };

  let begun: Promise<void> = Promise.resolve();
  let listening = 0;
  const stop = async (): Promise<void> => {
    if (timer) clearInterval(timer);
    timer = null;
    await Promise.all([...posts.keys()].map(leave));
  };

  return {
    manned(by) {
      listening += by;
      if (listening > 0 && !timer && !closed) {
        timer = setInterval(() => void pulse(), PULSE_MS);
        begun = start();
        void begun.then(pulse);
      }
      if (listening === 0 && timer) void stop();
    },
    async hold(id) {
      await begun;
      held.set(id, (held.get(id) ?? 0) + 1);
      const { follower } = post(id);
      await follower.look();
      return follower.state;
    },
    release(id) {
      const left = (held.get(id) ?? 0) - 1;
      if (left > 0) held.set(id, left);
      else held.delete(id);
      const there = posts.get(id);
      if (there) there.idleSince = performance.now();
    },
    stateOf: id => posts.get(id)?.follower.state ?? null,
    async close() {
      closed = true;
      deaf();
      await stop();
    },
  };
}
