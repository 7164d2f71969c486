/**
 * The four built-in roles with their steps, and the two built-in pipelines. The instructions are in
 * `prompts/`; this module defines the inputs and outputs of each step, and the settings that are inserted
 * into the instructions.
 */
import { type AgentRole, definePlugin, type Pipeline, type PromptInput } from 'dure';
import { fill } from './fill-template.ts';
import builderText from './prompts/builder.md';
import gatekeeperText from './prompts/gatekeeper.md';
import refinerText from './prompts/refiner.md';
import analyseText from './prompts/verifier-analyse.md';
import generateText from './prompts/verifier-generate.md';
import legacyText from './prompts/verifier-runs-tests.md';

const CLARIFICATIONS = 'briefing/clarifications.json';
const RESULTS = 'verifier/results.json';
const WORKTREE = { file: 'builder/output', about: "a git worktree of the project, with the Builder's work" };
const BUILT = { file: 'briefing/refined.md', about: 'what was supposed to be built' };
const CHECKS = [
  {
    file: 'verifier/checks.json',
    about: "the results of the project's own checks (tests, lint, types), run by Dure",
  },
  { file: 'verifier/checks-log.txt', about: 'the full output of the checks' },
];

const refiner: AgentRole = {
  name: 'refiner',
  folder: 'briefing',
  model: 'haiku',
  timeout: 300_000,
  steps: [
    {
      name: 'refine',
      reads: [
        { file: 'briefing/raw.md', about: 'the briefing, as the person wrote it' },
        { file: 'builder/output', about: 'the project in its current state' },
      ],
      outputs: [
        { file: 'briefing/refined.md', about: 'the briefing for the Builder' },
        { file: CLARIFICATIONS, about: 'what you understood, assumed or filled in', optional: true },
        { file: 'briefing/log.md', about: 'what you changed and why', optional: true },
      ],
      asks: { setting: 'refiner.max_refinement_iterations' },
    },
  ],
  prompt: ({ config }) => fill(refinerText, config.refiner),
};

const builder: AgentRole = {
  name: 'builder',
  model: 'sonnet',
  timeout: 600_000,
  steps: [
    {
      name: 'build',
      yields: 'tree',
      reads: [
        { file: 'briefing/refined.md', about: 'what to build' },
        { file: CLARIFICATIONS, about: 'what was understood, assumed or filled in' },
        { file: 'builder/output', about: 'the project: work here' },
        ...CHECKS,
      ],
      outputs: [{ file: 'builder/log.md', about: 'every design decision and its reason', optional: true }],
    },
  ],
  prompt: ({ config, run, mode, step }) =>
    fill(builderText, {
      ...config.builder,
      house_style: config.builder.style.code_style === 'default',
      refined: step.reads.includes(CLARIFICATIONS),
      fix: mode === 'fix',
      again: mode !== 'fix' && run.iteration > 1,
    }),
};

const TESTS = [
  { file: 'verifier/tests', about: 'a folder with the tests you wrote' },
  { file: 'verifier/test-config.json', about: 'how Dure runs them' },
];
const VERIFIER_LOG = {
  file: 'verifier/log.md',
  about: 'what you tested, what you did not, and why',
  optional: true,
};
const results = { file: RESULTS, about: 'your analysis of the results' };
const EXTERNAL = 'verifier.external_runner.enabled';
const generate = {
  name: 'generate',
  phase: 'verify',
  yields: 'tests',
  reads: [BUILT, WORKTREE],
  clears: [
    'verifier/test-config.json',
    'verifier/test-output.json',
    'verifier/test-log.txt',
    'verifier/test-cases.json',
    'verifier/exam.json',
    RESULTS,
  ],
} as const;

const verifier: AgentRole = {
  name: 'verifier',
  model: 'haiku',
  timeout: 300_000,
  steps: [
    {
      ...generate,
      when: { setting: EXTERNAL, is: true },
      flag: 'verifier/tests-ready.flag',
      outputs: [...TESTS, VERIFIER_LOG],
    },
    // Without the external runner, one session writes and runs the tests; Dure runs them again afterwards.
    { ...generate, when: { setting: EXTERNAL, is: false }, outputs: [...TESTS, results, VERIFIER_LOG] },
    {
      name: 'analyse',
      phase: 'verify',
      when: { setting: EXTERNAL, is: true },
      reads: [
        { file: 'verifier/test-output.json', about: 'the test results, recorded by Dure' },
        { file: 'verifier/test-log.txt', about: 'the full output of the test command' },
        {
          file: 'verifier/exam.json',
          about: 'what the tests do on base and on changed versions of the code, recorded by Dure',
        },
        { file: 'verifier/tests', about: 'the tests' },
        BUILT,
        WORKTREE,
        ...CHECKS,
      ],
      outputs: [results, VERIFIER_LOG],
    },
  ],
  prompt: input =>
    fill(verifierText(input), {
      ...input.config.verifier,
      ...howTestsRun(input.config),
      fix: input.run.mode === 'fix',
      again: input.run.iteration > 1,
    }),
};

/** Says in which folder the test command runs, and lists the commands of the project's own checks. */
const howTestsRun = ({ global: { workspace, checks } }: PromptInput['config']) => ({
  cwd: workspace.directory === '.' ? 'the root' : `the folder \`${workspace.directory}\``,
  checks: checks.map(check => `\`${check.command}\``).join(', '),
});

function verifierText({ step }: PromptInput): string {
  if (step.yields !== 'tests') return analyseText;
  return step.outputs.includes(RESULTS) ? legacyText : generateText;
}

/** The prompt template itself explains these four verdicts. */
const EXPLAINED = ['PASS', 'MINOR_FAIL', 'FAIL', 'NEEDS_HUMAN'];

const furtherVerdicts = (verdicts: PromptInput['verdicts']): string =>
  verdicts
    .filter(({ verdict }) => !EXPLAINED.includes(verdict))
    .map(({ verdict, when }) => `\`${verdict}\`: ${when}`)
    .join('; ');

const gatekeeper: AgentRole = {
  name: 'gatekeeper',
  model: 'sonnet',
  timeout: 300_000,
  steps: [
    {
      name: 'gate',
      yields: 'verdict',
      outputs: [
        {
          file: 'gatekeeper/review.md',
          about: 'the review; on FAIL the Builder starts from it',
          optional: true,
        },
        { file: 'gatekeeper/log.md', about: 'what you checked and how you judged it', optional: true },
        { file: 'gatekeeper/verdict.json', about: 'the verdict' },
      ],
      clears: ['gatekeeper/review.md', 'gatekeeper/verdict.json'],
    },
  ],
  prompt: ({ config, run, verdicts }) =>
    fill(gatekeeperText, {
      ...config.gatekeeper,
      further_verdicts: furtherVerdicts(verdicts),
      iteration: run.iteration,
      last_iteration: run.max_iterations,
      minor_fixes: run.minor_fixes,
      max_minor_fixes: run.max_minor_fixes,
      fixes_used_up: run.minor_fixes >= run.max_minor_fixes,
    }),
};

const pipelines: readonly Pipeline[] = [
  {
    name: 'full',
    about: 'refine, build, verify and gate',
    steps: ['refine', 'build', 'generate', 'execute', 'exam', 'analyse', 'gate'],
  },
  {
    name: 'quick',
    about: 'for small changes: without refining the briefing or analysing the results',
    steps: ['build', 'generate', 'execute', 'gate'],
  },
];

export default async () =>
  definePlugin({ name: 'built-in-roles', roles: [refiner, builder, verifier, gatekeeper], pipelines });
