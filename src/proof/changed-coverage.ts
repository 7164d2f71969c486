/**
 * The percentage of added and changed lines that the tests ran. Pure. Lines that cannot run and files missing from every
 * report are not counted. Null when no changed line was measured.
 */
import { posix } from 'node:path';
import type { LineCoverage } from './formats/line-coverage.ts';

/** Ranges of changed lines, first and last inclusive, by path from the top of the repository. */
export type ChangedLines = Readonly<Record<string, readonly (readonly [first: number, last: number])[]>>;

export interface Measured {
  /** Absolute path of the checkout. */
  readonly top: string;
  /** Where the tests ran. Relative paths in a report start here. */
  readonly cwd: string;
  /** Path of the Go module in `cwd`. Go reports prefix file names with it. */
  readonly goModule?: string | null;
}

export function changedCoverage(
  coverage: LineCoverage,
  changed: ChangedLines,
  { top, cwd, goModule }: Measured,
): number | null {
  const ran = new Map<string, boolean>();
  for (const [file, lines] of coverage) {
    const local = goModule && file.startsWith(`${goModule}/`) ? file.slice(goModule.length + 1) : file;
    const path = posix.relative(top, posix.resolve(cwd, local));
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
