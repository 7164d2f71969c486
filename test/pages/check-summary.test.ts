import { expect, it } from 'vitest';
import { summarizeChecks } from '../../src/server/ui/check-summary.ts';

it.each([
  [['pass', 'pass'], { tone: 'good', passed: 2, regressed: 0, total: 2 }],
  [['pass', 'could-not-run'], { tone: 'warn', passed: 1, regressed: 0, total: 2 }],
  [['red-on-base'], { tone: 'warn', passed: 0, regressed: 0, total: 1 }],
  [['pass', 'could-not-run', 'regression'], { tone: 'bad', passed: 1, regressed: 1, total: 3 }],
] as const)('only a check with the status pass counts as passed: %j', (statuses, summary) => {
  expect(summarizeChecks(statuses.map(status => ({ status })))).toEqual(summary);
});
