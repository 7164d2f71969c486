/** The five files of `.dure/config`. Every key has a default, a meaning and an effect. */
import { z } from 'zod';
import { defineFile } from './define.ts';

/** A time limit in milliseconds. */
const ms = (minutes: number, about: string) =>
  z
    .int()
    .min(100)
    .max(86_400_000)
    .default(minutes * 60_000)
    .describe(`milliseconds ${about}`);
export const ERROR_KINDS = ['crash', 'timeout', 'validation', 'permission', 'resource'] as const;
export type ErrorKind = (typeof ERROR_KINDS)[number];

const model = (name: string) =>
  z.string().min(1).default(name).describe('model name or alias of the backend');
const backend = z.string().min(1).optional().describe('backend of this role; default: that of global.json');

const global = z.strictObject({
  max_iterations: z
    .int()
    .min(1)
    .max(50)
    .default(3)
    .describe('how often a result may be built and judged before a person is asked'),
  max_consultations: z
    .int()
    .min(0)
    .max(50)
    .default(3)
    .describe('questions that a phase may ask; after them the agent decides and records why'),
  tmux_session_prefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,40}$/)
    .default('dure')
    .describe('first part of the name of each tmux session; the run id follows'),
  web_port: z.int().min(0).max(65_535).default(3873).describe('port of the pages; 0: any free port'),
  log_level: z
    .enum(['debug', 'info', 'warn', 'error'])
    .default('info')
    .describe(
      'least level of event that `logs` prints and channels hear of; what calls a person is told at any level',
    ),
  timeouts: z
    .strictObject({
      refiner: ms(5, 'that the Refiner may take'),
      builder: ms(10, 'that the Builder may take'),
      verifier: ms(5, 'that the Verifier may take, in each of its steps'),
      gatekeeper: ms(5, 'that the Gatekeeper may take'),
    })
    .prefault({}),
  timeout_action: z
    .enum(['warn', 'retry', 'stop'])
    .default('warn')
    .describe(
      'what happens to an agent whose time is up: `warn` lets it go on and reports it, `retry` starts it anew, `stop` ends it and asks a person',
    ),
  notifications: z
    .strictObject({
      terminal_bell: z
        .boolean()
        .default(true)
        .describe('ring the terminal bell when a run needs a person or has ended'),
      system_notify: z
        .boolean()
        .default(false)
        .describe('show a desktop notification for the same (notify-send on Linux, osascript on macOS)'),
    })
    .prefault({}),
  auto_retry: z
    .strictObject({
      enabled: z.boolean().default(true).describe('start an agent that failed again without asking'),
      max_attempts: z
        .int()
        .min(0)
        .max(20)
        .default(2)
        .describe('how often in a row the same step is started again'),
      recoverable_errors: z
        .array(z.enum(['crash', 'timeout', 'validation']))
        .default(['crash', 'timeout', 'validation'])
        .describe('kinds of failure that are tried again'),
    })
    .prefault({}),
  backend: z.string().min(1).default('claude').describe('coding-agent CLI that plays the roles'),
  budget_usd: z.number().positive().nullable().default(null).describe('most a run may cost; null: no limit'),
  allow_bypass: z
    .boolean()
    .default(false)
    .describe('the explicit word of the person: agents may run without permission prompts outside a sandbox'),
  workspace: z
    .strictObject({
      setup: z
        .string()
        .nullable()
        .default(null)
        .describe('command that installs the dependencies in each fresh checkout, e.g. npm ci; null: none'),
      directory: z
        .string()
        .default('.')
        .refine(
          path => !path.startsWith('/') && !path.split('/').includes('..'),
          'expected a path inside the repository',
        )
        .describe('folder in which tests and checks run, relative to the project, e.g. packages/web'),
      copy: z
        .array(z.string().min(1))
        .default([])
        .describe('files that git ignores and tests need, e.g. .env.test: copied into each checkout'),
    })
    .prefault({}),
  checks: z
    .array(
      z.strictObject({
        name: z
          .string()
          .regex(/^[a-z][a-z0-9-]{0,39}$/)
          .describe('name under which the result is shown, e.g. test, lint or types'),
        command: z.string().min(1).max(4000).describe('shell command, run in workspace.directory'),
        timeout_ms: ms(10, 'that the command may take'),
      }),
    )
    .default([])
    .describe(
      "the project's own tests, lint and type check: run on every result, without the Verifier's tests",
    ),
  proof: z
    .strictObject({
      network: z
        .boolean()
        .default(false)
        .describe('tests and checks may use the network; otherwise the sandbox has loopback alone'),
    })
    .prefault({}),
  server: z
    .strictObject({
      idle_minutes: z
        .number()
        .min(0)
        .max(10_080)
        .default(10)
        .describe(
          'minutes in which all runs wait for a person and no page is open, after which the process that serves them ends; 0: never',
        ),
    })
    .prefault({}),
});

const refiner = z.strictObject({
  model: model('haiku'),
  backend,
  auto_fill: z
    .strictObject({
      allowed: z
        .array(z.string())
        .default(['numeric_defaults', 'naming', 'file_paths'])
        .describe('kinds of gaps in a briefing that the Refiner may fill in by itself'),
      forbidden: z
        .array(z.string())
        .default(['architecture', 'external_deps', 'security'])
        .describe('kinds of decisions that the Refiner must put to a person'),
    })
    .prefault({}),
  delegation_keywords: z
    .array(z.string())
    .default(['appropriately', 'as needed', 'reasonably'])
    .describe('words in a briefing that leave the choice to the Refiner'),
  max_refinement_iterations: z
    .int()
    .min(1)
    .max(20)
    .default(2)
    .describe('times the Refiner may be started for questions'),
});

const builder = z.strictObject({
  model: model('sonnet'),
  backend,
  style: z
    .strictObject({
      prefer_libraries: z
        .array(z.string())
        .default([])
        .describe('libraries that the Builder uses where they fit, without asking'),
      avoid_libraries: z.array(z.string()).default([]).describe('libraries that the Builder does not use'),
      code_style: z
        .string()
        .default('default')
        .describe('code style in words; default: as the project does it'),
    })
    .prefault({}),
  constraints: z
    .strictObject({
      max_file_size_lines: z
        .int()
        .min(1)
        .default(500)
        .describe('most lines that a file the Builder writes or extends may have'),
      require_types: z
        .boolean()
        .default(false)
        .describe('everything exported has explicit types, and the type check passes'),
    })
    .prefault({}),
});

const verifier = z.strictObject({
  model: model('haiku'),
  backend,
  test_coverage: z
    .strictObject({
      min_percentage: z
        .number()
        .min(0)
        .max(100)
        .default(80)
        .describe('percent of the changed lines that the Verifier is asked to cover'),
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
      max_attack_vectors: z
        .int()
        .min(0)
        .max(100)
        .default(5)
        .describe('how many of them it looks for at most'),
    })
    .prefault({}),
  external_runner: z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe('false: the Verifier runs its tests itself; Dure repeats them after it'),
    })
    .prefault({}),
});

const gatekeeper = z.strictObject({
  model: model('sonnet'),
  backend,
  pass_criteria: z
    .strictObject({
      tests_passing: z
        .boolean()
        .default(true)
        .describe('failed tests lower the verdict; tests that could not run always do'),
      no_critical_issues: z
        .boolean()
        .default(true)
        .describe('the Gatekeeper gives no PASS while it sees a critical issue'),
      min_test_coverage: z
        .number()
        .min(0)
        .max(100)
        .default(80)
        .describe('percent of added and changed lines below which a measured coverage sends the tests back'),
    })
    .prefault({}),
  max_iterations: z
    .int()
    .min(1)
    .max(50)
    .default(3)
    .describe('the smaller of this and the one in global.json holds'),
  auto_crp_triggers: z
    .array(z.string())
    .default(['security_concern', 'breaking_change', 'external_dependency_addition'])
    .describe('properties of a change that the Gatekeeper always puts to a person'),
});

export const configFiles = {
  global: defineFile('config/global.json', 'Settings of the project.', global),
  refiner: defineFile('config/refiner.json', 'Settings of the Refiner.', refiner),
  builder: defineFile('config/builder.json', 'Settings of the Builder.', builder),
  verifier: defineFile('config/verifier.json', 'Settings of the Verifier.', verifier),
  gatekeeper: defineFile('config/gatekeeper.json', 'Settings of the Gatekeeper.', gatekeeper),
} as const;
export type ConfigName = keyof typeof configFiles;
export const CONFIG_NAMES = Object.keys(configFiles) as ConfigName[];

/** All five with every default filled in, and what plugins keep under their own names in global.json. */
export interface Config {
  global: z.infer<typeof global>;
  refiner: z.infer<typeof refiner>;
  builder: z.infer<typeof builder>;
  verifier: z.infer<typeof verifier>;
  gatekeeper: z.infer<typeof gatekeeper>;
  plugins: Record<string, unknown>;
}
