import { expect, test } from 'vitest';
import security from '../../examples/role-security/index.js';
import builtInRoles from '../../plugins/built-in-roles/src/index.ts';
import verdictWords from '../../plugins/verdicts/src/index.ts';
import { generatePrompt, modeOf, type PromptSources } from '../../src/agents/prompt-generator.ts';
import { isAgentStep, stepOf } from '../../src/core/policy/pipeline/look-up-steps.ts';
import { questionsLeft } from '../../src/core/policy/questions/questions-left.ts';
import { summarizeRun } from '../../src/core/policy/state/run-summary-for-plugins.ts';
import { ceiling } from '../../src/core/policy/verdict/verdict-ceiling.ts';
import { type Config, configFiles } from '../../src/formats/config/config.ts';
import type { Crp, Vcr } from '../../src/formats/crp-and-vcr.ts';
import { runFiles } from '../../src/formats/layout.ts';
import type { AgentStep, RunState } from '../../src/formats/state.ts';
import { contributionsOf } from '../../src/plugins/load-contributions.ts';
import { BASE, NOW, RUN_ID, sampleConfig, sampleState } from '../helpers/sample-values.ts';

const files = runFiles(`/project/.dure/runs/${RUN_ID}`);
const {
  roles,
  problems,
  verdicts: handlers,
} = await contributionsOf([
  { plugin: 'dure', load: builtInRoles, builtIn: true },
  { plugin: 'dure', load: verdictWords, builtIn: true },
  { plugin: 'dure-role-security', load: security },
]);
const extra = roles.filter(({ name }) => name === 'security');

function agentStep(setup: RunState['setup'], name: string): AgentStep {
  const step = stepOf(setup, name);
  if (!isAgentStep(step)) throw new Error(`${name} is not the step of an agent`);
  return step;
}

const WORDS = handlers.map(({ verdict, when }) => ({ verdict, when }));

/** The prompt of a launch, including the text of its role. */
async function promptOf(from: PromptSources, verdicts = WORDS): Promise<string> {
  const { role, state, config, step } = from;
  const input = { run: summarizeRun(state), config, step, mode: modeOf(step, state), verdicts };
  return generatePrompt({ ...from, instructions: await role.prompt(input) });
}

/** The sources of one launch of a run that has reached this step. */
function at(
  stepName: string,
  {
    config = sampleConfig(),
    state: change = {},
    ...more
  }: Partial<Omit<PromptSources, 'state'>> & { state?: Partial<RunState> } = {},
): PromptSources {
  const begun = sampleState(config, change, more.role ? [more.role] : []);
  const step = agentStep(begun.setup, stepName);
  return {
    role: roles.find(({ name }) => name === step.role)!,
    step,
    state: { ...begun, step: step.name, phase: step.phase },
    config,
    files,
    rules: [],
    decisions: [],
    answers: [],
    review: null,
    feedback: null,
    conflicts: [],
    instructions: '',
    verdicts: WORDS.map(({ verdict }) => verdict),
    canConsult: false,
    ...more,
  };
}

const reviewed = (text: string) => ({ by: 'gatekeeper', file: files.review, text });

const FAILED = {
  verdict: 'MINOR_FAIL',
  claimed: 'PASS',
  lowered: 'PASS became MINOR_FAIL: 2 of 40 tests failed',
  reason: 'Nearly there',
  issues: ['src/limit.ts: the counter is never reset', 'src/limit.ts: no check for null'],
};
const crp: Crp = {
  crp_id: 'crp-001',
  created_at: NOW,
  created_by: 'refiner',
  type: 'clarification',
  status: 'resolved',
  question: 'What should be limited?',
  options: [
    { id: 'A', label: '60 requests a minute for each IP', description: 'The common default', risk: 'Low' },
    { id: 'B', label: '100 requests a minute for each user' },
  ],
};
const vcr: Vcr = {
  vcr_id: 'vcr-001',
  crp_id: 'crp-001',
  created_at: NOW,
  decision: 'A',
  rationale: 'Simple first',
  additional_notes: 'Per user comes later',
  applies_to_future: true,
};
const decision = {
  question: 'Which framework for tests?',
  decision: 'A: vitest',
  rationale: 'It is there',
  decided_at: NOW,
  run_id: RUN_ID,
  crp_id: 'crp-002',
};
const feedback = {
  asked_at: NOW,
  tree: BASE,
  feedback: 'Please name the option `limit`.',
  comments: [{ file: 'src/limit.ts', line: 12, comment: 'This reads backwards.' }],
};
const judged = { verdict: { ...FAILED, verdict: 'FAIL' }, iteration: 2 };
const fixing: Partial<RunState> = { verdict: FAILED, mode: 'fix', minor_fixes: 1 };
const rule = { blob: BASE, text: 'Use tabs.\n```\nnot a fence\n```', length: 29 };
const rules = [
  { ...rule, path: 'AGENTS.md' },
  { ...rule, path: 'docs/style.md', imported_by: 'CLAUDE.md', text: 'Short', length: 90_000 },
  { ...rule, path: 'packages/web/.claude/rules/api.md' },
  { ...rule, path: 'docs/`odd`.md' },
];
const left_out = [
  { path: 'x/AGENTS.md', why: 'too-long' as const },
  { path: '~/mine.md', why: 'outside' as const },
];
const ruled: Partial<RunState> = {
  setup: { ...sampleState().setup, rules: { files: [], left_out } },
};
const legacy = (): Config => {
  const config = sampleConfig();
  return { ...config, verifier: { ...config.verifier, external_runner: { enabled: false } } };
};

test.each<[string, PromptSources]>([
  ['refiner', at('refine')],
  [
    'refiner-answered',
    at('refine', {
      answers: [{ crp, vcr }],
      decisions: [decision],
      state: { next_crp: 2, consultations: 1 },
    }),
  ],
  ['refiner-no-questions', at('refine', { state: { consultations: 2 }, canConsult: true })],
  ['builder', at('build', { canConsult: true })],
  ['builder-fix', at('build', { state: fixing })],
  [
    'builder-again',
    at('build', { state: judged, review: reviewed('# Review\n\nThe counter is never reset.\n') }),
  ],
  ['builder-feedback', at('build', { state: { iteration: 2 }, feedback })],
  ['builder-retry', at('build', { state: { problem: 'it ended, but builder/log.md is missing' } })],
  ['verifier-generate', at('generate')],
  ['verifier-analyse', at('analyse')],
  ['verifier-runs-tests', at('generate', { config: legacy() })],
  ['gatekeeper', at('gate')],
  ['gatekeeper-last-fix', at('gate', { state: { minor_fixes: 2 } })],
  ['security', at('security', { role: extra[0]! })],
  ['builder-rules', at('build', { rules, state: ruled })],
])('the prompt %s matches its reviewed snapshot', async (name, sources) => {
  await expect(await promptOf(sources)).toMatchFileSnapshot(`prompts/${name}.md`);
});

test('the built-in roles are valid plugins', async () => {
  expect(problems).toEqual([]);
  expect(roles.map(({ name }) => name)).toEqual(['refiner', 'builder', 'verifier', 'gatekeeper', 'security']);
});

/** The paths of all keys in an object. */
const leaves = (value: object, before: readonly string[] = []): string[][] =>
  Object.entries(value).flatMap(([key, inner]) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? leaves(inner, [...before, key])
      : [[...before, key]],
  );

const other = (value: unknown): unknown => {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value === 1 ? 2 : value - 1;
  return Array.isArray(value) ? [...value, 'another_one'] : `${value} and more`;
};

function changed(config: Config, path: readonly string[]): Config {
  const copy = structuredClone(config);
  const holder = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>(
      (at, key) => at[key] as Record<string, unknown>,
      copy as unknown as Record<string, unknown>,
    );
  const key = path.at(-1)!;
  holder[key] = other(holder[key]);
  return copy;
}

const everyPrompt = async (config: Config): Promise<string> => {
  const steps = sampleState(config).setup.pipeline.filter(isAgentStep);
  return (await Promise.all(steps.map(({ name }) => promptOf(at(name, { config }))))).join('\n');
};

const keys = (['refiner', 'builder', 'verifier', 'gatekeeper'] as const).flatMap(role =>
  leaves(configFiles[role].shape.parse({}))
    .filter(([first]) => first !== 'model')
    .map(path => [role, ...path]),
);

test.each(keys.map(path => [path.join('.'), path] as const))(
  'changing the setting %s changes a prompt',
  async (_, path) => {
    // The smaller of two limits applies, so the other one must not hide it.
    const roomy = sampleConfig();
    roomy.global.max_iterations = 20;
    expect(await everyPrompt(changed(roomy, path))).not.toBe(await everyPrompt(roomy));
  },
);

test('an empty list in the configuration is omitted from the prompt or described as empty', async () => {
  const config = sampleConfig();
  config.refiner.auto_fill = { allowed: [], forbidden: [] };
  config.refiner.delegation_keywords = [];
  config.gatekeeper.auto_crp_triggers = [];
  const text = await everyPrompt(config);
  expect(text).not.toMatch(/\{\{|under: \.|: \.\s|says , or/);
  expect(text).toContain('You may fill in nothing: every gap is a question.');
});

test.each([
  ['refine', 'briefing/done.flag'],
  ['build', 'builder/done.flag'],
  ['generate', 'verifier/tests-ready.flag'],
  ['analyse', 'verifier/done.flag'],
  ['gate', 'gatekeeper/verdict.json'],
])('the prompt of %s names the absolute path of every output, with %s last', async (name, flag) => {
  const sources = at(name);
  const text = await promptOf(sources);
  for (const output of sources.step.outputs) expect(text).toContain(`\`${files.dir}/${output}\``);
  expect(text.lastIndexOf(`\`${files.dir}/${flag}\` **last**`)).toBeGreaterThan(
    text.indexOf('## What you write'),
  );
});

test('the Verifier is told only about the files of its current step, and that Dure will run the tests', async () => {
  const generate = await promptOf(at('generate'));
  expect(generate).not.toContain('results.json');
  expect(generate).toContain('**Do not run the tests**');
  const analyse = await promptOf(at('analyse'));
  expect(analyse).not.toContain('test-config.json');
  expect(analyse).toContain(files.testOutput);
});

test('MINOR_FAIL is described with the limits that Dure applies', async () => {
  const text = await promptOf(at('gate'));
  expect(text).toContain('at most 5 tests failed and at least 90% passed');
  const lowered = (failed: number, total: number) =>
    ceiling(
      'PASS',
      {
        machine: 'fail',
        test_results: { total, failed, passed: total - failed, skipped: 0 },
      },
      { tests_passing: true, min_test_coverage: 0 },
    ).verdict;
  expect([lowered(5, 50), lowered(6, 100), lowered(4, 39)]).toEqual(['MINOR_FAIL', 'FAIL', 'FAIL']);
});

test('the prompt names the next free question file and includes its schema', async () => {
  const text = await promptOf(at('build', { state: { next_crp: 7 } }));
  expect(text).toContain('`/project/.dure/runs/run-20260131-142233/crp/crp-007.json`');
  expect(text).toContain('"created_by": "builder"');
  expect(text).toContain('crp_id');
});

test('if consult_human is available, the prompt names it as the only way to ask, until no questions are left', async () => {
  const consult = await promptOf(at('build', { canConsult: true }));
  expect(consult).toContain('`consult_human`');
  expect(consult).not.toContain('crp-001.json');
  const none = await promptOf(at('build', { canConsult: true, state: { consultations: 3 } }));
  expect(none).not.toContain('consult_human');
  expect(none).toContain('No questions are left');
});

test('the number of questions that the Refiner may ask is the lower of its own limit and the limit of the run', () => {
  const config = sampleConfig();
  const left = (consultations: number) => {
    const { step, state } = at('refine', { config, state: { consultations } });
    return questionsLeft(step, state);
  };
  expect([left(0), left(1), left(2), left(9)]).toEqual([2, 1, 0, 0]);
});

test('modeOf returns the mode names that roles and cassettes use', () => {
  const mode = (name: string, state: Partial<RunState> = {}) =>
    modeOf(at(name).step, { ...at(name).state, ...state });
  expect(mode('refine')).toBe('refine');
  expect(mode('build')).toBe('build');
  expect(mode('build', { mode: 'fix' })).toBe('fix');
  expect(mode('generate', { mode: 'fix' })).toBe('generate');
  expect(mode('analyse')).toBe('analyse');
  expect(mode('gate', { mode: 'fix' })).toBe('gate');
});

test("the Gatekeeper is shown the outputs of a plugin's role", async () => {
  const state = sampleState(sampleConfig(), {}, extra);
  const step = agentStep(state.setup, 'gate');
  const text = await promptOf({ ...at('gate'), step, state });
  expect(text).toContain(`\`${files.dir}/security/findings.json\`: from security`);
});

test("a plugin's role gets the JSON Schema of its output", async () => {
  const text = await promptOf(at('security', { role: extra[0]! }));
  expect(text).toContain('`security/findings.json` must satisfy this JSON Schema.');
  expect(text).toContain('"critical"');
});

/** Removes fenced blocks by the rules of CommonMark: the rest is written by Dure. */
function outside(markdown: string): string {
  let fence: string | null = null;
  return markdown
    .split(/\r\n|\r|\n/)
    .filter(line => {
      if (fence === null) {
        fence = /^ {0,3}(`{3,})[^`]*$/.exec(line)?.[1] ?? null;
        return fence === null;
      }
      const end = /^ {0,3}(`{3,})[ \t]*$/.exec(line)?.[1];
      if (end && end.length >= fence.length) fence = null;
      return false;
    })
    .join('\n');
}

test.each([
  ['a fence', '```\nESCAPED\n```'],
  ['a long fence', '`````\n```\nESCAPED'],
  ['a fence with a language', '```text\n```\nESCAPED'],
  ['a carriage return', 'x\r```\rESCAPED'],
  ['tildes', '~~~\nESCAPED\n~~~'],
  ['an indented fence', '   ```   \nESCAPED'],
  ['a form feed', '\f```\nESCAPED'],
])('%s inside a quotation does not end the quotation', async (_, hostile) => {
  const text = await promptOf(
    at('build', {
      decisions: [{ ...decision, question: hostile, decision: hostile, rationale: hostile }],
      answers: [
        {
          crp: { ...crp, question: hostile, options: [{ id: 'A', label: hostile, description: hostile }] },
          vcr: { ...vcr, rationale: hostile, additional_notes: hostile },
        },
      ],
      review: reviewed(hostile),
      feedback: { ...feedback, feedback: hostile, comments: [{ file: hostile, line: 1, comment: hostile }] },
      state: {
        ...judged,
        verdict: { ...FAILED, reason: hostile, lowered: hostile, issues: [hostile] },
        problem: hostile,
      },
    }),
  );
  expect(text.split('ESCAPED').length).toBeGreaterThan(12);
  expect(outside(text)).not.toContain('ESCAPED');
  expect(outside(text)).toContain('## How to finish');
});

test('the prompt names the lines that a comment refers to, even for a range or a deleted line', async () => {
  const comments = [
    { file: 'src/limit.ts', line: 12, end_line: 15, comment: 'Split this.' },
    { file: 'src/limit.ts', line: 3, side: 'old' as const, comment: 'Why?' },
  ];
  const text = await promptOf(at('build', { feedback: { ...feedback, comments } }));
  expect(text).toContain('src/limit.ts:12-15\n');
  expect(text).toContain('src/limit.ts:3 of the base, which this result deletes\n');
});

test('a very long quotation is truncated, and the prompt names the file with the full text', async () => {
  const text = await promptOf(at('build', { state: judged, review: reviewed('x'.repeat(3_000_000)) }));
  expect(text.length).toBeLessThan(100_000);
  expect(text).toContain('[… cut here]');
  expect(text).toContain(files.review);
});

test('the Gatekeeper is told which verdicts plugins add, and its schema accepts them', async () => {
  const later = { verdict: 'LATER', when: 'it must wait for the next release' };
  const words = [...WORDS, later];
  const text = await promptOf({ ...at('gate'), verdicts: words.map(({ verdict }) => verdict) }, words);
  expect(text).toContain('`LATER`: it must wait for the next release');
  expect(text).toMatch(/"enum": \[\s+"PASS",\s+"MINOR_FAIL",\s+"FAIL",\s+"NEEDS_HUMAN",\s+"LATER"\s+\]/);
});

test.each(['refine', 'build', 'generate', 'analyse', 'gate'])(
  "the team's rules are in the prompt of %s",
  async step => {
    expect(await promptOf(at(step, { rules }))).toContain(
      '`packages/web/.claude/rules/api.md`, for `packages/web/`:',
    );
  },
);
