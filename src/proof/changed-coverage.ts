/**
 * Computes the percentage of added and changed lines that the tests executed. This module is pure. Lines that cannot be
 * executed and files missing from every report are not counted. Such files are listed, because many runners report only
 * files that a test has loaded.
 */
import { posix } from 'node:path';
import type { LineCoverage } from './report-readers/line-coverage.ts';
import { isSetting } from './runner-and-linter-settings.ts';
import { isTestOrFixture } from './test-paths.ts';

/** Ranges of changed lines, first and last inclusive, by path from the root of the repository. */
export type ChangedLines = Readonly<Record<string, readonly (readonly [first: number, last: number])[]>>;

export interface Measured {
  /** Absolute path of the checkout. */
  readonly top: string;
  /** Folder in which the tests ran. Relative paths in a report start here. */
  readonly cwd: string;
  /** Path of the Go module in `cwd`. Go's reports prefix file names with it. */
  readonly goModule?: string | null;
}

export interface ChangedCoverage {
  /** Null when no changed line was measured. */
  readonly percent: number | null;
  /**
   * Changed source files that no report names, although the reports name other files in the same language.
   */
  readonly unmeasured: readonly string[];
}

export function changedCoverage(
  coverage: LineCoverage,
  changed: ChangedLines,
  { top, cwd, goModule }: Measured,
): ChangedCoverage {
  const ran = new Map<string, boolean>();
  const named = new Set<string>();
  for (const [file, lines] of coverage) {
    const local = goModule && file.startsWith(`${goModule}/`) ? file.slice(goModule.length + 1) : file;
    const path = posix.relative(top, posix.resolve(cwd, local));
    named.add(path);
    const groups = Object.hasOwn(changed, path) ? changed[path]! : [];
    for (const [line, hit] of lines) {
      if (!groups.some(([first, last]) => line >= first && line <= last)) continue;
      const id = `${path}:${line}`;
      ran.set(id, ran.get(id) === true || hit);
    }
  }
  const languages = new Set([...named].map(languageOf));
  const unmeasured = Object.keys(changed).filter(
    path => changed[path]!.length > 0 && !named.has(path) && languages.has(languageOf(path)) && !isMeta(path),
  );
  const hits = [...ran.values()].filter(Boolean).length;
  return { percent: ran.size === 0 ? null : Math.round((hits / ran.size) * 10_000) / 100, unmeasured };
}

const languageOf = (path: string): string =>
  posix.extname(path).replace(/^\.(?:[cm]?[jt]sx?|vue|svelte)$/, '.js');

/** Whether runners exclude the file from coverage. */
const isMeta = (path: string): boolean => isTestOrFixture(path) || isSetting(path) || path.endsWith('.d.ts');
