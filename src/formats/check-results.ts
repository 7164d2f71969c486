/** The results of the project's own checks. */
import { z } from 'zod';
import { countOfList, hash, timestamp } from './schema/common-fields.ts';
import { defineFile } from './schema/define-file.ts';
import { machine, testCounts } from './test-config-and-results.ts';

/** The outcome of one execution of a check. */
export const checkMachine = machine.exclude(['not-run']);

const difference = z.strictObject({
  test: z.string().nullable().describe('null: the whole command, not a single test'),
  how: z
    .enum(['fails', 'missing', 'skipped', 'could-not-run'])
    .describe('what happens on the result; on base, the test passes'),
});

export const check = z.strictObject({
  name: z.string(),
  command: z.string(),
  timeout_ms: z.int().positive(),
});
export type Check = z.infer<typeof check>;

export const checkResult = z.strictObject({
  name: z.string(),
  command: z.string(),
  status: z
    .enum(['pass', 'regression', 'red-on-base', 'could-not-run'])
    .describe('red-on-base: it fails on base too, and nothing that passes on base fails on the result'),
  problem: z.string().nullable().describe('why it could not run, such as an exceeded time limit'),
  counts: testCounts
    .nullable()
    .describe('counts of the tests on the result; null if they are not reported by name'),
  base: z
    .strictObject({ machine: checkMachine, counts: testCounts.nullable() })
    .nullable()
    .describe('null if the check did not have to run on base'),
  regressions: z
    .array(difference)
    .describe('failed twice on the result and passed twice on base; checks.json has the full list'),
  regression_count: z.int().nonnegative(),
  overridden: z
    .array(difference)
    .describe('tests of base that fail on the result and that the Builder changed or removed'),
  overridden_count: z.int().nonnegative(),
  flaky: z.array(z.string()),
  flaky_count: countOfList('flaky'),
  duration_ms: z.number(),
});
export type CheckResult = z.infer<typeof checkResult>;

const checksOutput = z.strictObject({
  executed_at: timestamp,
  duration_ms: z.number(),
  tree: hash.describe('git tree of the result'),
  base_tree: hash,
  changed: z.array(z.string()).describe('files that checks read and that differ from base'),
  checks: z.array(checkResult),
});
export const checksOutputFile = defineFile(
  'verifier/checks.json',
  "The results of the project's own checks. Written by Dure alone.",
  checksOutput,
);
export type ChecksOutput = z.infer<typeof checksOutput>;
