/** The runs that this process drives, each once. One that goes wrong takes no other with it. */
import { setMaxListeners } from 'node:events';
import { driveRun } from '../app.ts';
import { isIdle } from '../core/phase.ts';
import { readState } from '../core/run-store.ts';
import type { RunEvent } from '../formats/events.ts';
import { type ProjectFiles, runFiles } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import type { Gathered } from '../plugins/host.ts';
import { endSessions } from './sessions.ts';

/** A process may lead for weeks; nobody reads of all it drove. */
const KEPT = 20;

export interface Witness {
  event(event: RunEvent, state: RunState): void;
  /** A run that cannot be driven, and why. */
  trouble(run: string, error: unknown): void;
  plugin(problem: { plugin: string; problem: string }): void;
}

export interface Drives {
  /** Drives the run unless it is driven already. */
  begin(run: string): void;
  readonly atWork: number;
  has(run: string): boolean;
  /** Whether each of them waits for a person. */
  readonly allRest: boolean;
  /** Records every run at work as interrupted. Agents go on. */
  interrupt(): Promise<void>;
  /** States in which the newest drives of this process ended. */
  readonly ended: readonly RunState[];
}

export function drives(project: ProjectFiles, plugins: () => Promise<Gathered>, witness: Witness): Drives {
  const leaving = new AbortController();
  // Each run that is driven hears it.
  setMaxListeners(0, leaving.signal);
  const atWork = new Map<string, Promise<void>>();
  const resting = new Set<string>();
  const note = (run: string, state: RunState): void => {
    if (isIdle(state)) resting.add(run);
    else resting.delete(run);
  };
  const ended: RunState[] = [];
  return {
    ended,
    get atWork() {
      return atWork.size;
    },
    has: run => atWork.has(run),
    get allRest() {
      return resting.size === atWork.size;
    },
    begin(run) {
      if (atWork.has(run) || leaving.signal.aborted) return;
      const files = runFiles(project.run(run));
      const drive = async () => {
        const state = await readState(files);
        if (state) note(run, state);
        return driveRun(project, files, await plugins(), {
          signal: leaving.signal,
          onEvent(event, now) {
            note(run, now);
            witness.event(event, now);
          },
          report: witness.plugin,
        });
      };
      const done = drive()
        .then(state => {
          ended.push(state);
          if (ended.length > KEPT) ended.shift();
        })
        .then(() => endSessions(project))
        .catch(error => witness.trouble(run, error))
        .finally(() => {
          atWork.delete(run);
          resting.delete(run);
        });
      atWork.set(run, done);
    },
    async interrupt() {
      leaving.abort();
      await Promise.all(atWork.values());
    },
  };
}
