/** What a pack says of the project's own checks. Pure. Names of tests are of others, and stand in it through `quoting.ts`. */
import type { CheckResult } from '../formats/checks.ts';
import { name } from './quoting.ts';

const MOST_NAMED = 20;

/** Opens the pack. */
export function overridden(checks: readonly CheckResult[]): string[] {
  const found = checks.filter(check => check.overridden_count > 0);
  if (found.length === 0) return [];
  const lines = [
    '**Warning: these tests of the base fail on the result; the Builder changed or removed them, or what runs them.** Read what it made of them before you approve:',
    '',
    ...found.flatMap(check => listed(check, check.overridden, check.overridden_count)),
  ];
  return [lines.join('\n')];
}

const isIncomparable = ({ status, base }: CheckResult): boolean => status === 'red-on-base' && !base?.counts;

/** Opens the pack too: what fails everywhere and names nothing would not have found anything. */
export function incomparable(checks: readonly CheckResult[]): string[] {
  const found = checks.filter(isIncomparable).map(check => name(check.name));
  return found.length === 0
    ? []
    : [
        `**Warning: these checks of the project prove nothing here: ${found.join(', ')}.** They fail on base as on the result, and do not name the tests that do.`,
      ];
}

const STATUS: Record<CheckResult['status'], string> = {
  pass: 'passed',
  regression: '**broken**',
  'red-on-base': 'fails, as on base',
  'could-not-run': 'could not be run, nor on base',
};

export function checksTable(checks: readonly CheckResult[]): string {
  const rows = checks.map(check => {
    const result = [STATUS[check.status], ...(check.problem ? [name(check.problem)] : [])].join(': ');
    const cells = [name(check.name), name(check.command), result, counted(check.counts), baseOf(check)];
    return `| ${[...cells, String(check.regression_count)].join(' | ')} |`;
  });
  const broken = checks.filter(check => check.regression_count > 0);
  const flaky = checks.flatMap(check => check.flaky.map(test => `- ${name(test)} (${name(check.name)})`));
  return [
    'Dure ran them on the sealed tree, without the tests of the Verifier.',
    '',
    '| Check | Command | Result | Tests | On base | Regressions |',
    '|---|---|---|---|---|---:|',
    ...rows,
    ...(broken.length > 0
      ? ['', 'Passes on base, and not on the result:', '', ...broken.flatMap(regressionsOf)]
      : []),
    ...(flaky.length > 0
      ? ['', 'Flaky, and held against nobody: not the same in two runs on the same tree:', '', ...flaky]
      : []),
  ].join('\n');
}

const counted = (counts: CheckResult['counts']): string =>
  counts === null
    ? 'not named'
    : `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;

const baseOf = ({ base }: CheckResult): string =>
  base === null ? 'not needed' : base.counts ? counted(base.counts) : base.machine;

const regressionsOf = (check: CheckResult): string[] =>
  listed(check, check.regressions, check.regression_count);

function listed(check: CheckResult, all: CheckResult['regressions'], count: number): string[] {
  const shown = all.slice(0, MOST_NAMED);
  const more = count > shown.length ? [`- and ${count - shown.length} more`] : [];
  return [
    ...shown.map(
      ({ test, how }) =>
        `- ${test === null ? 'all of' : `${name(test)} of`} ${name(check.name)}: ${HOW[how]}`,
    ),
    ...more,
  ];
}

const HOW = {
  fails: 'fails',
  missing: 'is not reported any more',
  skipped: 'is skipped now',
  'could-not-run': 'cannot be run',
} as const;
