/**
 * Judges each acceptance criterion by the tests that claim it (see judge-test.ts). Pure. A test claims the
 * criteria that its title names, and those for which `claims` lists it. A missing or skipped test proves
 * nothing, nor does a test whose name changes from run to run.
 */
import type { Criterion } from '../../../formats/exam/acceptance-criteria.ts';
import type { JudgedCriterion } from '../../../formats/exam/criteria-report.ts';
import type { TestCaseResult, TestCases } from '../../../formats/test-cases.ts';
import type { TestConfig } from '../../../formats/test-config-and-results.ts';
import { criteriaIn, WHOLE_BRIEFING } from './criterion-tags.ts';
import { judgeCriterionTests, rankOf } from './judge-criterion-tests.ts';
import { type CriterionJudgement, judgeTest, type Reasons } from './judge-test.ts';
import { countTests } from './select-and-count-tests.ts';
import { outcomesOf, type TestRuns } from './test-outcomes.ts';
import { unstableNames } from './tests-with-changing-names.ts';

export interface Claims {
  readonly config: Pick<TestConfig, 'claims' | 'not_claimed'>;
  /** The outcomes of the tests on the result; null if they were not run. */
  readonly head: TestCases | null;
  /** The outcomes of the same tests on other versions of the code; absent if they were not run there. */
  readonly exam?: TestRuns & Reasons;
}

const MAX_TESTS = 50;
const NO_REASONS: Reasons = { problem: null, limit: null };

export function judgeCriteria(list: readonly Criterion[], claims: Claims): JudgedCriterion[] {
  const evidence = new Map<string, string>();
  const unstable = unstableNames(runsOf(claims).head);
  const reasons = claims.exam ?? NO_REASONS;
  return list.map(criterion => {
    const tests = testsOf(criterion, claims).map(test => outcomesOf(test.id, runsOf(claims)));
    const rank = new Map(
      tests.map(test => {
        const isLast = unstable.has(test.id);
        return [test, isLast ? Number.MAX_SAFE_INTEGER : rankOf(criterion.kind, test, reasons)] as const;
      }),
    );
    const judged = judge(criterion, claims, unstable);
    const shown = shownBy(criterion, judged, claims);
    const key = JSON.stringify(shown.toSorted());
    const same = shown.length > 0 ? evidence.get(key) : undefined;
    if (shown.length > 0 && same === undefined) evidence.set(key, criterion.id);
    const final =
      same === undefined
        ? judged
        : { status: 'not-claimed' as const, reason: `it has the same tests as ${same}` };
    const proving = new Set(final.status === 'confirmed' ? shown : []);
    const marked = tests
      .toSorted((a, b) => rank.get(a)! - rank.get(b)!)
      .map(test => ({ ...test, proves: proving.has(test.id) }));
    const counts = countTests(marked, runsOf(claims).kills);
    return { ...criterion, ...final, tests: marked.slice(0, MAX_TESTS), test_counts: counts };
  });
}

/** Lists the tests that give a criterion the status `passes` or `confirmed`; none for any other status. */
const shownBy = (criterion: Criterion, { status }: CriterionJudgement, claims: Claims): string[] =>
  status === 'passes' || status === 'confirmed'
    ? testsOf(criterion, claims)
        .filter(({ id, outcome }) => outcome === 'pass' && judgeOne(criterion, id, claims).status === status)
        .map(({ id }) => id)
    : [];

/** Lists the ids of tests that, from what is known so far, may still prove a criterion. */
export const candidates = (list: readonly Criterion[], claims: Claims): string[] => {
  const isCandidate = (criterion: Criterion, id: string) =>
    ['passes', 'confirmed'].includes(judgeOne(criterion, id, claims).status);
  const found = list
    .filter(({ kind }) => kind !== 'look')
    .flatMap(criterion => testsOf(criterion, claims).filter(({ id }) => isCandidate(criterion, id)));
  return [...new Set(found.map(({ id }) => id))];
};

const judgeOne = ({ kind }: Criterion, id: string, claims: Claims): CriterionJudgement =>
  judgeTest(kind, outcomesOf(id, runsOf(claims)), claims.exam ?? NO_REASONS);

const runsOf = ({ head, exam }: Claims): TestRuns =>
  exam ?? { head: head ? [head] : [], base: [], ghost: null, placebo: null, kills: null };

function judge(criterion: Criterion, claims: Claims, unstable: ReadonlySet<string>): CriterionJudgement {
  const { id, kind } = criterion;
  const { config, head } = claims;
  if (kind === 'look') return { status: 'look', reason: config.not_claimed?.[id] ?? null };
  if (!head) return couldNotRun('no tests were recorded on this result');
  const tests = testsOf(criterion, claims);
  if (tests.some(test => test.outcome === 'fail')) return { status: 'fails', reason: null };
  const passing = tests.filter(test => test.outcome === 'pass');
  const named = passing.filter(test => !unstable.has(test.id));
  if (named.length > 0) {
    const outcomes = named.map(test => outcomesOf(test.id, runsOf(claims)));
    return judgeCriterionTests(kind, outcomes, claims.exam ?? NO_REASONS);
  }
  if (passing.length > 0) return couldNotRun('the names of its tests change from run to run');
  const given = config.not_claimed?.[id];
  if (given !== undefined) return notClaimed(given);
  const isListed = config.claims?.[id] !== undefined;
  const why = tests.length > 0 ? notClaimed('its tests are skipped') : unreported(head, isListed);
  return { ...why, failed: 'not-run' };
}

function unreported({ cases, ended }: TestCases, isListed: boolean): CriterionJudgement {
  if (cases.length === 0) return couldNotRun(NO_NAMES);
  if (!ended) return couldNotRun('no reported test names it, and the report is incomplete');
  return isListed
    ? couldNotRun('the tests that claim it were not reported')
    : notClaimed('no reported test names it');
}

const NO_NAMES = 'the test command does not report its tests by name (as TAP, JUnit XML or JSON do)';
const notClaimed = (reason: string): CriterionJudgement => ({ status: 'not-claimed', reason });
const couldNotRun = (reason: string): CriterionJudgement => ({ status: 'could-not-run', reason });

/** Returns the tests that claim a criterion. */
export function testsOf({ id }: Criterion, { config, head }: Claims): TestCaseResult[] {
  const listed = config.claims?.[id]?.tests ?? [];
  const isListed = (test: string) =>
    listed.some(each => (each.endsWith('*') ? test.startsWith(each.slice(0, -1)) : test === each));
  return (head?.cases ?? []).filter(
    test => id === WHOLE_BRIEFING.id || criteriaIn(testTitle(test.id)).includes(id) || isListed(test.id),
  );
}

/** Removes the path of the file from the start of a test id, if it is there. `::` may also be part of the title. */
export const testTitle = (id: string): string => id.replace(/^\S*?::/, '');
