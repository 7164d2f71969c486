/** What every reader of test reports gives: how many tests, and the names of those that failed. */
import type { TestCounts } from '../formats/tests.ts';

export interface Results {
  counts: TestCounts;
  /** Names of failed tests, at most 50, each on one line. */
  failures: string[];
  /**
   * Why the counts may not be all that happened. Absent for a report that says itself where it ends; `cut` is one that
   * should and does not, `summary` a few lines for people, of which others may be missing unnoticed.
   */
  doubt?: 'cut' | 'summary';
  /** Titles of passed tests that look like the names of files: node:test counts a file without a test as one. */
  files?: string[];
}

/** One test of a report. */
export interface TestCase {
  /** File or class and the whole title: the same in every run and every checkout, so without durations. */
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
}

/** The tests that the reports of one format in a text name, in order; none when there is no report. Pure. */
export type ReadTests = (text: string) => TestCase[];

/** `file::group > title`; parts that are missing or say nothing new are left out. */
export const testName = (file: string | undefined, titles: readonly string[]): string => {
  const path = titles.filter((title, n) => title !== '' && title !== titles[n - 1] && title !== file);
  return [...(file ? [file] : []), ...(path.length > 0 ? [path.join(' > ')] : [])].join('::');
};

/** Counts and names of failures of a plain list. */
export const resultsOfTests = (tests: readonly TestCase[]): Results => {
  const count = (status: TestCase['status']) => tests.filter(test => test.status === status).length;
  return resultsOf(
    { passed: count('passed'), failed: count('failed'), skipped: count('skipped') },
    tests.filter(test => test.status === 'failed').map(test => test.name),
  );
};

/** Finds the reports of one format in a text that may hold anything else; null when there is none. Pure. */
export type ReadReport = (text: string) => Results | null;

const MOST_FAILURES = 50;
const LONGEST_NAME = 300;

export function resultsOf(
  counts: { passed: number; failed: number; skipped: number },
  failures: string[],
): Results {
  const { passed, failed, skipped } = counts;
  return {
    counts: { total: passed + failed + skipped, passed, failed, skipped },
    failures: failures.slice(0, MOST_FAILURES).map(oneLine),
  };
}

/** Several reports in one output (`vitest run a && vitest run b`) count together, so none can hide another's failure. */
export function addUp(several: readonly Results[]): Results | null {
  if (several.length === 0) return null;
  const sum = (key: keyof TestCounts) => several.reduce((n, { counts }) => n + counts[key], 0);
  const all = resultsOf(
    { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') },
    several.flatMap(({ failures }) => failures),
  );
  const whole = withFiles(
    all,
    several.flatMap(({ files = [] }) => files),
  );
  return several.some(({ doubt }) => doubt === 'cut') ? cut(whole) : whole;
}

const SCRIPT = /\.[cm]?[jt]sx?$/;

/** Takes note of those passed tests whose titles may be names of files. */
export function withFiles(results: Results, passed: readonly string[]): Results {
  const files = passed.filter(title => SCRIPT.test(title));
  return files.length > 0 ? { ...results, files } : results;
}

export const cut = (results: Results): Results => ({ ...results, doubt: 'cut' });

const oneLine = (name: string): string => {
  const line = name.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME - 1)}…` : line;
};

/** The first line that says something: failure messages often begin with a blank one and end in a stack. */
export const firstLine = (text: string): string => /\S[^\n]*/.exec(text)?.[0].trim() ?? '';
