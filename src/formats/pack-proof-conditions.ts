/** `mrp/proof.json`: what is needed to repeat the test run of a pack in another clone. Written by Dure alone. */
import { z } from 'zod';
import { isPathInside, runId } from './schema/common-fields.ts';
import { defineFile } from './schema/define-file.ts';

export const testEnvironmentShape = z.strictObject({ node: z.string(), os: z.string(), arch: z.string() });
export type TestEnvironment = z.infer<typeof testEnvironmentShape>;

const proof = z.strictObject({
  version: z.literal(1),
  run_id: runId,
  dure: z.string().describe('version of Dure that ran the tests'),
  setup: z.string().nullable().describe('shell command that installs the dependencies; null: none'),
  directory: z
    .string()
    .refine(isPathInside, 'expected a path inside the repository')
    .describe('folder in the repository where set-up and tests run'),
  copy: z
    .array(z.string())
    .describe("ignored files that were copied from the user's working tree, and are not in the pack"),
  network: z.boolean().describe('the tests were allowed to use the network'),
  environment: testEnvironmentShape.describe('where the tests ran'),
});
export type Proof = z.infer<typeof proof>;

export const proofFile = defineFile(
  'mrp/proof.json',
  'What is needed to repeat the test run in another clone. Written by Dure alone.',
  proof,
);
