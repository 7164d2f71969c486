import { expect, test } from 'vitest';
import { checkVerdict } from '../../src/core/policy/verdict/judge-repeated-check.ts';

type Compared = Parameters<typeof checkVerdict>[0];
type Seen = Partial<Compared>;
const PASSES: Compared = {
  status: 'pass',
  problem: null,
  regressions: [],
  overridden: [],
  overridden_count: 0,
};
const fails = (test: string | null, how: 'fails' | 'could-not-run' = 'fails') => [{ test, how }];
const BREAKS: Seen = { status: 'regression', regressions: fails('it is short') };
const LONG = 'x'.repeat(300);
const overrides = (listed: number, overridden_count = listed): Seen => ({
  overridden: Array.from({ length: listed }, (_, n) => fails(`test ${n}`)).flat(),
  overridden_count,
});
const OVERRIDES: Seen = { overridden: fails('it is short'), overridden_count: 1 };

test.each<[string, Seen, Seen, string | null, string]>([
  ['it passes', {}, {}, null, 'CONFIRMED'],
  [
    'it fails on base and on the result',
    { status: 'red-on-base' },
    { status: 'red-on-base' },
    null,
    'CONFIRMED',
  ],
  ['it fails only where the pack was made', { status: 'red-on-base' }, {}, null, 'CONFIRMED'],
  ['a listed test is overridden', OVERRIDES, OVERRIDES, null, 'CONFIRMED'],
  ['a test breaks', {}, BREAKS, null, 'REFUTED: it is short passes on base, but not on the result'],
  [
    'the command breaks',
    {},
    { status: 'regression', regressions: fails(null) },
    null,
    'REFUTED: the command passes on base, but not on the result',
  ],
  ['a test is overridden', {}, OVERRIDES, null, 'REFUTED: it is short passes on base, but not on the result'],
  [
    'another test is listed',
    { overridden: fails('it is long'), overridden_count: 1 },
    OVERRIDES,
    null,
    'REFUTED: it is short passes on base, but not on the result',
  ],
  [
    'the pack counts tests without listing them',
    { overridden_count: 500 },
    OVERRIDES,
    null,
    'REFUTED: it is short passes on base, but not on the result',
  ],
  [
    'the listed name is shortened',
    { overridden: fails(`${LONG.slice(0, 199)}…`), overridden_count: 1 },
    { overridden: fails(LONG), overridden_count: 1 },
    null,
    'CONFIRMED',
  ],
  ['not all overridden tests fit in the list', overrides(20, 22), overrides(22), null, 'CONFIRMED'],
  [
    'more tests are overridden than the pack counts',
    overrides(20, 22),
    overrides(23),
    null,
    'REFUTED: test 22 passes on base, but not on the result',
  ],
  ['a test breaks, for a known reason', {}, BREAKS, 'no network', 'COULD NOT RUN: no network'],
  ['it passes, although it might not', {}, {}, 'no network', 'CONFIRMED'],
  [
    'it does not end on this machine',
    {},
    { status: 'regression', regressions: fails(null, 'could-not-run'), problem: 'it did not end' },
    null,
    'COULD NOT RUN: it did not end',
  ],
  [
    'it fails on base and on the result, but only on this machine',
    {},
    { status: 'red-on-base' },
    null,
    'COULD NOT RUN: it fails on base too',
  ],
  ['the pack says that it breaks', BREAKS, BREAKS, null, 'NOT CLAIMED: the pack says: regression'],
  [
    'it could not run where the pack was made',
    { status: 'could-not-run' },
    {},
    null,
    'NOT CLAIMED: the pack says: could-not-run',
  ],
])('a check gets the expected verdict if %s', (_, claimed, here, excuse, expected) => {
  const { verdict, reason } = checkVerdict({ ...PASSES, ...claimed }, { ...PASSES, ...here }, excuse);
  expect([verdict, reason].filter(Boolean).join(': ')).toBe(expected);
});
