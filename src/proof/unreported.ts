/**
 * Test files whose tests were not reported. node:test counts a file without tests as a passed one, so one whose process
 * ended early, by whatever it imported, would pass; and with an exit code alone there is nothing to count.
 */
import { lstat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { readText } from '../formats/file.ts';
import type { Results } from './report.ts';

/** Runners that always report their tests. */
const USES_RUNNER =
  /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)['"](?:node:test|vitest|@jest\/globals)['"]/;
const LARGEST = 2_000_000;

export interface Unreported {
  /** Without what counts a file. */
  readonly results: Results | null;
  /** Files that have tests, of which none was reported. */
  readonly silent: readonly string[];
  /** True when there should be a report and none was found. */
  readonly nothing: boolean;
}

/**
 * `tests` are files, relative to `top`. They are looked at now, before anything could change them; what is given back is
 * asked when the command has ended.
 */
export async function watchUnreported(
  top: string,
  cwd: string,
  tests: readonly string[],
): Promise<(results: Results | null) => Promise<Unreported>> {
  const having = new Set<string>();
  for (const path of tests.map(test => join(top, test))) if (await hasTests(path)) having.add(path);
  return async results => {
    if (!results) return { results, silent: [], nothing: having.size > 0 };
    const counted: string[] = [];
    for (const title of results.files ?? [])
      if (await isFile(resolve(cwd, title))) counted.push(resolve(cwd, title));
    const silent: string[] = [];
    for (const path of counted)
      if (having.has(path) || (await hasTests(path))) silent.push(relative(cwd, path));
    return { results: without(results, counted.length), silent, nothing: false };
  };
}

const hasTests = async (path: string): Promise<boolean> =>
  USES_RUNNER.test((await readText(path, LARGEST).catch(() => null)) ?? '');

const isFile = (path: string): Promise<boolean> =>
  lstat(path).then(
    found => found.isFile(),
    () => false,
  );

function without(results: Results, files: number): Results {
  const { total, passed, ...others } = results.counts;
  const fewer = Math.min(files, passed);
  return { ...results, counts: { total: total - fewer, passed: passed - fewer, ...others } };
}
