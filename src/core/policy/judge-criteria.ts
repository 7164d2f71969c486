/**
 * Judges each acceptance criterion by the tests that claim it. Pure. A test claims the criteria that its title names,
 * and those for which `claims` lists it. A missing or skipped test shows nothing.
 */
import type { Criterion } from '../../formats/criteria.ts';
import type { JudgedCriterion } from '../../formats/criteria-report.ts';
import type { TestCases, TestFate } from '../../formats/test-cases.ts';
import type { TestConfig } from '../../formats/tests.ts';
import { criteriaIn, WHOLE_BRIEFING } from './claimed-criteria.ts';

export interface Claims {
  readonly config: Pick<TestConfig, 'claims' | 'not_claimed'>;
  /** The tests on the result; null if they were not run. */
  readonly head: TestCases | null;
}

const MOST_TESTS = 50;

export function judgeCriteria(list: readonly Criterion[], claims: Claims): JudgedCriterion[] {
  const evidence = new Map<string, string>();
  return list.map(criterion => {
    const tests = testsOf(criterion, claims).map(test => test.id);
    const key = JSON.stringify(tests.toSorted());
    const judged = judge(criterion, claims);
    const same = judged.status === 'passes' ? evidence.get(key) : undefined;
    if (judged.status === 'passes' && same === undefined) evidence.set(key, criterion.id);
    return {
      ...criterion,
      ...(same === undefined
        ? judged
        : { status: 'not-claimed' as const, reason: `it has the same tests as ${same}` }),
      tests: tests.slice(0, MOST_TESTS),
    };
  });
}

type Judgement = Pick<JudgedCriterion, 'status' | 'reason'>;

function judge(criterion: Criterion, claims: Claims): Judgement {
  const { id, kind } = criterion;
  const { config, head } = claims;
  const notClaimed = (reason: string): Judgement => ({ status: 'not-claimed', reason });
  const couldNotRun = (reason: string): Judgement => ({ status: 'could-not-run', reason });
  if (kind === 'look') return { status: 'look', reason: config.not_claimed?.[id] ?? null };
  if (!head) return couldNotRun('no tests were recorded on this result');
  const tests = testsOf(criterion, claims);
  if (tests.some(test => test.fate === 'fail')) return { status: 'fails', reason: null };
  if (tests.some(test => test.fate === 'pass')) return { status: 'passes', reason: null };
  if (tests.length > 0) return notClaimed('its tests are skipped');
  const given = config.not_claimed?.[id];
  if (given !== undefined) return notClaimed(given);
  if (!head.ended) return couldNotRun('no test that names it was reported, and the report is incomplete');
  if (config.claims?.[id]) return couldNotRun('the tests that claim it were not reported');
  return notClaimed(head.cases.length > 0 ? 'no test names it' : 'the test command gives no names of tests');
}

function testsOf({ id }: Criterion, { config, head }: Claims): TestFate[] {
  const listed = config.claims?.[id]?.tests ?? [];
  const isListed = (test: string) =>
    listed.some(each => (each.endsWith('*') ? test.startsWith(each.slice(0, -1)) : test === each));
  return (head?.cases ?? []).filter(
    test => id === WHOLE_BRIEFING.id || criteriaIn(titleOf(test.id)).includes(id) || isListed(test.id),
  );
}

/** Without the path of the file, if the id starts with it. */
const titleOf = (id: string): string => id.slice(id.indexOf('::') + 1);
