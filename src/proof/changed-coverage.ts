/**
 * How many percent of the lines that a result adds or changes were run by its tests. Pure. Lines that cannot run, and
 * files of which no report says anything, count neither way; null when nothing of the change was measured.
 */
import { posix } from 'node:path';
import type { LineCoverage } from './formats/line-coverage.ts';

/** By path from the top of the repository: lines, from the first to the last of each group. */
export type ChangedLines = Readonly<Record<string, readonly (readonly [first: number, last: number])[]>>;

export interface Measured {
  /** Absolute path of the checkout. */
  readonly top: string;
  /** Where the tests ran: relative paths of a report begin there. */
  readonly cwd: string;
}

export function changedCoverage(
  coverage: LineCoverage,
  changed: ChangedLines,
  { top, cwd }: Measured,
): number | null {
  const ran = new Map<string, boolean>();
  for (const [file, lines] of coverage) {
    const path = posix.relative(top, posix.resolve(cwd, file));
    const groups = Object.hasOwn(changed, path) ? changed[path]! : [];
    for (const [line, hit] of lines) {
      if (!groups.some(([first, last]) => line >= first && line <= last)) continue;
      const id = `${path}:${line}`;
      ran.set(id, ran.get(id) === true || hit);
    }
  }
  if (ran.size === 0) return null;
  const hits = [...ran.values()].filter(Boolean).length;
  return Math.round((hits / ran.size) * 10_000) / 100;
}
