/** Turns the tests that a report names into the cases of test-cases.json. Pure. */
import type { TestCases, TestFate } from '../formats/test-cases.ts';
import type { TestCase } from './report.ts';

/** A cancelled test did not run, so it is left out: a missing test is not a failed one. */
export const fatesOf = (tests: readonly TestCase[]): TestFate[] =>
  tests.flatMap(({ name: id, status, todo, failure }): TestFate[] => {
    if (status === 'passed') return [{ id, fate: 'pass' }];
    if (status === 'skipped') return [{ id, fate: todo ? 'todo' : 'skip' }];
    const { red, line } = failure ?? { red: 'error', line: '' };
    return red === 'cancelled' ? [] : [{ id, fate: 'fail', red, ...(line && { line }) }];
  });

/** Maximum length of test-cases.json. */
const LONGEST = 4_000_000;

/** Leaves out the last cases if the file would be too large. */
export function limited(of: TestCases): TestCases {
  let left = LONGEST - Buffer.byteLength(JSON.stringify({ ...of, cases: [] }, null, 2)) - 20;
  // On disk the cases are indented by four spaces.
  const fits = of.cases.findIndex(each => {
    const text = JSON.stringify(each, null, 2);
    left -= Buffer.byteLength(text) + 4 * text.split('\n').length + 2;
    return left < 0;
  });
  return fits < 0 ? of : { ...of, cases: of.cases.slice(0, fits), cut: true };
}
