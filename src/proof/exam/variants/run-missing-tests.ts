/**
 * Reruns the tests that are missing because another test ended their process: file by file if the command
 * names its files, and by name in Go, where a panic ends all tests of a package, and with `node --test`, where a test
 * that waits forever ends all tests of a file.
 */
import { outcomeIn } from '../../../core/policy/criteria/test-outcomes.ts';
import type { TestCaseResult, TestCases } from '../../../formats/test-cases.ts';
import { TIME_LIMIT } from '../../command-problem.ts';
import { commandPerTestFile, goCommandForTests, nodeCommandForTests } from '../../rewrite-test-command.ts';

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
  // Running the file of a test that hangs takes longer than running the test by name.
  const isSplit = !(isOutOfTime(whole) && commandForTests(command, missingIn(whole, head)) !== null);
  for (const part of isSplit ? commandPerTestFile(command, files) : []) parts.push(await run(part));
  let seen = parts.length > 0 ? merged(whole, parts) : whole;
  for (let runs = 0; runs < MAX_RUNS; runs += 1) {
    const missing = missingIn(seen, head);
    const found = await runByName(missing, of);
    if (found.length === 0) break;
    seen = { ...seen, cases: [...seen.cases, ...found] };
  }
  return seen;
}

const commandForTests = (command: string, ids: readonly string[]): string | null =>
  goCommandForTests(command, ids) ?? nodeCommandForTests(command, ids);

/** Runs the tests by name. If they hang, runs the first one alone; if it still hangs, it counts as failed. */
async function runByName(ids: readonly string[], of: MissingTestsOf): Promise<TestCaseResult[]> {
  const only = commandForTests(of.command, ids);
  if (only === null) return [];
  const seen = await of.run(only);
  // node reports unselected tests as skipped.
  const found = seen.cases.filter(({ id, outcome }) => ids.includes(id) && outcome !== 'skip');
  if (found.length > 0 || !isOutOfTime(seen)) return found;
  const [first = ''] = ids;
  return ids.length === 1
    ? [{ id: first, outcome: 'fail', failure: 'timeout', line: 'it did not end within the time limit' }]
    : runByName([first], of);
}

const SCRIPT = /^\S+\.[cm]?[jt]sx?$/;

/** Whether the command, or a test file that node:test runs, exceeded its time limit. */
const isOutOfTime = ({ problem, cases }: TestCases): boolean =>
  problem === TIME_LIMIT || cases.some(({ id, failure }) => failure === 'timeout' && SCRIPT.test(id));

const missingIn = (run: TestCases, head: TestCases): string[] =>
  run.cases.length === 0 && run.problem !== TIME_LIMIT
    ? []
    : head.cases.flatMap(({ id, outcome }) =>
        outcome === 'pass' && outcomeIn(run, id) === 'missing' ? [id] : [],
      );

/**
 * The tests of a file that was not loaded are those that were reported on the result and that no other file reported.
 * Therefore, no two files may report the same id.
 */
function merged(whole: TestCases, parts: readonly TestCases[]): TestCases {
  const cases = parts.flatMap(part => part.cases);
  const ids = cases.map(({ id }) => id);
  return ids.length === new Set(ids).size
    ? { ...whole, ended: parts.every(({ ended }) => ended), cases }
    : whole;
}
