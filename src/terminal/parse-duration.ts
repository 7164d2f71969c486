/** Parses a span of time that a user typed as a flag. */

const UNITS: Readonly<Record<string, number>> = { m: 60e3, h: 3_600e3, d: 86_400e3, w: 604_800e3 };

/** Parses `30d`, `12h`, `2w` or `90m` into milliseconds; returns null for anything else. */
export function parseSpan(text: string): number | null {
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(text.trim()) ?? [];
  return unit === undefined ? null : Number(count) * UNITS[unit]!;
}
