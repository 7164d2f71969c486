import { expect, test } from 'vitest';
import { gatherKills } from '../../../src/proof/exam/break-until-tests-fail.ts';
import { NO_OLD_BEHAVIOUR } from '../../../src/proof/exam/ignore-old-behaviour-failures.ts';
import { languageOfFile } from '../../../src/proof/exam/syntax/languages.ts';
import { unitsOf } from '../../../src/proof/exam/units.ts';
import type { VariantRuns } from '../../../src/proof/exam/variants/budgeted-variant-runs.ts';

const HEAD = 'export const zero = 0;\nexport function next(value) {\n  return value + 1;\n}\n';

test('if the time runs out before a fault is planted in a function, a test that notices only the removal of the function has no kills', async () => {
  const code = [
    {
      path: 'a.mjs',
      basePath: 'a.mjs',
      base: 'export const zero = 0;\n',
      head: HEAD,
      language: languageOfFile('a.mjs')!,
      atoms: [{ head: { from: 1, to: 4 }, base: { from: 1, to: 1 } }],
    },
  ];
  const change = { code, others: [] } as unknown as Parameters<typeof gatherKills>[0]['change'];
  const units = unitsOf(change);
  const failures = [{ test: 'a', failure: 'assert' as const }];
  const unitResults = new Map(
    units.map(unit => [unit, { status: 'proven' as const, failures, removedWith: [] }]),
  );
  const runs: VariantRuns = {
    jobs: 1,
    count: 0,
    isOutOfTime: true,
    isNoticed: () => true,
    isEvidence: () => true,
    resultOf: async () => null,
  };
  const { kills } = await gatherKills({
    change,
    units,
    unitResults,
    places: [].values(),
    planted: [],
    isNew: () => true,
    claims: [{ test: 'a', kind: 'behaviour' }],
    oldBehaviour: NO_OLD_BEHAVIOUR,
    keptBehaviourWords: new Set(),
    runs,
    mutants: 8,
  });
  expect(units.some(unit => unit.mayOnlyExist)).toBe(true);
  expect(kills).toEqual([]);
});
