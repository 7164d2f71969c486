/** The shapes of the config files of the four roles. */
import { z } from 'zod';

const model = (name: string) =>
  z.string().min(1).default(name).describe('model name or alias that the backend accepts');
const backend = z.string().min(1).optional().describe('backend of this role; default: as in global.json');

export const refinerConfig = z.strictObject({
  model: model('haiku'),
  backend,
  auto_fill: z
    .strictObject({
      allowed: z
        .array(z.string())
        .default(['numeric_defaults', 'naming', 'file_paths'])
        .describe('kinds of gaps in a briefing that the Refiner may fill in itself'),
      forbidden: z
        .array(z.string())
        .default(['architecture', 'external_deps', 'security'])
        .describe('kinds of decisions that the Refiner must leave to you'),
    })
    .prefault({}),
  delegation_keywords: z
    .array(z.string())
    .default(['appropriately', 'as needed', 'reasonably'])
    .describe('phrases in a briefing that leave a choice to the Refiner'),
  max_refinement_iterations: z
    .int()
    .min(1)
    .max(20)
    .default(2)
    .describe('maximum number of questions that the Refiner may ask'),
});

export const builderConfig = z.strictObject({
  model: model('sonnet'),
  backend,
  style: z
    .strictObject({
      prefer_libraries: z
        .array(z.string())
        .default([])
        .describe('libraries that the Builder prefers and may add without asking'),
      avoid_libraries: z.array(z.string()).default([]).describe('libraries that the Builder must not use'),
      code_style: z
        .string()
        .default('default')
        .describe('description of the code style; default: as in the project'),
    })
    .prefault({}),
  constraints: z
    .strictObject({
      max_file_size_lines: z
        .int()
        .min(1)
        .default(500)
        .describe('maximum lines of a file that the Builder writes or extends'),
      require_types: z
        .boolean()
        .default(false)
        .describe('require explicit types on all exports, and a passing type check'),
    })
    .prefault({}),
});

export const verifierConfig = z.strictObject({
  model: model('haiku'),
  backend,
  test_coverage: z
    .strictObject({
      min_percentage: z
        .number()
        .min(0)
        .max(100)
        .default(80)
        .describe('percentage of the changed lines that the Verifier must cover'),
      require_edge_cases: z.boolean().default(true).describe('the Verifier writes tests for edge cases'),
      require_error_cases: z.boolean().default(true).describe('the Verifier writes tests for error cases'),
    })
    .prefault({}),
  adversarial: z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe('the Verifier looks for inputs that break the result, and writes a test for each'),
      max_attack_vectors: z.int().min(0).max(100).default(5).describe('maximum number of such inputs'),
    })
    .prefault({}),
  external_runner: z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe('Dure alone runs the tests; false: the Verifier runs them first, and Dure runs them again'),
    })
    .prefault({}),
});

export const gatekeeperConfig = z.strictObject({
  model: model('sonnet'),
  backend,
  pass_criteria: z
    .strictObject({
      tests_passing: z
        .boolean()
        .default(true)
        .describe('failed tests lower the verdict; tests that could not run always lower it'),
      no_critical_issues: z
        .boolean()
        .default(true)
        .describe('the Gatekeeper does not give a PASS if it finds a critical issue'),
      min_test_coverage: z
        .number()
        .min(0)
        .max(100)
        .default(80)
        .describe(
          'minimum coverage of added and changed lines in percent; if less is measured, the Verifier adds tests',
        ),
      criteria: z
        .enum(['any', 'claimed', 'all'])
        .default('claimed')
        .describe(
          'which acceptance criteria lower a PASS if the exam of the tests does not prove them: `claimed`: those whose tests prove nothing; `all`: every one that is not confirmed, except those that only a person can judge; `any`: none',
        ),
      min_kill_rate: z
        .number()
        .min(0)
        .max(100)
        .default(0)
        .describe(
          'minimum percentage of the planted faults that the tests must notice in the exam; applies if there are at least five faults',
        ),
    })
    .prefault({}),
  max_iterations: z
    .int()
    .min(1)
    .max(50)
    .default(3)
    .describe('maximum iterations; the smaller of this value and the one in global.json applies'),
  auto_crp_triggers: z
    .array(z.string())
    .default(['security_concern', 'breaking_change', 'external_dependency_addition'])
    .describe('properties of a change that the Gatekeeper always asks you about'),
});
