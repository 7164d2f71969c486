/** Parses a span of time that a user typed as a flag. */
import { dureError } from '../errors.ts';

const UNITS: Readonly<Record<string, number>> = { m: 60e3, h: 3_600e3, d: 86_400e3, w: 604_800e3 };

/** Parses `30d`, `12h`, `2w` or `90m` into milliseconds. Throws `E_SPAN` for anything else. */
export function spanOf(text: string, { min = 0, max = Number.POSITIVE_INFINITY } = {}): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text.trim()) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (!(min <= ms && ms <= max)) throw dureError('E_SPAN', { span: text });
  return ms;
}
