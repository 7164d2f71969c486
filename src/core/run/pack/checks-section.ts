/** Renders the pack section about the project's own checks. Names of tests are quoted with `markdown-quote.ts`. */

import type { Check, CheckResult } from '../../../formats/check-results.ts';
import { OUTCOMES } from '../../policy/verdict/checks-verdict-ceiling.ts';
import { quotedName } from '../../text/markdown-quote.ts';
import { introduced, truncatedBullets } from '../../text/truncate-list.ts';

const MAX_NAMED = 20;

export const CHECK_STATUS_MARKDOWN: Record<CheckResult['status'], string> = {
  pass: 'passed',
  regression: '**regressed**',
  'red-on-base': 'fails on base too',
  'could-not-run': 'could not run on base either',
};

/** `limits` lists the configured checks, which state the time limits. */
export function checksTable(checks: readonly CheckResult[], limits: readonly Check[]): string {
  const rows = checks.map(check => {
    const limit = limits.find(each => each.name === check.name);
    const within = limit ? `${Math.round(limit.timeout_ms / 1000)} s` : '';
    const result = [
      CHECK_STATUS_MARKDOWN[check.status],
      ...(check.problem ? [quotedName(check.problem)] : []),
    ].join(': ');
    const cells = [
      quotedName(check.name),
      quotedName(check.command),
      within,
      result,
      counted(check.counts),
      baseOf(check),
    ];
    return `| ${[...cells, String(check.regression_count)].join(' | ')} |`;
  });
  const regressions = checks
    .filter(check => check.regression_count > 0)
    .flatMap(check => regressionLines(check, check.regressions, check.regression_count));
  const flaky = checks.flatMap(check => {
    const names = check.flaky.map(test => `${quotedName(test)} (${quotedName(check.name)})`);
    return truncatedBullets(names, MAX_NAMED, check.flaky_count);
  });
  return [
    'Dure ran these checks on the sealed tree, without the generated tests. The time limit applies each time a check runs.',
    '',
    '| Check | Command | Time limit | Result | Tests | On base | Regressions |',
    '|---|---|---:|---|---|---|---:|',
    ...rows,
    ...introduced('Passes on base, but not on the result:', regressions),
    ...introduced('Flaky, so not counted (different results in two runs on the same tree):', flaky),
  ].join('\n');
}

const counted = (counts: CheckResult['counts']): string =>
  counts === null
    ? 'not named'
    : `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;

const baseOf = ({ base }: CheckResult): string =>
  base === null ? 'not needed' : base.counts ? counted(base.counts) : base.machine;

export function regressionLines(
  check: CheckResult,
  all: CheckResult['regressions'],
  count: number,
): string[] {
  const described = all.map(
    ({ test, how }) =>
      `${test === null ? 'all of' : `${quotedName(test)} of`} ${quotedName(check.name)}: ${OUTCOMES[how]}`,
  );
  return truncatedBullets(described, MAX_NAMED, count);
}
