/** The four roles of Dure. Their words are in `prompts/`; here is what each takes from the configuration. */
import { type AgentRole, definePlugin, type PromptInput } from 'dure';
import { fill } from './fill.ts';
import builderText from './prompts/builder.md';
import gatekeeperText from './prompts/gatekeeper.md';
import refinerText from './prompts/refiner.md';
import analyseText from './prompts/verifier-analyse.md';
import generateText from './prompts/verifier-generate.md';
import legacyText from './prompts/verifier-legacy.md';

const refiner: AgentRole = {
  name: 'refiner',
  phase: 'refine',
  folder: 'briefing',
  model: 'haiku',
  timeout: 300_000,
  output: [
    { file: 'briefing/refined.md', about: 'the briefing the Builder builds from' },
    { file: 'briefing/clarifications.json', about: 'what you understood, assumed or filled in' },
    { file: 'briefing/log.md', about: 'what you changed and why' },
  ],
  prompt: ({ config }) => fill(refinerText, config.refiner),
};

const builder: AgentRole = {
  name: 'builder',
  phase: 'build',
  after: 'refine',
  model: 'sonnet',
  timeout: 600_000,
  output: [{ file: 'builder/log.md', about: 'every design decision and its reason' }],
  prompt: ({ config, run, mode }) =>
    fill(builderText, {
      ...config.builder,
      house_style: config.builder.style.code_style === 'default',
      fix: mode === 'fix',
      again: mode !== 'fix' && run.iteration > 1,
    }),
};

const verifier: AgentRole = {
  name: 'verifier',
  phase: 'verify',
  after: 'build',
  model: 'haiku',
  timeout: 300_000,
  output: [
    { file: 'verifier/tests', about: 'a folder with the tests you wrote' },
    { file: 'verifier/test-config.json', about: 'how Dure runs them' },
    { file: 'verifier/results.json', about: 'your reading of the results' },
    { file: 'verifier/log.md', about: 'what you tested, what you did not, and why' },
  ],
  prompt: input =>
    fill(verifierText(input), {
      ...input.config.verifier,
      ...howTestsRun(input.config),
      fix: input.run.mode === 'fix',
      again: input.run.iteration > 1,
    }),
};

/** Where the test command runs, and by which commands the project tests itself. */
const howTestsRun = ({ global: { workspace, checks } }: PromptInput['config']) => ({
  cwd: workspace.directory === '.' ? 'the top' : `the folder \`${workspace.directory}\``,
  checks: checks.map(check => `\`${check.command}\``).join(', '),
});

/** Without a step of its own for the analysis, one session does it all. */
function verifierText({ run, mode }: PromptInput): string {
  if (mode === 'analyse') return analyseText;
  return run.setup.pipeline.some(step => step.name === 'analyse') ? generateText : legacyText;
}

const gatekeeper: AgentRole = {
  name: 'gatekeeper',
  phase: 'gate',
  after: 'verify',
  model: 'sonnet',
  timeout: 300_000,
  output: [
    { file: 'gatekeeper/review.md', about: 'the review; on FAIL the Builder works from it' },
    { file: 'gatekeeper/log.md', about: 'what you looked at and how you weighed it' },
    { file: 'gatekeeper/verdict.json', about: 'the verdict' },
  ],
  prompt: ({ config, run }) =>
    fill(gatekeeperText, {
      ...config.gatekeeper,
      iteration: run.iteration,
      last_iteration: run.max_iterations,
      minor_fixes: run.minor_fixes,
      max_minor_fixes: run.setup.max_minor_fixes,
      fixes_used_up: run.minor_fixes >= run.setup.max_minor_fixes,
    }),
};

export default async () => definePlugin({ name: 'agents', roles: [refiner, builder, verifier, gatekeeper] });
