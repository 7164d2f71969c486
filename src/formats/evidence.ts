/** The shape of the evidence for a result: tests, checks, rules and questions. */
import { z } from 'zod';
import { agentSandboxMode } from './agent-sandbox.ts';
import { checkResult } from './check-results.ts';
import { keyReplacedField } from './events/chain-key-fields.ts';
import { missingAfterSetUp } from './missing-after-set-up.ts';
import { rules } from './recorded-agent-rules.ts';
import { hash, vcrId } from './schema/common-fields.ts';
import { defineFile } from './schema/define-file.ts';
import { coverageFields, machine, testCounts } from './test-config-and-results.ts';

const evidence = z.strictObject({
  tests: testCounts.extend(coverageFields),
  files_changed: z.array(z.string()),
  decisions: z.array(vcrId),
  iterations: z.int().positive(),
  logs: z.record(z.string(), z.string()),
  run_id: z.string(),
  base: hash,
  commit: hash,
  tree: hash,
  tests_tree: hash.nullable().describe('null if no tests were run on this result'),
  laid_in: z.array(z.string()).describe("paths of the Verifier's tests in the checkout"),
  test_command: z.string(),
  test_exit_code: z.int().nullable(),
  test_machine: machine,
  sandbox: z
    .enum(['bubblewrap', 'none'])
    .nullable()
    .describe('sandbox that the tests ran in; null if they did not run'),
  no_sandbox_because: z.string().nullable().describe('why there was no sandbox; null if there was one'),
  agents_sandbox: z.enum([...agentSandboxMode.options, 'none']).describe('agent sandbox'),
  command_inputs: z
    .array(
      z.strictObject({
        path: z.string(),
        keys: z.array(z.string()).describe('keys that changed; empty for a file that is read as a whole'),
      }),
    )
    .describe('changed files that configure how tests are run: review them before the test results'),
  equal_names: z
    .array(z.array(z.string()))
    .optional()
    .describe(
      'groups of paths in the result that differ only in case; the result changes at least one file of each group',
    ),
  ...missingAfterSetUp,
  lost_refs: z
    .array(
      z.strictObject({
        ref: z.string().describe('full name; `refs/stash` for a stash entry'),
        object: hash.describe('object that it pointed to, kept under `refs/dure/kept/`'),
        now: hash.nullable().describe('object that it points to now; null: it was deleted'),
      }),
    )
    .optional()
    .describe(
      'tags of the user that were deleted or moved since a launch without a sandbox began; and dropped stash entries and deleted or moved branches whose commit no branch or tag contains',
    ),
  unread_refs: z
    .array(z.string())
    .optional()
    .describe(
      'what may be lost but could not be compared: full names of refs whose objects are gone, or `refs/stash`, `refs/heads/` and `refs/tags/` if git or the record of them could not be read',
    ),
  rules: rules.optional().describe('rules for agents, committed in base, that prompts quoted; absent: none'),
  test_author: z.string().describe('role and backend that wrote the tests'),
  checks: z
    .array(checkResult)
    .describe("the project's own checks on this result; at most the first 20 entries of each list"),
  verdict: z.string(),
  accepted_by_person: z.boolean().describe('the user accepted the result although it did not pass'),
  cost_usd: z.number().nullable(),
  log: z.string().describe('number and chain value of the last line of events.log'),
  ...keyReplacedField,
  cost_complete: z.boolean().describe('false if the cost of a launch is unknown'),
});
export const evidenceFile = defineFile(
  'mrp/evidence.json',
  'The facts about a result, and how to check them.',
  evidence,
);
/** Maximum size of `evidence.json` and `summary.md` in bytes; large, because they name every changed file. */
export const PACK_LIMIT = 64_000_000;
export type Evidence = z.infer<typeof evidence>;
export type LostRef = NonNullable<Evidence['lost_refs']>[number];
