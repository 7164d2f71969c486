/** Events as human-readable lines. */

import { expect, test } from 'vitest';
import { dureQuestion } from '../../src/core/policy/questions/dure-questions-and-answers.ts';
import { addUsage, spentUsd } from '../../src/core/usage-tracker.ts';
import { type EventType, type RunEvent, runEvent } from '../../src/formats/events/events.ts';
import { errorKind } from '../../src/formats/schema/common-fields.ts';
import { enEvent } from '../../src/words/en-events.ts';
import { koEvent as koreanEvent } from '../../src/words/ko-events.ts';
import { koQuestion } from '../../src/words/ko-questions.ts';
import fc from '../helpers/fast-check-seed.ts';
import { BASE, NOW, RUN_ID, sampleQuestion, sampleState, startedEvent } from '../helpers/sample-values.ts';

const at = { at: NOW };
const agent = { agent: 'builder', step: 'build', launch: 2 };
const tree = { commit: BASE, tree: BASE };
const proof = {
  agent: 'verifier',
  step: 'execute',
  launch: 4,
  exit_code: 1,
  duration_ms: 5432,
  tree: BASE,
  tests_tree: BASE,
};
const crp = {
  crp_id: 'crp-001',
  hash: 'h',
  seen_as: 'crp-001.json',
  question: 'Which limit?',
  crp: sampleQuestion(),
};

const CHECK = {
  name: 'test',
  command: 'npm test',
  status: 'pass' as const,
  problem: null,
  counts: null,
  base: null,
  regressions: [],
  regression_count: 0,
  overridden: [],
  overridden_count: 0,
  flaky: [],
  duration_ms: 900,
};

const REBASE = { asked_at: NOW, onto: 'main', from: tree.commit, base: tree.tree, ...tree };
const pack = { files: {}, pack: BASE };
const SAMPLES: { [T in EventType]: readonly Extract<RunEvent, { type: T }>[] } = {
  'run.started': [startedEvent({ ...at })],
  'run.interrupted': [{ ...at, type: 'run.interrupted', phase: 'build', reason: 'SIGTERM' }],
  'run.resumed': [{ ...at, type: 'run.resumed', phase: 'build' }],
  'workspace.prepared': [{ ...at, type: 'workspace.prepared', duration_ms: 3210 }],
  'agent.started': [
    { ...at, type: 'agent.started', ...agent, iteration: 1 },
    { ...at, type: 'agent.started', agent: 'verifier', step: 'analyse', launch: 5, iteration: 1 },
  ],
  'agent.completed': [{ ...at, type: 'agent.completed', ...agent, duration_ms: 35_000, ...tree }],
  'agent.failed': [{ ...at, type: 'agent.failed', ...agent, kind: 'crash', message: 'exit code 1' }],
  'agent.timeout': [
    { ...at, type: 'agent.timeout', ...agent, action: 'warn', after_ms: 600_100 },
    { ...at, type: 'agent.timeout', ...agent, action: 'retry', after_ms: 7_800_000 },
    { ...at, type: 'agent.timeout', ...agent, action: 'stop', after_ms: 100 },
  ],
  'agent.extended': [{ ...at, type: 'agent.extended', ...agent, ms: 3_600_000, asked_at: NOW }],
  'agent.retried': [{ ...at, type: 'agent.retried', ...agent, asked_at: NOW }],
  'agent.waits': [{ ...at, type: 'agent.waits', ...agent, until: NOW, message: 'rate limit' }],
  'run.delayed': [
    {
      ...at,
      type: 'run.delayed',
      file: '/p/.dure/runs/run-20260721-101500/state.json',
      why: 'the disk is full',
      file_system: '/dev/vda1 on /',
      free_bytes: 0,
    },
    {
      ...at,
      type: 'run.delayed',
      file: '/p/.git',
      why: 'the disk reports an input/output error',
      file_system: null,
      free_bytes: null,
    },
    {
      ...at,
      type: 'run.delayed',
      file: '/p/.dure/runs/run-20260721-101500',
      why: 'an unexpected error',
      file_system: null,
      free_bytes: null,
      message: 'git rev-parse failed: fatal: bad config line 9 in file .git/config',
    },
  ],
  'run.continued': [{ ...at, type: 'run.continued' }],
  'agent.delayed': [{ ...at, type: 'agent.delayed', ...agent, reason: 'the API returned 529 (overloaded)' }],
  'agent.continued': [{ ...at, type: 'agent.continued', ...agent }],
  'agent.exited': [
    {
      ...at,
      type: 'agent.exited',
      ...agent,
      outcome: 'ok',
      kind: null,
      message: '',
      retry_at: null,
      session: null,
      asks: false,
      usage: {
        input_tokens: 1,
        output_tokens: 1,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
        cost_usd: 0.25,
      },
    },
    {
      ...at,
      type: 'agent.exited',
      ...agent,
      outcome: 'lost',
      kind: null,
      message: 'no word',
      retry_at: null,
      session: null,
      asks: false,
      usage: null,
    },
  ],
  'tests.executed': [
    {
      ...at,
      type: 'tests.executed',
      ...proof,
      machine: 'pass',
      coverage: 85,
      counts: { total: 12, passed: 12, failed: 0, skipped: 0 },
    },
    {
      ...at,
      type: 'tests.executed',
      ...proof,
      machine: 'fail',
      coverage: null,
      counts: { total: 12, passed: 10, failed: 2, skipped: 0 },
    },
    {
      ...at,
      type: 'tests.executed',
      ...proof,
      machine: 'could-not-run',
      coverage: null,
      counts: null,
      problem: 'no tests ran',
    },
    { ...at, type: 'tests.executed', ...proof, machine: 'not-run', coverage: null, counts: null },
  ],
  'exam.executed': [
    {
      ...at,
      type: 'exam.executed',
      ...agent,
      agent: 'verifier',
      step: 'exam',
      duration_ms: 900,
      hash: 'c'.repeat(64),
      tree: 'a'.repeat(40),
      tests_tree: 'b'.repeat(40),
      criteria: [
        { id: 'AC-1', status: 'confirmed', reason: null },
        {
          id: 'AC-2',
          status: 'not-claimed',
          failed: 'base',
          reason: 'its test passes without the change too',
        },
        { id: 'AC-3', status: 'look', reason: null },
      ],
    },
    {
      ...at,
      type: 'exam.executed',
      ...agent,
      agent: 'verifier',
      step: 'exam',
      duration_ms: 900,
      hash: 'c'.repeat(64),
      tree: 'a'.repeat(40),
      tests_tree: 'b'.repeat(40),
      criteria: [],
      problem: 'the set-up failed: npm ci',
    },
  ],
  'checks.executed': [
    {
      ...at,
      type: 'checks.executed',
      ...agent,
      agent: 'verifier',
      step: 'checks',
      duration_ms: 4200,
      tree: 'a'.repeat(40),
      base_tree: 'b'.repeat(40),
      checks: [
        CHECK,
        {
          ...CHECK,
          name: 'lint',
          status: 'regression',
          regression_count: 2,
          regressions: [{ test: 'src/a.js > no-unused-vars', how: 'fails' }],
        },
        { ...CHECK, name: 'types', status: 'red-on-base' },
        { ...CHECK, name: 'docs', status: 'could-not-run' },
      ],
    },
  ],
  'verdict.given': [
    {
      ...at,
      type: 'verdict.given',
      ...agent,
      agent: 'gatekeeper',
      step: 'gate',
      verdict: 'PASS',
      claimed: 'PASS',
      lowered: null,
      reason: 'All good',
      issues: [],
      next: 'ready',
    },
    {
      ...at,
      type: 'verdict.given',
      ...agent,
      agent: 'gatekeeper',
      step: 'gate',
      verdict: 'FAIL',
      claimed: 'PASS',
      lowered: '9 of 12 tests failed',
      reason: 'All good',
      issues: [],
      next: 'rework',
    },
  ],
  'crp.created': [
    { ...at, type: 'crp.created', ...crp, agent: 'refiner', why: 'question' },
    { ...at, type: 'crp.created', ...crp, agent: 'builder', why: 'failure' },
  ],
  'vcr.created': [
    {
      ...at,
      type: 'vcr.created',
      vcr_id: 'vcr-001',
      crp_id: 'crp-001',
      decision: 'A',
      rationale: 'MVP',
      effect: 'resume',
      applies_to_future: true,
    },
    {
      ...at,
      type: 'vcr.created',
      vcr_id: 'vcr-002',
      crp_id: 'crp-002',
      decision: 'raise',
      rationale: '',
      effect: 'raise',
      amount_usd: 2.5,
      applies_to_future: false,
    },
  ],
  'iteration.started': [{ ...at, type: 'iteration.started', iteration: 2, reason: 'tests failed' }],
  'iteration.exhausted': [{ ...at, type: 'iteration.exhausted', iteration: 3, reason: 'tests failed' }],
  'mrp.created': [
    { ...at, type: 'mrp.created', ...tree, ...pack, cost_usd: 1.5 },
    { ...at, type: 'mrp.created', ...tree, ...pack, cost_usd: null },
    { ...at, type: 'mrp.created', ...tree, ...pack, cost_usd: null, remade: ['summary.md', 'code'] },
  ],
  'mrp.rejected': [{ ...at, type: 'mrp.rejected', feedback: 1, summary: 'Rename it' }],
  'key.replaced': [{ ...at, type: 'key.replaced', events: 7 }],
  'decision.refused': [
    { ...at, type: 'decision.refused', file: 'vcr/vcr-001.json', hash: 'abc', problem: 'it has no proof' },
  ],
  'approval.refused': [{ ...at, type: 'approval.refused', reason: 'the checkout is dirty', asked_at: NOW }],
  'run.rebased': [
    { ...at, type: 'run.rebased', ...REBASE, same_patch: true, conflicts: [] },
    { ...at, type: 'run.rebased', ...REBASE, same_patch: false, conflicts: [] },
    {
      ...at,
      type: 'run.rebased',
      ...REBASE,
      same_patch: false,
      conflicts: [{ path: 'src/a.ts', how: 'both-changed' }],
    },
  ],
  'rebase.refused': [
    { ...at, type: 'rebase.refused', reason: 'main already has the changes', asked_at: NOW },
  ],
  'exam.extended': [{ ...at, type: 'exam.extended', budget_s: 600, asked_at: NOW }],
  'run.completed': [
    { ...at, type: 'run.completed', how: 'merge', merged: true, into: 'main', ...tree },
    { ...at, type: 'run.completed', how: 'branch', merged: false, into: `dure/${RUN_ID}`, ...tree },
    { ...at, type: 'run.completed', how: 'pr', merged: false, into: 'https://example.com/pull/1', ...tree },
    { ...at, type: 'run.completed', how: 'branch', merged: false, into: null, ...tree },
    { ...at, type: 'run.completed', how: 'merge', merged: true, into: null, ...tree },
  ],
  'run.failed': [{ ...at, type: 'run.failed', reason: 'the person stopped it (vcr-001)' }],
  'run.stopped': [{ ...at, type: 'run.stopped', reason: 'stopped by a person' }],
};
const everyEvent = Object.values(SAMPLES).flat();

test('every event has a one-line description', () => {
  for (const one of everyEvent) expect(runEvent.safeParse(one).error).toBeUndefined();
  expect(everyEvent.map(one => `${one.type}: ${enEvent(one)}`).join('\n')).toMatchInlineSnapshot(`
    "run.started: run-20260131-142233 started
    run.interrupted: Interrupted in build: SIGTERM
    run.resumed: Resumed in build
    workspace.prepared: Workspace prepared in 3.2 s
    agent.started: Builder started, iteration 1, launch 2
    agent.started: Verifier (analysis) started, iteration 1, launch 5
    agent.completed: Builder done after 35 s
    agent.failed: Builder failed (crash): exit code 1
    agent.timeout: Builder exceeded its time limit after 10 min: it is still running. Give it more time with \`dure extend\`, restart it with \`dure retry\`, or stop the run with \`dure stop\`
    agent.timeout: Builder exceeded its time limit after 2 h 10 min: restarting it
    agent.timeout: Builder exceeded its time limit after 0.1 s: asking for a decision
    agent.extended: Builder: time limit extended by 1 h
    agent.retried: Builder restarted on request
    agent.waits: Builder is waiting until 2026-01-31T14:22:33.000Z: rate limit
    run.delayed: Waiting for the disk: /p/.dure/runs/run-20260721-101500/state.json cannot be used: the disk is full (/dev/vda1 on /, 0 MB free)
    run.delayed: Waiting for the disk: /p/.git cannot be used: the disk reports an input/output error
    run.delayed: Retrying after an error: git rev-parse failed: fatal: bad config line 9 in file .git/config
    run.continued: The run continues: the problem is gone
    agent.delayed: Builder is waiting for its API: the API returned 529 (overloaded)
    agent.continued: Builder continues: its API responds again
    agent.exited: Builder ended (launch 2): ok, $0.25
    agent.exited: Builder ended (launch 2): lost, no word
    tests.executed: Tests passed: 12 of 12, 85% covered
    tests.executed: Tests failed: 2 of 12
    tests.executed: Tests could not be run: no tests ran
    tests.executed: Tests were not run
    exam.executed: Tests examined: 1 of 2 criteria confirmed; AC-2: its test passes without the change too
    exam.executed: The tests could not be examined: the set-up failed: npm ci
    checks.executed: The project's own checks: test passed; lint regressed (2: src/a.js > no-unused-vars); types fails on base too; docs could not run
    verdict.given: Verdict PASS: All good
    verdict.given: Verdict FAIL, lowered (9 of 12 tests failed): All good
    crp.created: Refiner asks (crp-001): Which limit?
    crp.created: Dure asks (crp-001): Which limit?
    vcr.created: crp-001 was answered: A (MVP)
    vcr.created: crp-002 was answered: raise $2.5
    iteration.started: Iteration 2 started: tests failed
    iteration.exhausted: No iterations left after iteration 3: tests failed
    mrp.created: Ready for review, cost $1.50
    mrp.created: Ready for review
    mrp.created: The pack was recreated because it had been modified: summary.md, code
    mrp.rejected: Changes requested: Rename it
    key.replaced: The run has a new key. 7 earlier events could not be checked
    decision.refused: Ignored vcr/vcr-001.json: it has no proof. Use \`dure answer\` instead
    approval.refused: Not merged: the checkout is dirty
    run.rebased: Rebased onto main (aaaaaaaaaa): the changes are the same
    run.rebased: Rebased onto main (aaaaaaaaaa): the changes differ, so they are judged again
    run.rebased: Rebased onto main (aaaaaaaaaa), with conflicts in src/a.ts
    rebase.refused: Not rebased: main already has the changes
    exam.extended: The exam of the tests continues for up to 10 min
    run.completed: Completed: merged into main
    run.completed: Completed: the result is on dure/run-20260131-142233
    run.completed: Completed: pull request https://example.com/pull/1
    run.completed: Completed: the result is on a separate branch
    run.completed: Completed: merged into the project
    run.failed: The run failed: the person stopped it (vcr-001)
    run.stopped: The run was stopped: stopped by a person"
  `);
});

test('text from agents or people cannot inject line breaks or terminal control characters', () => {
  const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), text => {
      const said = enEvent({
        ...at,
        type: 'crp.created',
        ...crp,
        agent: 'refiner',
        why: 'question',
        question: text,
      });
      expect(said).not.toMatch(UNSAFE);
      expect([...said].length).toBeLessThanOrEqual(300);
    }),
  );
});

test('escape sequences and line breaks become spaces', () => {
  const failed: RunEvent = { ...at, type: 'run.failed', reason: 'a\u001b[2J\r\nb\u0007' };
  expect(enEvent(failed)).toBe('The run failed: a [2J b');
});

test('every event has a Korean description, with text from agents and people unchanged', () => {
  const amounts = (text: string) => text.match(/\$[\d.]+/g);
  for (const one of everyEvent) {
    expect(koreanEvent(one)).toMatch(/[가-힣]/);
    expect(amounts(koreanEvent(one))).toEqual(amounts(enEvent(one)));
  }
  const failed = { ...at, type: 'agent.failed' as const, ...agent };
  for (const kind of errorKind.options)
    expect(koreanEvent({ ...failed, kind, message: 'exit code 1' })).toMatch(
      /^빌더 실패 \([가-힣 ]+\): exit code 1$/,
    );
});

const NO_TOKENS = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

test('small amounts of money are formatted the same in events and in other views', () => {
  const exited: RunEvent = {
    ...at,
    type: 'agent.exited',
    ...agent,
    outcome: 'ok',
    kind: null,
    message: '',
    retry_at: null,
    session: null,
    asks: false,
    usage: { ...NO_TOKENS, cost_usd: 0.003 },
  };
  expect(enEvent(exited)).toContain('$0.0030');
  expect(koreanEvent(exited)).toContain('$0.0030');
});

test('a cost is the exact sum of its parts', () => {
  const usage = (cost_usd: number) => addUsage(undefined, { ...NO_TOKENS, cost_usd });
  const state = { ...sampleState(), usage: { refiner: usage(0.1), builder: usage(0.2) } };
  expect(spentUsd(state)).toBe(0.3);
  expect(addUsage(usage(0.1), { ...NO_TOKENS, cost_usd: 0.2 }).cost_usd).toBe(0.3);
});

test("Dure's own questions are shown in Korean, with every option; agents' questions stay as they are", () => {
  const state = { ...sampleState(), sealed: { build: tree }, step: 'generate' };
  for (const why of [
    'failure',
    'setup',
    'exhausted',
    'unproven',
    'budget',
    'pack',
    'disk',
    'silence',
  ] as const) {
    const crp = dureQuestion(state, 'crp-001', why, 'The context.', NOW);
    const shown = koQuestion(crp);
    expect(shown.question).toMatch(/[가-힣]/);
    expect(shown.options.map(({ id }) => id)).toEqual(crp.options.map(({ id }) => id));
    for (const { label, description = '가', risk = '가' } of shown.options)
      for (const text of [label, description, risk]) expect(text, text).toMatch(/[가-힣]/);
    expect(koQuestion({ ...crp, created_by: 'builder' }).question).toBe(crp.question);
    const created: RunEvent = {
      ...at,
      type: 'crp.created',
      crp_id: 'crp-001',
      question: crp.question,
      agent: 'dure',
      hash: 'h',
      seen_as: 'x',
      why,
      crp,
    };
    expect(koreanEvent(created)).not.toContain('What should happen next');
  }
});
