/** What the Verifier writes before and after Dure runs its tests, and what Dure writes about that test run. */
import { z } from 'zod';
import { criterionId } from './exam/acceptance-criteria.ts';
import { countOfList, isPathInside, shellCommand, timestamp } from './schema/common-fields.ts';
import { defineFile } from './schema/define-file.ts';
import { backTo, fault } from './verdict.ts';

const testConfig = z.strictObject({
  test_framework: z.enum(['vitest', 'jest', 'mocha', 'custom']),
  test_command: shellCommand
    .max(4000)
    .describe('run by Dure with sh, in a fresh checkout of the result with the tests in place'),
  test_directory: z
    .string()
    .default('.')
    .refine(isPathInside, 'expected a path inside the checkout')
    .describe('folder of the checkout that is also searched for reports'),
  timeout_ms: z.int().min(1000).max(3_600_000).default(120_000),
  coverage: z.boolean().default(false),
  claims: z
    .record(criterionId, z.strictObject({ tests: z.array(z.string().min(1)).min(1) }))
    .optional()
    .describe(
      'for each acceptance criterion, the ids of its tests as in test-cases.json, or their beginnings followed by `*`; only for tests whose titles do not name it',
    ),
  not_claimed: z
    .record(criterionId, z.string().min(1).max(600))
    .optional()
    .describe('acceptance criteria that no test can prove, each with the reason'),
  created_at: timestamp.optional(),
});
export const testConfigFile = defineFile(
  'verifier/test-config.json',
  'How to run the generated tests.',
  testConfig,
);
export type TestConfig = z.infer<typeof testConfig>;

export const testCounts = z.strictObject({
  total: z.int().nonnegative(),
  passed: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  skipped: z.int().nonnegative(),
});
export type TestCounts = z.infer<typeof testCounts>;

/** The outcome of running the tests, determined by Dure. */
export const machine = z.enum(['pass', 'fail', 'could-not-run', 'not-run']);

/** The recorded coverage of a test run; `test-output.json` lists more of the files that were not measured. */
export const coverageFields = {
  coverage: z.number().nullable().describe('percent of all lines, for information only'),
  changed_coverage: z
    .number()
    .optional()
    .describe('percent of the lines that the result adds or changes; absent: not measured'),
  unmeasured: z
    .array(z.string())
    .optional()
    .describe('changed source files that are not in any coverage report, at most 20'),
  unmeasured_count: countOfList('unmeasured'),
};

/** Whether the tests ran in a sandbox; absent if this was not determined. */
export const inSandbox = {
  sandbox: z.enum(['bubblewrap', 'none']).optional().describe('sandbox of the tests'),
  no_sandbox_because: z.string().optional().describe('why there was no sandbox'),
};

const testOutput = z.strictObject({
  exit_code: z.int().nullable().describe('null if a signal or the time limit ended the command'),
  stdout: z.string().describe('the last 200 kB'),
  stderr: z.string().describe('the last 200 kB'),
  duration_ms: z.number(),
  executed_at: timestamp,
  test_results: testCounts.optional(),
  coverage: z.number().min(0).max(100).optional().describe('percent of all lines, for information only'),
  changed_coverage: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe('percent of the lines that the result adds or changes; absent: not measured'),
  unmeasured: z
    .array(z.string())
    .optional()
    .describe('changed source files that are not in any coverage report, at most 50'),
  unmeasured_count: countOfList('unmeasured'),
  machine,
  problem: z.string().optional().describe('why the tests could not run'),
  back_to: backTo.optional().describe('who has to act if the tests could not run; default: tests'),
  failures: z.array(z.string()).default([]).describe('names of failed tests, at most 50'),
  command: z.string(),
  ...inSandbox,
  tree: z.string().describe('git tree of the tested output'),
  tests_tree: z.string().describe('git tree of the verifier folder that was run'),
  laid_in: z
    .array(z.string())
    .optional()
    .describe("paths of the Verifier's tests in the checkout, relative to its top"),
});
export const testOutputFile = defineFile(
  'verifier/test-output.json',
  'What happened when Dure ran the tests. Written by Dure alone.',
  testOutput,
);
export type TestOutput = z.infer<typeof testOutput>;

const results = z.looseObject({
  total: z.int().nonnegative().optional(),
  passed: z.int().nonnegative().optional(),
  failed: z.int().nonnegative().optional(),
  coverage: z.number().min(0).max(100).optional(),
  summary: z.string().optional(),
  fault,
  failures: z.array(z.union([z.string(), z.looseObject({})])).optional(),
  edge_cases: z.array(z.union([z.string(), z.looseObject({})])).optional(),
});
export const resultsFile = defineFile(
  'verifier/results.json',
  "The Verifier's analysis of the results.",
  results,
);
