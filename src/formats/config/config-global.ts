/** The shape of `.dure/config/global.json`. */
import { z } from 'zod';
import { SANDBOX_MODES } from '../agent-sandbox.ts';
import { LOG_LEVELS } from '../events/event-types-and-severity.ts';
import {
  isPathInside,
  MAX_EXAM_S,
  role,
  shellCommand,
  shortName,
  timeLimitMs,
} from '../schema/common-fields.ts';
import { backend, count, flag, limit, section } from './setting-shapes.ts';

/** A time limit. The settings page shows a number with this unit as a duration. */
const span = timeLimitMs.meta({ unit: 'ms' });
/** `limited`: what the limit applies to, as the subject of "may run". */
const timeLimit = (minutes: number, limited: string) =>
  span.default(minutes * 60_000).describe(`how long ${limited} may run, in milliseconds`);
const pipelineName = shortName('expected a name such as quick');

export const globalConfig = z.strictObject({
  max_iterations: count(
    { min: 1, max: 50 },
    3,
    'iterations (one build and its verdict each) before you are asked',
  ),
  max_consultations: count(
    { min: 0, max: 50 },
    3,
    'questions that an agent may ask in a phase; when they are used up, it decides for itself and records why',
  ),
  tmux_session_prefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,40}$/, 'expected up to 40 letters, digits, - or _')
    .default('dure')
    .describe('prefix of tmux session names, followed by the run id'),
  web_port: count({ min: 0, max: 65_535 }, 3873, 'port of the web UI; 0: any free port'),
  log_level: z
    .enum(LOG_LEVELS)
    .default('info')
    .describe(
      'lowest level of events that `logs` prints and channels receive; channels always receive events that need a person',
    ),
  timeouts: z
    .object({
      refiner: timeLimit(5, 'the Refiner'),
      builder: timeLimit(10, 'the Builder'),
      verifier: timeLimit(5, 'each step of the Verifier'),
      gatekeeper: timeLimit(5, 'the Gatekeeper'),
    })
    .catchall(span)
    .prefault({})
    .describe('time limits in milliseconds by role, including roles from plugins'),
  roles: z
    .record(role, z.strictObject({ model: z.string().min(1).optional(), backend }))
    .default({})
    .describe('model and backend of plugin roles, by role'),
  timeout_action: z
    .enum(['warn', 'retry', 'stop'])
    .default('warn')
    .describe(
      'what happens when an agent reaches its time limit: `warn` reports it and lets the agent continue, `retry` restarts it, `stop` ends it and asks a person',
    ),
  notifications: section({
    terminal_bell: flag(true, 'ring the terminal bell when a run needs you or ends'),
    system_notify: flag(
      false,
      'show desktop notifications for the same events (notify-send on Linux, osascript on macOS)',
    ),
  }),
  auto_retry: section({
    enabled: flag(true, 'restart a failed agent without asking'),
    max_attempts: count({ min: 0, max: 20 }, 2, 'consecutive restarts of the same step'),
    recoverable_errors: z
      .array(z.enum(['crash', 'timeout', 'validation']))
      .default(['crash', 'timeout', 'validation'])
      .describe('kinds of failures after which the agent is restarted'),
  }),
  pipeline: z
    .string()
    .min(1)
    .default('full')
    .describe('default pipeline of a run: `full`, `quick`, one of `pipelines`, or one from a plugin'),
  pipelines: z
    .record(pipelineName, z.array(pipelineName).min(1))
    .default({})
    .describe(
      'pipelines of the project, by name: the steps in order, such as ["build", "generate", "execute"]',
    ),
  backend: z.string().min(1).default('claude').describe('coding-agent CLI that runs the roles'),
  budget_usd: limit(z.number().positive(), null, 'maximum cost of a run in US dollars'),
  limits: section({
    launches: limit(z.int().min(1), 200, 'launches in a run, by agents and by Dure itself'),
    work_hours: limit(
      z.number().positive(),
      24,
      'hours that a run may work, not counting the time that it spends waiting for you',
    ),
    silence_minutes: limit(z.number().positive(), 30, 'minutes that an agent may go without output'),
    run_gb: limit(z.number().positive(), 50, 'gigabytes that a run and its checkouts may use'),
    project_gb: limit(z.number().positive(), 200, 'gigabytes that all runs of the project may use'),
  }).describe('limits at which a run pauses and asks you'),
  allow_bypass: flag(false, 'your consent to agents running without permission prompts outside a sandbox'),
  sandbox: section({
    mode: z
      .enum(SANDBOX_MODES)
      .default('off')
      .describe(
        'agent sandbox (Linux, bubblewrap): `standard` hides your files, `strict` also blocks network access except to the hosts in `allow`, `off` disables the sandbox; a run does not start if the sandbox does not work',
      ),
    allow: z
      .array(
        z
          .string()
          .regex(/^[A-Za-z0-9.-]+(:\d{1,5})?$/, 'expected a host such as registry.npmjs.org')
          .refine(host => Number(host.split(':')[1] ?? 443) <= 65_535, 'expected a port up to 65535'),
      )
      .default([])
      .describe(
        'hosts that agents may reach in `strict`, besides the API and the package registry: host (HTTPS) or host:port',
      ),
  }),
  workspace: section({
    setup: shellCommand
      .nullable()
      .default(null)
      .describe('command that installs the dependencies in each checkout, e.g. npm ci; null: none'),
    directory: z
      .string()
      .default('.')
      .refine(isPathInside, 'expected a path inside the repository')
      .describe('folder in which tests and checks run, relative to the project, e.g. packages/web'),
    copy: z
      .array(z.string().min(1))
      .default([])
      .describe('files that git ignores but tests need, e.g. .env.test; copied into each checkout'),
  }),
  checks: z
    .array(
      z.strictObject({
        name: shortName('expected a name such as lint').describe(
          'name of the check in results, e.g. test, lint or types',
        ),
        command: shellCommand.max(4000).describe('shell command, run in workspace.directory'),
        timeout_ms: timeLimit(10, 'the command'),
      }),
    )
    .default([])
    .describe(
      "the project's own tests, lint and type check; they run on every result, without the Verifier's tests",
    ),
  commit: section({
    message: z
      .string()
      .min(1)
      .max(4000)
      .default('{title}\n\n{body}')
      .describe(
        'message of the commit that lands a result; `{title}` and `{body}` are from the briefing, `{run}` is the run id',
      ),
    trailers: z
      .array(
        z
          .string()
          .regex(/^[A-Za-z][A-Za-z0-9-]*: .+$/, 'expected a trailer such as Co-authored-by: Name <email>'),
      )
      .default(['Dure-Run: {run}'])
      .describe('last lines of the message, e.g. `Co-authored-by: Claude <noreply@anthropic.com>`'),
    tests: z
      .enum(['ask', 'always', 'never'])
      .default('ask')
      .describe(
        "whether the Verifier's tests land with the result; `ask` asks in a terminal and on the page, and leaves them out otherwise",
      ),
  }),
  rules: section({
    read: flag(
      true,
      'quote the committed AGENTS.md, CLAUDE.md and .claude/rules in the prompts of all roles',
    ),
    add: z
      .array(z.string().min(1).refine(isPathInside, 'expected a path inside the repository'))
      .default([])
      .describe('other committed files that prompts quote, relative to the project, e.g. docs/style.md'),
    skills: z
      .array(
        z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'expected the name of a folder in .claude/skills'),
      )
      .default([])
      .describe('skills that prompts quote: names of committed folders in .claude/skills'),
    mcp_servers: z
      .array(
        z
          .string()
          .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, 'expected the name of an MCP server')
          .refine(name => name !== 'dure', 'the name `dure` is reserved for the server that Dure adds'),
      )
      .default([])
      .describe('MCP servers that agents are started with: names in the committed .mcp.json'),
  }),
  proof: section({
    network: flag(false, 'tests and checks may use the network; otherwise the sandbox has only loopback'),
    exam: flag(
      true,
      'if the tests pass and there are acceptance criteria, examine whether the tests depend on the change: run them on the base commit and on changed versions of the code',
    ),
    rounds: count(
      { min: 0, max: 10 },
      0,
      'how many times the exam runs the tests on base, and on the result; 0: 2 or 3 times, depending on how long they take',
    ),
    budget_s: count(
      { min: 0, max: MAX_EXAM_S },
      90,
      'time limit of the exam, in seconds: after it, no more parts of the change are removed or broken, but the tests still run on base at least twice; 0: remove and break nothing',
    ),
    mutants: count(
      { min: 0, max: 1000 },
      24,
      'maximum number of small faults that the exam plants in the changed lines; it plants more only for tests that claim a criterion and have noticed nothing yet',
    ),
  }),
  server: section({
    idle_minutes: z
      .number()
      .min(0)
      .max(10_080)
      .default(10)
      .describe(
        'minutes after which the server process ends when all runs wait for a person and no page is open; 0: never',
      ),
  }),
});
