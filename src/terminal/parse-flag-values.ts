/** Parses amounts of money, tree ids and durations that a user typed as values of flags. */
import { dollarsIn } from '../core/policy/questions/allowed-answers.ts';
import { asTyped, dureError } from '../errors.ts';

/** Parses `5`, `$5` or `2.50` into US dollars. Throws `E_BUDGET` for anything else. */
export function dollarsOf(text: string): number {
  const usd = dollarsIn(text);
  if (usd === null) throw dureError('E_BUDGET', { budget: asTyped(text) });
  return usd;
}

/** Checks the id of a tree, which may be abbreviated to 8 digits. Throws `E_TREE` for anything else. */
export function treeIdOf(text: string): string {
  if (!/^[0-9a-f]{8,64}$/.test(text)) throw dureError('E_TREE', { tree: asTyped(text) });
  return text;
}

const UNITS: Readonly<Record<string, number>> = {
  s: 1e3,
  m: 60e3,
  h: 3_600e3,
  d: 86_400e3,
  w: 604_800e3,
};

export interface SpanRange {
  /** Written as the user would type it. */
  readonly min: string;
  readonly max: string;
}

/**
 * Parses `30d`, `12h`, `2w`, `90m` or `45s` into milliseconds. Throws `E_SPAN` for anything else, and `E_SPAN_RANGE`
 * for a duration outside `range`.
 */
export function spanOf(text: string, range?: SpanRange): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text.trim()) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (Number.isNaN(ms)) throw dureError('E_SPAN', { span: asTyped(text) });
  if (range && (ms < spanOf(range.min) || ms > spanOf(range.max)))
    throw dureError('E_SPAN_RANGE', { span: text, ...range });
  return ms;
}
