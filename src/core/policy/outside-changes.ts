/** What changed in the person's own files while an agent was at work. Pure. Dure did not do it; who did, nobody can tell. */
import type { RunEvent } from '../../formats/events.ts';

/** Name of a file or of git's -> what tells it from another state. */
type Around = Readonly<Record<string, string>>;

export interface OutsideState {
  readonly launch: number;
  /** Null when no look was taken. */
  readonly around: Around | null;
}

export interface OutsideChange {
  readonly launch: number;
  readonly step: string;
  readonly paths: readonly string[];
}

/**
 * `looks` are in the order of their launches, the last one being of now. A look that was not taken is null, and nothing
 * is said of the time on either side of it.
 */
export function outsideChanges(events: readonly RunEvent[], looks: readonly OutsideState[]): OutsideChange[] {
  return looks.slice(0, -1).flatMap(({ launch, around }, i) => {
    const after = looks[i + 1]!.around;
    const paths = around && after ? changedAround(around, after) : [];
    const started = events.find(e => e.type === 'agent.started' && e.launch === launch);
    return started?.type === 'agent.started' && paths.length > 0
      ? [{ launch, step: started.step, paths }]
      : [];
  });
}

/** Names that came, went or changed, sorted. */
const changedAround = (before: Around, after: Around): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter(name => before[name] !== after[name])
    .sort();
