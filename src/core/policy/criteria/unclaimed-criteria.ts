/** Finds the acceptance criteria that no sealed test names and no reason in `not_claimed` covers. Pure. */
import type { Criterion } from '../../../formats/exam/acceptance-criteria.ts';
import type { RunState } from '../../../formats/state.ts';
import type { TestConfig } from '../../../formats/test-config-and-results.ts';
import { criteriaIn } from './criterion-tags.ts';

const WITHOUT_TEST = 'no test names these acceptance criteria, and they are not in not_claimed:';

/** `texts` are the sealed test files; titles are not known until the tests have run. */
export function unclaimedCriteria(
  list: readonly Criterion[],
  { claims = {}, not_claimed = {} }: Pick<TestConfig, 'claims' | 'not_claimed'>,
  texts: readonly string[],
): string[] {
  const named = new Set([...Object.keys(claims), ...Object.keys(not_claimed), ...texts.flatMap(criteriaIn)]);
  return list.filter(({ id, kind }) => kind !== 'look' && !named.has(id)).map(({ id }) => id);
}

/** Returns a message to the role that wrote the tests; null if there is nothing new to report. */
export function unclaimedCriteriaMessage(
  missing: readonly string[],
  { problem, retries, setup }: RunState,
): string | null {
  const wasReported = problem?.startsWith(WITHOUT_TEST) ?? false;
  const mayRetry = setup.retry.kinds.includes('validation') && retries < setup.retry.attempts;
  return missing.length === 0 || wasReported || !mayRetry
    ? null
    : `${WITHOUT_TEST} ${missing.join(', ')}. Name each one in the title of a test, or explain under not_claimed in test-config.json why it has no test.`;
}
