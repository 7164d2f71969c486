/** How numbers, times and states are said to people. */
import { isCostComplete, spentUsd } from '../core/usage-tracker.ts';
import type { RunState } from '../formats/state.ts';
import { words } from '../words/cli/words.ts';

/** `8s`, `3m 05s`, `2h 07m`. */
export function duration(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  const two = (n: number) => String(n).padStart(2, '0');
  const { units } = words();
  if (s < 60) return `${s}${units.s}`;
  if (s < 3600) return `${Math.floor(s / 60)}${units.m} ${two(s % 60)}${units.s}`;
  return `${Math.floor(s / 3600)}${units.h} ${two(Math.floor((s % 3600) / 60))}${units.m}`;
}

export const money = (usd: number): string => `$${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`;

/** What a run has cost. A cost of which a part is not known is a lower bound, and said to be one. */
export const cost = (s: RunState): string =>
  Object.values(s.usage).length > 0 && Object.values(s.usage).every(u => !u.complete && u.cost_usd === 0)
    ? words().costUnknown
    : isCostComplete(s) || s.open.length > 0
      ? money(spentUsd(s))
      : words().atLeast(money(spentUsd(s)));

export const phaseWord = (phase: string): string => words().phase(phase);

/** Local date and time to the minute. */
export function moment(iso: string): string {
  const d = new Date(iso);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}`;
}

export const clock = (iso: string): string => new Date(iso).toTimeString().slice(0, 8);

/** Time a run took so far, or took in all. */
export const elapsed = (s: RunState, now: number, over: boolean): string =>
  duration((over ? Date.parse(s.updated_at) : now) - Date.parse(s.started_at));

export const round = (s: RunState): string =>
  [
    words().round(s.iteration, s.max_iterations),
    ...(s.mode === 'fix' ? [words().fixing(s.minor_fixes)] : []),
  ].join(', ');
