/** The shapes of the config files of the four roles. */
import { z } from 'zod';
import { backend, count, flag, percentage, section, texts } from './setting-shapes.ts';

const model = (name: string) =>
  z.string().min(1).default(name).describe('model name or alias that the backend accepts');

export const refinerConfig = z.strictObject({
  model: model('haiku'),
  backend,
  auto_fill: section({
    allowed: texts(
      ['numeric_defaults', 'naming', 'file_paths'],
      'kinds of gaps in a briefing that the Refiner may fill in itself',
    ),
    forbidden: texts(
      ['architecture', 'external_deps', 'security'],
      'kinds of decisions that the Refiner must leave to you',
    ),
  }),
  delegation_keywords: texts(
    ['appropriately', 'as needed', 'reasonably'],
    'phrases in a briefing that leave a choice to the Refiner',
  ),
  max_refinement_iterations: count(
    { min: 1, max: 20 },
    2,
    'maximum number of questions that the Refiner may ask',
  ),
});

export const builderConfig = z.strictObject({
  model: model('sonnet'),
  backend,
  style: section({
    prefer_libraries: texts([], 'libraries that the Builder prefers and may add without asking'),
    avoid_libraries: texts([], 'libraries that the Builder must not use'),
    code_style: z
      .string()
      .default('default')
      .describe('description of the code style; default: as in the project'),
  }),
  constraints: section({
    max_file_size_lines: count({ min: 1 }, 500, 'maximum lines of a file that the Builder writes or extends'),
    require_types: flag(false, 'require explicit types on all exports, and a passing type check'),
  }),
});

export const verifierConfig = z.strictObject({
  model: model('haiku'),
  backend,
  test_coverage: section({
    min_percentage: percentage(80, 'percentage of the changed lines that the Verifier must cover'),
    require_edge_cases: flag(true, 'the Verifier writes tests for edge cases'),
    require_error_cases: flag(true, 'the Verifier writes tests for error cases'),
  }),
  adversarial: section({
    enabled: flag(true, 'the Verifier looks for inputs that break the result, and writes a test for each'),
    max_attack_vectors: count({ min: 0, max: 100 }, 5, 'maximum number of such inputs'),
  }),
  external_runner: section({
    enabled: flag(
      true,
      'Dure alone runs the tests; false: the Verifier runs them first, and Dure runs them again',
    ),
  }),
});

export const gatekeeperConfig = z.strictObject({
  model: model('sonnet'),
  backend,
  pass_criteria: section({
    tests_passing: flag(true, 'failed tests lower the verdict; tests that could not run always lower it'),
    no_critical_issues: flag(true, 'the Gatekeeper does not give a PASS if it finds a critical issue'),
    min_test_coverage: percentage(
      80,
      'minimum coverage of added and changed lines in percent; if less is measured, the Verifier adds tests',
    ),
    criteria: z
      .enum(['any', 'claimed', 'all'])
      .default('claimed')
      .describe(
        'which acceptance criteria lower a PASS if the exam of the tests does not prove them: `claimed`: those whose tests prove nothing; `all`: every one that is not confirmed, except those that only a person can judge; `any`: none',
      ),
    min_kill_rate: percentage(
      0,
      'minimum percentage of the planted faults that the tests must notice in the exam; applies if there are at least five faults',
    ),
  }),
  max_iterations: count(
    { min: 1, max: 50 },
    3,
    'maximum iterations; the smaller of this value and the one in global.json applies',
  ),
  auto_crp_triggers: texts(
    ['security_concern', 'breaking_change', 'external_dependency_addition'],
    'properties of a change that the Gatekeeper always asks you about',
  ),
});
