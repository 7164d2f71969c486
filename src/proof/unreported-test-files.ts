/**
 * Detects test files whose tests were not reported. node:test counts a file without tests as a passed test, so a file
 * whose process ended early, for example in an imported module, would pass; an exit code alone does not tell how many
 * tests ran.
 */
import { join, relative, resolve } from 'node:path';
import { isFile } from '../formats/file-system/path-status.ts';
import { unlessDiskFails } from '../formats/file-system/temporary-disk-errors.ts';
import { readText } from '../formats/read-and-write-files.ts';
import type { TestResults } from './test-results.ts';

/** Imports of test runners that always report their tests. */
const USES_RUNNER =
  /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)['"](?:node:test|vitest|@jest\/globals)['"]/;
const MAX_BYTES = 2_000_000;

export interface UnreportedFiles {
  /** The results, excluding tests that stand for a whole file. */
  readonly results: TestResults | null;
  /** Files that contain tests, none of which was reported. */
  readonly filesWithoutTests: readonly string[];
  /** Whether a report was expected and none was found. */
  readonly missing: boolean;
}

/**
 * `tests` are files, relative to `top`. They are read immediately, before the command can change them. Call the
 * returned function after the command has exited.
 */
export async function watchUnreported(
  top: string,
  cwd: string,
  tests: readonly string[],
): Promise<(results: TestResults | null) => Promise<UnreportedFiles>> {
  const withTests = new Set<string>();
  for (const path of tests.map(test => join(top, test))) if (await hasTests(path)) withTests.add(path);
  return async results => {
    if (!results) return { results, filesWithoutTests: [], missing: withTests.size > 0 };
    const counted: string[] = [];
    for (const title of results.files ?? [])
      if (await isFile(resolve(cwd, title))) counted.push(resolve(cwd, title));
    const filesWithoutTests: string[] = [];
    for (const path of counted)
      if (withTests.has(path) || (await hasTests(path))) filesWithoutTests.push(relative(cwd, path));
    return { results: without(results, counted.length), filesWithoutTests, missing: false };
  };
}

const hasTests = async (path: string): Promise<boolean> =>
  USES_RUNNER.test((await readText(path, MAX_BYTES).catch(unlessDiskFails(null))) ?? '');

function without(results: TestResults, files: number): TestResults {
  const { total, passed, ...others } = results.counts;
  const fewer = Math.min(files, passed);
  return { ...results, counts: { total: total - fewer, passed: passed - fewer, ...others } };
}
