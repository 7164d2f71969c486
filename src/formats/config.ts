/** The five files of `.dure/config`. Every key has a default, a meaning and an effect. */
import { z } from 'zod';
import { defineFile } from './define.ts';

const ms = (minutes: number) =>
  z
    .int()
    .min(100)
    .max(86_400_000)
    .default(minutes * 60_000)
    .describe('milliseconds');
export const ERROR_KINDS = ['crash', 'timeout', 'validation', 'permission', 'resource'] as const;
export type ErrorKind = (typeof ERROR_KINDS)[number];

const model = (name: string) =>
  z.string().min(1).default(name).describe('model name or alias of the backend');
const backend = z.string().min(1).optional().describe('backend of this role; default: that of global.json');

const global = z.strictObject({
  max_iterations: z.int().min(1).max(50).default(3),
  max_consultations: z.int().min(0).max(50).default(3).describe('questions a phase may ask'),
  tmux_session_prefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,40}$/)
    .default('dure'),
  web_port: z.int().min(0).max(65_535).default(3873).describe('0: any free port'),
  log_level: z
    .enum(['debug', 'info', 'warn', 'error'])
    .default('info')
    .describe(
      'least level of event that `logs` prints and channels hear of; what calls a person is told at any level',
    ),
  timeouts: z
    .strictObject({ refiner: ms(5), builder: ms(10), verifier: ms(5), gatekeeper: ms(5) })
    .prefault({}),
  timeout_action: z.enum(['warn', 'retry', 'stop']).default('warn'),
  notifications: z
    .strictObject({ terminal_bell: z.boolean().default(true), system_notify: z.boolean().default(false) })
    .prefault({}),
  auto_retry: z
    .strictObject({
      enabled: z.boolean().default(true),
      max_attempts: z.int().min(0).max(20).default(2),
      recoverable_errors: z
        .array(z.enum(['crash', 'timeout', 'validation']))
        .default(['crash', 'timeout', 'validation']),
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
        name: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/),
        command: z.string().min(1).max(4000),
        timeout_ms: ms(10),
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
        .describe('minutes without work or an open page after which the server ends; 0: never'),
    })
    .prefault({}),
});

const refiner = z.strictObject({
  model: model('haiku'),
  backend,
  auto_fill: z
    .strictObject({
      allowed: z.array(z.string()).default(['numeric_defaults', 'naming', 'file_paths']),
      forbidden: z.array(z.string()).default(['architecture', 'external_deps', 'security']),
    })
    .prefault({}),
  delegation_keywords: z.array(z.string()).default(['appropriately', 'as needed', 'reasonably']),
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
      prefer_libraries: z.array(z.string()).default([]),
      avoid_libraries: z.array(z.string()).default([]),
      code_style: z.string().default('default'),
    })
    .prefault({}),
  constraints: z
    .strictObject({
      max_file_size_lines: z.int().min(1).default(500),
      require_types: z.boolean().default(false),
    })
    .prefault({}),
});

const verifier = z.strictObject({
  model: model('haiku'),
  backend,
  test_coverage: z
    .strictObject({
      min_percentage: z.number().min(0).max(100).default(80),
      require_edge_cases: z.boolean().default(true),
      require_error_cases: z.boolean().default(true),
    })
    .prefault({}),
  adversarial: z
    .strictObject({
      enabled: z.boolean().default(true),
      max_attack_vectors: z.int().min(0).max(100).default(5),
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
      tests_passing: z.boolean().default(true),
      no_critical_issues: z.boolean().default(true),
      min_test_coverage: z.number().min(0).max(100).default(80),
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
    .default(['security_concern', 'breaking_change', 'external_dependency_addition']),
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
