/**
 * Determines which of the user's own files changed between the start of a launch and the next one. Dure did
 * not change them, but cannot tell who did: the agent, a process that it left behind, or the user, perhaps
 * while the run was waiting.
 */
import type { RunEvent } from '../../formats/events/events.ts';

/** Maps a path, or the name of something in the git directory, to a fingerprint of its state. */
type Fingerprints = Readonly<Record<string, string>>;

export interface UserFileSnapshot {
  readonly launch: number;
  /** Null if no snapshot was taken. */
  readonly around: Fingerprints | null;
}

export interface UserFileChange {
  readonly launch: number;
  readonly step: string;
  readonly paths: readonly string[];
}

/**
 * `snapshots` is in launch order; its last entry is the current state. Intervals that begin or end with a
 * missing snapshot are not reported.
 */
export function outsideChanges(
  events: readonly RunEvent[],
  snapshots: readonly UserFileSnapshot[],
): UserFileChange[] {
  return snapshots.slice(0, -1).flatMap(({ launch, around }, i) => {
    const after = snapshots[i + 1]!.around;
    const paths = around && after ? changedNames(around, after) : [];
    const started = events.find(e => e.type === 'agent.started' && e.launch === launch);
    return started?.type === 'agent.started' && paths.length > 0
      ? [{ launch, step: started.step, paths }]
      : [];
  });
}

/** Returns the sorted names of everything that was added, removed or changed. */
export const changedNames = (before: Fingerprints, after: Fingerprints): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter(name => before[name] !== after[name])
    .sort();
