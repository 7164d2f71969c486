/**
 * Which runs `dure clean` removes, and why the others stay. Pure, and the one plan that a dry run and a real one share.
 * Without `force` nothing is removed that somebody may still want; what is at work is never removed.
 */
import { isOver } from '../policy/phase.ts';
export const CLEANABLE = [
  'completed',
  'failed',
  'stopped',
  'interrupted',
  'waiting_human',
  'ready_for_merge',
] as const;
export type Cleanable = (typeof CLEANABLE)[number];

/** What is known of a run's folder. */
export interface KeptRun {
  readonly run_id: string;
  /** Null when its state cannot be read. */
  readonly phase: string | null;
  /** When it last changed; null when that is not known. */
  readonly updated_at: string | null;
  /** Dure's own mark: a state or a log that names this very run. */
  readonly marked: boolean;
  /** A driver or an agent of it is alive. */
  readonly atWork: boolean;
  /** A completed run whose result is only on its own branch. */
  readonly unmerged: boolean;
  /** It came from the predecessor, and so is there only once. */
  readonly brought: boolean;
}

export interface CleanOptions {
  readonly states: readonly string[];
  /** Milliseconds since the last change. */
  readonly olderThan: number | null;
  readonly now: number;
  readonly force: boolean;
  /** Only this run, which the person has named. */
  readonly run: string | null;
}

export type KeptReason =
  | { readonly is: 'unmarked' | 'at-work' | 'unreadable' | 'too-young' | 'brought-over' | 'unmerged' }
  | { readonly is: 'not-asked-for' | 'not-over'; readonly phase: string };

export interface CleanPlan {
  readonly remove: readonly KeptRun[];
  readonly keep: readonly { readonly run: KeptRun; readonly why: KeptReason }[];
}

export function planClean(runs: readonly KeptRun[], request: CleanOptions): CleanPlan {
  const judged = runs
    .filter(run => request.run === null || run.run_id === request.run)
    .map(run => ({ run, why: whyKept(run, request) }));
  return {
    remove: judged.flatMap(({ run, why }) => (why === null ? [run] : [])),
    keep: judged.flatMap(({ run, why }) => (why === null ? [] : [{ run, why }])),
  };
}

/** Null when it may go. The order is that of what a person should hear first. */
function whyKept(
  run: KeptRun,
  { states, olderThan, now, force, run: named }: CleanOptions,
): KeptReason | null {
  const { phase } = run;
  if (!run.marked) return { is: 'unmarked' };
  if (run.atWork) return { is: 'at-work' };
  if (phase === null) return force ? null : { is: 'unreadable' };
  if (named === null && !states.includes(phase)) return { is: 'not-asked-for', phase };
  if (olderThan !== null && !isOlder(run, olderThan, now)) return { is: 'too-young' };
  if (run.brought && named === null) return { is: 'brought-over' };
  if (force) return null;
  if (run.unmerged) return { is: 'unmerged' };
  return isOver({ phase }) ? null : { is: 'not-over', phase };
}

const isOlder = ({ updated_at }: KeptRun, olderThan: number, now: number): boolean =>
  updated_at !== null && now - Date.parse(updated_at) >= olderThan;

const UNITS: Readonly<Record<string, number>> = { m: 60e3, h: 3_600e3, d: 86_400e3, w: 604_800e3 };

/** `30d`, `12h`, `2w`, `90m` in milliseconds; null for anything else. */
export function parseSpan(text: string): number | null {
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(text.trim()) ?? [];
  return unit === undefined ? null : Number(count) * UNITS[unit]!;
}
