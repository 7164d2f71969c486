/** The value that every report reader returns: test counts and the names of failed tests. */
import type { TestCounts } from '../formats/test-config-and-results.ts';
import type { Failure } from './failure-kind.ts';

export interface TestResults {
  counts: TestCounts;
  /** Names of failed tests, at most 50, each on one line. */
  failures: string[];
  /**
   * Why the counts may be incomplete. Absent if the report is known to be complete. `cut`: the end is missing.
   * `summary`: lines from the console, some of which may be missing.
   */
  doubt?: 'cut' | 'summary';
  /** Titles of passed tests that look like file names: node:test counts a file without tests as one test. */
  files?: string[];
}

/** One test in a report. */
export interface TestCase {
  /**
   * File or class and the full title, without durations, so that the name is the same in every execution and checkout.
   */
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Skipped because it is marked as `todo`. */
  readonly todo?: true;
  /** Only for a failed test, and only from reports that describe failures. */
  readonly failure?: Failure;
}

/** Reads the named tests from all reports of one format in a text, in order; returns `[]` if there is none. */
export type ReadTests = (text: string) => TestCase[];

/** Returns `file::group > title`, without parts that are missing or repeated. */
export const testName = (file: string | undefined, titles: readonly string[]): string => {
  const path = titles.filter((title, n) => title !== '' && title !== titles[n - 1] && title !== file);
  return [...(file ? [file] : []), ...(path.length > 0 ? [path.join(' > ')] : [])].join('::');
};

/** Counts the tests of a list and collects the names of the failed ones; null for an empty list. */
export const resultsOfTests = (tests: readonly TestCase[]): TestResults | null => {
  const count = (status: TestCase['status']) => tests.filter(test => test.status === status).length;
  const counts = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
  const failures = tests.filter(test => test.status === 'failed').map(test => test.name);
  return tests.length > 0 ? resultsOf(counts, failures) : null;
};

/** Reads all reports of one format in a text that may contain other output. Returns null if there is none. */
export type ReadReport = (text: string) => TestResults | null;

const MAX_FAILURES = 50;
const MAX_NAME_CHARS = 300;

export function resultsOf(
  counts: { passed: number; failed: number; skipped: number },
  failures: readonly string[],
): TestResults {
  const { passed, failed, skipped } = counts;
  return {
    counts: { total: passed + failed + skipped, passed, failed, skipped },
    failures: failures.slice(0, MAX_FAILURES).map(oneLine),
  };
}

/**
 * Adds up several reports in one output (`vitest run a && vitest run b`), so that none hides another's failure.
 * `failed` lists the names of failed tests, for reports that do not contain them.
 */
export function addUp(
  several: readonly TestResults[],
  failed: readonly string[] = several.flatMap(({ failures }) => failures),
): TestResults | null {
  if (several.length === 0) return null;
  const sum = (key: keyof TestCounts) => several.reduce((n, { counts }) => n + counts[key], 0);
  const all = resultsOf({ passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }, failed);
  const whole = withFiles(
    all,
    several.flatMap(({ files = [] }) => files),
  );
  return several.some(({ doubt }) => doubt === 'cut') ? cut(whole) : whole;
}

const SCRIPT = /\.[cm]?[jt]sx?$/;

/** Adds the passed tests whose titles may be file names. */
export function withFiles(results: TestResults, passed: readonly string[]): TestResults {
  const files = passed.filter(title => SCRIPT.test(title));
  return files.length > 0 ? { ...results, files } : results;
}

export const cut = (results: TestResults): TestResults => ({ ...results, doubt: 'cut' });

const oneLine = (name: string): string => {
  const line = name.replace(/\s+/g, ' ').trim();
  return line.length > MAX_NAME_CHARS ? `${line.slice(0, MAX_NAME_CHARS - 1)}…` : line;
};

/** The first line that is not blank. Failure messages often start with a blank line and end with a stack trace. */
export const firstLine = (text: string): string => /\S[^\n]*/.exec(text)?.[0].trim() ?? '';
