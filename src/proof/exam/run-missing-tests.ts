/**
 * Runs tests again that are missing because another test ended their process: file by file if the command
 * names its files, and by name in Go, where a panic ends all tests of a package, and with `node --test`, where a test
 * that waits forever ends all tests of a file.
 */
import { outcomeIn } from '../../core/policy/judge-test.ts';
import type { TestCases } from '../../formats/test-cases.ts';
import { commandPerTestFile, goCommandForTests, nodeCommandForTests } from '../test-subset-commands.ts';

export interface MissingTestsOf {
  readonly command: string;
  /** The test files, relative to the folder of the command. */
  readonly files: readonly string[];
  /** The tests on the result. */
  readonly head: TestCases;
  run(command: string): Promise<TestCases>;
}

/** Each run of tests by name may end with another panic, or another test that waits forever. */
const MAX_RUNS = 10;

/** `whole`: the run in which tests may be missing. */
export async function runMissingTests(whole: TestCases, of: MissingTestsOf): Promise<TestCases> {
  const { command, files, head, run } = of;
  if (missingIn(whole, head).length === 0) return whole;
  const parts: TestCases[] = [];
  for (const part of commandPerTestFile(command, files)) parts.push(await run(part));
  let seen = parts.length > 0 ? merged(whole, parts) : whole;
  for (let runs = 0; runs < MAX_RUNS; runs += 1) {
    const missing = missingIn(seen, head);
    const only = goCommandForTests(command, missing) ?? nodeCommandForTests(command, missing);
    if (only === null) break;
    // node reports tests that were not selected as skipped.
    const found = (await run(only)).cases.filter(({ id, fate }) => missing.includes(id) && fate !== 'skip');
    if (found.length === 0) break;
    seen = { ...seen, cases: [...seen.cases, ...found] };
  }
  return seen;
}

const missingIn = (run: TestCases, head: TestCases): string[] =>
  run.cases.length === 0
    ? []
    : head.cases.flatMap(({ id, fate }) => (fate === 'pass' && outcomeIn(run, id) === 'missing' ? [id] : []));

/**
 * The tests of a file that was not loaded are those of head that no other file reported. Therefore, no two files may
 * report the same id.
 */
function merged(whole: TestCases, parts: readonly TestCases[]): TestCases {
  const cases = parts.flatMap(part => part.cases);
  const ids = cases.map(({ id }) => id);
  return ids.length === new Set(ids).size
    ? { ...whole, ended: parts.every(({ ended }) => ended), cases }
    : whole;
}
