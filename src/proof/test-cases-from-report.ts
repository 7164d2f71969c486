/** Turns the tests that a report names into the cases of test-cases.json. Pure. */
import type { TestCaseResult, TestCases } from '../formats/test-cases.ts';
import type { TestCase } from './test-results.ts';

/** Leaves out cancelled tests: they did not run, and a missing test does not count as a failed one. */
export const caseResultsOf = (tests: readonly TestCase[]): TestCaseResult[] =>
  tests.flatMap(({ name: id, status, todo, failure }): TestCaseResult[] => {
    if (status === 'passed') return [{ id, outcome: 'pass' }];
    if (status === 'skipped') return [{ id, outcome: todo ? 'todo' : 'skip' }];
    const { kind, line } = failure ?? { kind: 'error', line: '' };
    return kind === 'cancelled' ? [] : [{ id, outcome: 'fail', failure: kind, ...(line && { line }) }];
  });

/**
 * `cases` are from the report on the result. Leaves out tests whose name occurs there too, but not equally often: it
 * is unknown which of them is missing, and one could be mistaken for another.
 */
export function distinguished<T extends Pick<TestCases, 'cases'>>(
  of: T,
  { cases }: Pick<TestCases, 'cases'>,
): T {
  const ids = new Set([...cases, ...of.cases].map(({ id }) => id));
  /** The name without the number that distinguishes tests with the same name. */
  const nameOf = ({ id }: TestCaseResult): string => {
    const name = id.replace(/ #\d+$/, '');
    return ids.has(name) ? name : id;
  };
  const expected = countsOf(cases.map(nameOf));
  const reported = countsOf(of.cases.map(nameOf));
  const isSure = (test: TestCaseResult): boolean => {
    const name = nameOf(test);
    return !expected.has(name) || expected.get(name) === reported.get(name);
  };
  return { ...of, cases: of.cases.filter(isSure) };
}

function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Maximum size of test-cases.json. */
const MAX_JSON_BYTES = 4_000_000;

/** Leaves out the last cases if the file would be too large. */
export function limited(of: TestCases): TestCases {
  let left = MAX_JSON_BYTES - Buffer.byteLength(JSON.stringify({ ...of, cases: [] }, null, 2)) - 20;
  // On disk the cases are indented by four spaces.
  const fits = of.cases.findIndex(each => {
    const text = JSON.stringify(each, null, 2);
    left -= Buffer.byteLength(text) + 4 * text.split('\n').length + 2;
    return left < 0;
  });
  return fits < 0 ? of : { ...of, cases: of.cases.slice(0, fits), cut: true };
}
