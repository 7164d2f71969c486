/**
 * Decides which runs `dure clean` removes and why it keeps the others. A dry run uses the same plan. Without `force`,
 * everything that may still be needed is kept. A run that is still active is never removed. If a run's files
 * are gone, what is left of it is removed only if the user names it.
 */
import { isOver } from '../policy/state/phase.ts';

/** What is known about a run's folder. */
export interface CleanCandidate {
  readonly run_id: string;
  /** Null if its log is damaged. */
  readonly phase: string | null;
  /** Time of the last change; null if unknown. */
  readonly updated_at: string | null;
  /** Whether the folder exists and contains a run whose state or log has the same id as the folder's name. */
  readonly isRun: boolean;
  /** If it is not a run: an entry in its folder that Dure does not write and that may be the user's; null if none. */
  readonly unexpected: string | null;
  /** Whether its driver or one of its agents is alive. */
  readonly isActive: boolean;
  /** Whether this is a completed run whose result exists only on its own branch. */
  readonly isUnmerged: boolean;
  /** Whether it was imported from Orchestral. If so, it is removed only if the user names it. */
  readonly isImported: boolean;
}

export interface CleanOptions {
  readonly states: readonly string[];
  /** Minimum time in milliseconds since the last change; null for any age. */
  readonly olderThan: number | null;
  readonly now: number;
  readonly force: boolean;
  /** The only run to remove, as named by the user; null for all runs. */
  readonly run: string | null;
}

export type KeptReason =
  | { readonly is: 'unmarked' | 'at-work' | 'unreadable' | 'too-young' | 'brought-over' | 'unmerged' }
  | { readonly is: 'unexpected'; readonly name: string }
  | { readonly is: 'not-asked-for' | 'not-over'; readonly phase: string };

export interface CleanPlan {
  readonly remove: readonly CleanCandidate[];
  readonly keep: readonly { readonly run: CleanCandidate; readonly why: KeptReason }[];
}

export function planClean(runs: readonly CleanCandidate[], request: CleanOptions): CleanPlan {
  const judged = runs
    .filter(run => request.run === null || run.run_id === request.run)
    .map(run => ({ run, why: reasonToKeep(run, request) }));
  return {
    remove: judged.flatMap(({ run, why }) => (why === null ? [run] : [])),
    keep: judged.flatMap(({ run, why }) => (why === null ? [] : [{ run, why }])),
  };
}

/** Null if the run may be removed. Checks the most important reason first. */
function reasonToKeep(
  run: CleanCandidate,
  { states, olderThan, now, force, run: named }: CleanOptions,
): KeptReason | null {
  const { phase } = run;
  if (run.isActive) return { is: 'at-work' };
  if (!run.isRun) return force && named !== null ? reasonToKeepRest(run) : { is: 'unmarked' };
  if (phase === null) return force ? null : { is: 'unreadable' };
  if (named === null && !states.includes(phase)) return { is: 'not-asked-for', phase };
  if (olderThan !== null && !isOlder(run, olderThan, now)) return { is: 'too-young' };
  if (run.isImported && named === null) return { is: 'brought-over' };
  if (force) return null;
  if (run.isUnmerged) return { is: 'unmerged' };
  return isOver({ phase }) ? null : { is: 'not-over', phase };
}

const reasonToKeepRest = ({ unexpected }: CleanCandidate): KeptReason | null =>
  unexpected === null ? null : { is: 'unexpected', name: unexpected };

const isOlder = ({ updated_at }: CleanCandidate, olderThan: number, now: number): boolean =>
  updated_at !== null && now - Date.parse(updated_at) >= olderThan;
