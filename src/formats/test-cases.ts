/** Every test that a run of the Verifier's tests reported, by name. Written by Dure alone. */
import { z } from 'zod';
import { defineFile } from './schema/define-file.ts';
import { machine } from './test-config-and-results.ts';

export const failureKind = z.enum(['assert', 'load', 'error', 'timeout']);
/**
 * How a test failed. `assert`: an assertion of the test failed. `load`: the file could not be loaded. `timeout`:
 * the test exceeded its time limit. `error`: anything else.
 */
export type FailureKind = z.infer<typeof failureKind>;

const testCaseResult = z.strictObject({
  id: z.string().describe('file or class and the full title, the same in every run; compared as a whole'),
  outcome: z.enum(['pass', 'fail', 'skip', 'todo']),
  failure: failureKind.optional().describe('how it failed'),
  line: z.string().optional().describe('first line of the failure, at most 300 characters'),
});
export type TestCaseResult = z.infer<typeof testCaseResult>;

const testCases = z.strictObject({
  tree: z.string().describe('git tree of the tested output'),
  tests_tree: z.string().describe('git tree of the verifier folder that was run'),
  side: z.enum(['head', 'base']),
  machine,
  problem: z.string().optional().describe('why the tests could not run'),
  ended: z.boolean().describe('false if the report is incomplete: a test that is not listed may exist'),
  cases: z
    .array(testCaseResult)
    .describe('empty if the test command reports no names; a cancelled test is not listed'),
  cut: z.literal(true).optional().describe('further cases were left out because the file would be too large'),
});
export type TestCases = z.infer<typeof testCases>;

export const testCasesFile = defineFile(
  'verifier/test-cases.json',
  'Every test that the test command reported, by name. Written by Dure alone.',
  testCases,
);
