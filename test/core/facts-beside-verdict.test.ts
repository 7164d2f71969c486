import { expect, it } from 'vitest';
import { factsBesideVerdict } from '../../src/core/run/pack/facts-beside-verdict.ts';

const passed = { verdict: 'PASS', accepted_by_person: false, test_machine: 'pass', checks: [] } as const;

it.each([
  [[], { tone: 'warn', passed: 0, regressed: 0, total: 0 }],
  [['pass', 'pass'], { tone: 'good', passed: 2, regressed: 0, total: 2 }],
  [['pass', 'could-not-run'], { tone: 'warn', passed: 1, regressed: 0, total: 2 }],
  [['red-on-base'], { tone: 'warn', passed: 0, regressed: 0, total: 1 }],
  [['pass', 'could-not-run', 'regression'], { tone: 'bad', passed: 1, regressed: 1, total: 3 }],
] as const)(
  'the checks get the tone `good` only if there is at least one and all of them passed: %j',
  (statuses, summary) => {
    const checks = statuses.map(status => ({ status }));
    expect(factsBesideVerdict({ ...passed, checks }).checks).toEqual(summary);
  },
);

it('factsBesideVerdict says whether a person accepted the result, and whether it was accepted without proof', () => {
  const accepted = (more: object) => factsBesideVerdict({ ...passed, ...more }).verdict.accepted;
  expect(accepted({})).toBeNull();
  expect(accepted({ accepted_by_person: true })).toBe('accepted');
  expect(accepted({ accepted_by_person: true, test_machine: 'not-run' })).toBe('withoutProof');
});
