/** Formats durations, times, costs and phases. */
import { isOver } from '../core/policy/state/phase.ts';
import { areCostsReported, spentUsd } from '../core/usage-tracker.ts';
import type { RunState } from '../formats/state.ts';
import { words } from '../words/cli/load-language.ts';
import { money } from '../words/format-amounts.ts';

/** `8s`, `3m 05s`, `2h 07m`. */
export function durationText(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  const two = (n: number) => String(n).padStart(2, '0');
  const { units } = words();
  if (s < 60) return `${s}${units.s}`;
  if (s < 3600) return `${Math.floor(s / 60)}${units.m} ${two(s % 60)}${units.s}`;
  return `${Math.floor(s / 3600)}${units.h} ${two(Math.floor((s % 3600) / 60))}${units.m}`;
}

/** An unknown cost is shown as unknown rather than zero; an incomplete sum is shown as a lower bound. */
export function amountText(usd: number, complete: boolean): string {
  if (complete) return money(usd);
  return usd > 0 ? words().atLeast(money(usd)) : words().costUnknown;
}

/** Formats what a run has cost so far. A running agent alone does not make the amount a lower bound. */
export const costText = (s: RunState): string => amountText(spentUsd(s), areCostsReported(s));

export const phaseWord = (phase: string): string => words().phase(phase);

/** Local date and time, to the minute. */
export function timeText(iso: string): string {
  const d = new Date(iso);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}`;
}

export const clockTime = (iso: string): string => new Date(iso).toTimeString().slice(0, 8);

/** Milliseconds from the start of a run until now, or until its end if it is over. */
export const elapsedMs = (s: RunState, now: number): number =>
  (isOver(s) ? Date.parse(s.updated_at) : now) - Date.parse(s.started_at);

/** Duration of a run, so far or in total. */
export const elapsed = (s: RunState, now: number): string => durationText(elapsedMs(s, now));

export const round = (s: RunState): string =>
  [
    words().round(s.iteration, s.max_iterations),
    ...(s.mode === 'fix' ? [words().fixing(s.minor_fixes)] : []),
  ].join(', ');
