/**
 * Which of the person's own files changed while an agent was running. Pure. Dure did not change them, but cannot tell
 * who did.
 */
import type { RunEvent } from '../../formats/events.ts';

/** A path, or the name of something in the git directory -> a fingerprint of its state. */
type Around = Readonly<Record<string, string>>;

export interface OutsideState {
  readonly launch: number;
  /** Null if no snapshot was taken. */
  readonly around: Around | null;
}

export interface OutsideChange {
  readonly launch: number;
  readonly step: string;
  readonly paths: readonly string[];
}

/**
 * `looks` are in the order of their launches; the last one is the current state. Nothing is reported for the time
 * before and after a missing snapshot.
 */
export function outsideChanges(events: readonly RunEvent[], looks: readonly OutsideState[]): OutsideChange[] {
  return looks.slice(0, -1).flatMap(({ launch, around }, i) => {
    const after = looks[i + 1]!.around;
    const paths = around && after ? changedNames(around, after) : [];
    const started = events.find(e => e.type === 'agent.started' && e.launch === launch);
    return started?.type === 'agent.started' && paths.length > 0
      ? [{ launch, step: started.step, paths }]
      : [];
  });
}

/** Names that were added, removed or changed, sorted. */
export const changedNames = (before: Around, after: Around): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter(name => before[name] !== after[name])
    .sort();
