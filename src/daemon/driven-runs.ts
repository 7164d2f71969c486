/** The runs that this process drives. A failure in one does not affect the others. */
import { setMaxListeners } from 'node:events';
import { isIdle } from '../core/policy/state/phase.ts';
import { readState } from '../core/run/run-store.ts';
import type { RunEvent } from '../formats/events/events.ts';
import { type ProjectFiles, runFiles } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import type { Contributions } from '../plugins/load-contributions.ts';
import { driveRun } from './drive-run.ts';
import { endSessions } from './end-tmux-sessions.ts';

/** Maximum number of final states to keep, because a process may lead for weeks. */
const MAX_ENDED = 20;

export interface DriveObserver {
  onEvent(event: RunEvent, state: RunState): void;
  /** Called when a run cannot be driven, with the reason. */
  onError(run: string, error: unknown): void;
  onPluginProblem(problem: { plugin: string; problem: string }): void;
}

export interface DrivenRuns {
  /** Drives the run unless it is already driven. */
  begin(run: string): void;
  readonly activeCount: number;
  has(run: string): boolean;
  /** Whether all driven runs are waiting for the user. */
  readonly allIdle: boolean;
  /** Records all active runs as interrupted. Their agents keep running. */
  interrupt(): Promise<void>;
  /** Final states of the most recent runs that this process drove. */
  readonly ended: readonly RunState[];
}

export function drivenRuns(
  project: ProjectFiles,
  plugins: () => Promise<Contributions>,
  observer: DriveObserver,
): DrivenRuns {
  const stopping = new AbortController();
  // Every driven run adds a listener, so the number of listeners is not limited.
  setMaxListeners(0, stopping.signal);
  const active = new Map<string, Promise<void>>();
  const idle = new Set<string>();
  const update = (run: string, state: RunState): void => {
    if (isIdle(state)) idle.add(run);
    else idle.delete(run);
  };
  const ended: RunState[] = [];
  return {
    ended,
    get activeCount() {
      return active.size;
    },
    has: run => active.has(run),
    get allIdle() {
      return idle.size === active.size;
    },
    begin(run) {
      if (active.has(run) || stopping.signal.aborted) return;
      const files = runFiles(project.run(run));
      const drive = async () => {
        const state = await readState(files).catch(() => null);
        if (state) update(run, state);
        return driveRun(project, files, await plugins(), {
          signal: stopping.signal,
          onEvent(event, now) {
            update(run, now);
            observer.onEvent(event, now);
          },
          report: observer.onPluginProblem,
        });
      };
      const done = drive()
        .then(state => {
          ended.push(state);
          if (ended.length > MAX_ENDED) ended.shift();
        })
        .then(() => endSessions(project))
        .catch(error => observer.onError(run, error))
        .finally(() => {
          active.delete(run);
          idle.delete(run);
        });
      active.set(run, done);
    },
    async interrupt() {
      stopping.abort();
      await Promise.all(active.values());
    },
  };
}
