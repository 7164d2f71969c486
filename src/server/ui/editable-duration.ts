/** Formats and parses durations as editable text: `5 min`, `1 h 30 min`, `90s` or `5분`. This module is pure. */
import type { Words } from '../../words/pages/en.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const SECOND = 1000;
const UNITS: Readonly<Record<string, number>> = {
  h: HOUR,
  시간: HOUR,
  min: MINUTE,
  m: MINUTE,
  분: MINUTE,
  s: SECOND,
  초: SECOND,
  ms: 1,
};
const PART = '(\\d+(?:\\.\\d+)?)\\s*(h|시간|min|ms|m|분|s|초)\\s*';

/** Formats a duration without rounding: `parseEditableDuration` returns the same number. */
export const formatEditableDuration = (w: Words, ms: number): string =>
  [
    [Math.floor(ms / HOUR), w.time.hours] as const,
    [Math.floor((ms % HOUR) / MINUTE), w.time.minutes] as const,
    [(ms % MINUTE) / SECOND, w.time.seconds] as const,
  ]
    .flatMap(([count, format]) => (count > 0 ? [format(count)] : []))
    .join(' ');

/** Returns milliseconds, or null if the text is not a duration with units. */
export function parseEditableDuration(text: string): number | null {
  if (!new RegExp(`^(?:${PART})+$`).test(text.trim())) return null;
  const parts = [...text.matchAll(new RegExp(PART, 'g'))];
  return Math.round(parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!, 0));
}
