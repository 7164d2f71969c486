/** Cases that no transcript contains: files and exits that appear during an observation, and clock changes. */
import { expect, test } from 'vitest';
import { decide } from '../../src/core/policy/decide.ts';
import { decideOnStepResult } from '../../src/core/policy/decide-on-step-result.ts';
import { desired } from '../../src/core/policy/desired-launch.ts';
import { evolve } from '../../src/core/policy/evolve.ts';
import type { Observation } from '../../src/core/policy/observation.ts';
import { NOTHING_ELSE } from '../../src/core/policy/predict-driver-transition.ts';
import { dureQuestion } from '../../src/core/policy/questions/dure-questions-and-answers.ts';
import { deadlineOf } from '../../src/core/policy/run-limits.ts';
import { rememberReplaced } from '../../src/core/run/effects/restore-replaced-folders.ts';
import { minimalExit } from '../../src/formats/build-minimal-exit.ts';
import type { RunEvent } from '../../src/formats/events/events.ts';
import type { Exit } from '../../src/formats/launch.ts';
import type { RunState } from '../../src/formats/state.ts';
import { examWith } from '../helpers/sample-exam.ts';
import { BASE, sampleState } from '../helpers/sample-values.ts';

const at = '2026-01-31T14:23:00.000Z';
const nothing: Observation = {
  ...NOTHING_ELSE,
  at,
  claim: {},
  answers: [],
  unproven: null,
  requests: {},
  feedback: null,
};

/** An agent is running at this step. */
const working = (step: string): RunState => {
  const state = sampleState();
  const { phase, role } = state.setup.pipeline.find(one => one.name === step)!;
  return evolve(
    { ...state, step, phase, launch: 7 },
    { at, type: 'agent.started', agent: role, step, launch: 7, iteration: 1 },
  );
};

test.each(['execute', 'gate'])(
  'a result of %s that appears during an observation is ignored until the next observation',
  step => {
    expect(decide(working(step), { ...nothing, flag: true })).toBeNull();
  },
);

test("if an agent replaces a folder before the agent's start is recorded, its launch fails once the start is recorded", () => {
  const withReplaced = rememberReplaced();
  const started = working('build');
  const before: RunState = { ...started, since: null };
  const claimed = { ...nothing, claim: {} };
  const first = decide(before, withReplaced(before, { ...claimed, replaced: ['crp (a file)'] }));
  expect(first).toMatchObject({ type: 'agent.started', step: 'build', launch: 7 });
  expect(decide(started, withReplaced(started, claimed))).toMatchObject({
    type: 'agent.failed',
    kind: 'validation',
    message: 'folders of the run were replaced: crp (a file)',
  });
  expect(decide(started, withReplaced(started, claimed))).toBeNull();
});

test('a folder that was replaced before a launch was claimed does not make the launch fail', () => {
  const withReplaced = rememberReplaced();
  const started = working('build');
  const before: RunState = { ...started, since: null };
  withReplaced(before, { ...nothing, claim: null, replaced: ['crp (a file)'] });
  expect(decide(started, withReplaced(started, nothing))).toBeNull();
});

test('an exit is recorded before anything else, even if the run is over', () => {
  const stopped = evolve(working('build'), { at, type: 'run.stopped', reason: 'enough' });
  const exit = minimalExit(7, { outcome: 'stopped', kind: null, message: '' });
  const event = decide(stopped, { ...nothing, exits: [{ launch: 7, exit, lost: false }] });
  expect(event).toMatchObject({ type: 'agent.exited', agent: 'builder', step: 'build', launch: 7 });
});

test('requirements that a set-up could not install are recorded in its event and in the state', () => {
  const s = working('build');
  const ended = minimalExit(s.launch, { outcome: 'ok', kind: null, message: '' });
  const exit: Exit = { ...ended, missing: ['numpy'] };
  const event = decide(s, { ...nothing, exits: [{ launch: s.launch, exit, lost: false }] });
  expect(event).toMatchObject({ type: 'agent.exited', missing: ['numpy'] });
  expect(evolve(s, event as RunEvent).setup).toMatchObject({ missing_requirements: ['numpy'] });
});

test('a run that is over has no transitions', () => {
  const stopped = evolve(sampleState(), { at, type: 'run.stopped', reason: 'enough' });
  const request = { asked_at: at, reason: '' };
  expect(decide(stopped, { ...nothing, claim: null, flag: true, requests: { stop: request } })).toBeNull();
});

test('if an agent started just as the run was stopped, its start is recorded, so that the agent can be stopped', () => {
  const stopped = evolve(sampleState(), { at, type: 'run.stopped', reason: 'enough' });
  const started = decide(stopped, { ...nothing, claim: {} });
  expect(started).toMatchObject({ type: 'agent.started', launch: stopped.launch });
  expect(evolve(stopped, started as RunEvent)).toMatchObject({ phase: 'stopped', open: [{ launch: 1 }] });
});

test('an interrupted run is resumed before it is stopped', () => {
  const interrupted = evolve(working('build'), {
    at,
    type: 'run.interrupted',
    phase: 'build',
    reason: 'asked to',
  });
  const seen = { ...nothing, requests: { stop: { asked_at: at, reason: 'enough' } } };
  expect(decide(interrupted, seen)).toEqual({ at, type: 'run.resumed', phase: 'build' });
  const resumed = evolve(interrupted, { at, type: 'run.resumed', phase: 'build' });
  expect(decide(resumed, seen)).toEqual({ at, type: 'run.stopped', reason: 'enough' });
});

const HOURS = 3_600_000;
const later = (ms: number): string => new Date(Date.parse(at) + ms).toISOString();

const NAMED = { agent: 'builder', step: 'build', launch: 1 } as const;

test('a launch can still be retried after the clock is set back, and keeps its remaining time', () => {
  const begun = evolve(working('build'), { at: later(1000), type: 'agent.delayed', ...NAMED, reason: 'x' });
  const interrupted = evolve(begun, {
    at: later(2000),
    type: 'run.interrupted',
    phase: 'build',
    reason: 'set',
  });
  const resumed = evolve(interrupted, { at: later(-2 * HOURS), type: 'run.resumed', phase: 'build' });
  expect(resumed.since).toBe(later(-2 * HOURS));
  const [before, after] = [begun, resumed].map(s => deadlineOf({ ...s, setup: begun.setup }));
  expect(after! - Date.parse(resumed.since!)).toBe(before! - Date.parse(later(2000)));
});

test('a retry or an extension applies only to the launch that the person saw', () => {
  const s = working('build');
  const asked = (launch: number) => ({ asked_at: at, launch });
  for (const launch of [s.launch - 1, s.launch + 1])
    for (const requests of [{ retry: asked(launch) }, { extend: { ...asked(launch), ms: 1000 } }])
      expect(decide(s, { ...nothing, requests })).toEqual(decide(s, nothing));
  const retry = asked(s.launch);
  expect(decide(s, { ...nothing, requests: { retry } })).toMatchObject({ type: 'agent.retried' });
  const extend = { ...retry, ms: 1000 };
  expect(decide(s, { ...nothing, requests: { extend } })).toMatchObject({ type: 'agent.extended', ms: 1000 });
});

test('setting the clock back does not delay a waiting launch', () => {
  const until = later(60_000);
  const delay = { agent: 'builder', step: 'build', launch: 1, until, message: 'rate limit' } as const;
  const waiting = evolve(working('build'), { at, type: 'agent.waits', ...delay });
  expect(desired(waiting)?.notBefore).toBe(until);
  const interrupted = evolve(waiting, { at, type: 'run.interrupted', phase: 'build', reason: 'set back' });
  const resumed = (ms: number) => evolve(interrupted, { at: later(ms), type: 'run.resumed', phase: 'build' });
  expect(desired(resumed(-2 * HOURS))?.notBefore).toBeNull();
  expect(desired(resumed(5000))?.notBefore).toBe(until);
});

test.each([64 * HOURS, 3 * 365 * 24 * HOURS, -3 * 365 * 24 * HOURS])(
  'time during which no process drove the run counts neither as work nor towards a time limit: %i ms',
  gap => {
    const limit = 300_000;
    const begun = working('build');
    const worked = { ...begun, setup: { ...begun.setup, timeouts: { builder: limit } } };
    const seen = { ...nothing, at: later(60_000 + gap), undriven_since: later(60_000) };
    const interrupted = decide(worked, seen) as RunEvent;
    expect(interrupted).toMatchObject({ at: later(60_000), type: 'run.interrupted' });
    const again = { ...nothing, at: seen.at };
    const resumed = decide(evolve(worked, interrupted), again) as RunEvent;
    const state = evolve(evolve(worked, interrupted), resumed);
    expect(decide(state, again)).toBeNull();
    expect(decide(state, { ...nothing, at: later(limit + gap) })).toBeNull();
    expect(decide(state, { ...nothing, at: later(limit + gap + 1) })).toMatchObject({
      type: 'agent.timeout',
    });
    expect(state.worked_ms).toBe(begun.worked_ms + 60_000);
  },
);

test('with a budget, the first unknown cost leads to a question, whose answer also applies to later unknown costs', () => {
  const notStarted = { ...nothing, claim: null };
  const usage = {
    input_tokens: 0,
    output_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
  };
  const unknown = { ...usage, cost_usd: 0.01, complete: false };
  const idle: RunState = {
    ...sampleState(),
    step: 'build',
    phase: 'build',
    since: null,
    open: [],
    waiting: null,
  };
  const before: RunState = { ...idle, todo: null, budget_usd: 1, usage: { refiner: unknown } };
  expect(decide({ ...before, budget_usd: null }, notStarted)).toBeNull();
  expect(decide({ ...before, usage: { refiner: { ...unknown, complete: true } } }, notStarted)).toBeNull();
  const ask = decide(before, notStarted);
  expect(ask).toMatchObject({ kind: 'ask', why: 'budget', unknown_cost: true });
  expect(ask).toMatchObject({ message: expect.stringContaining('at least $0.01 of $1.00') });
  const crp = dureQuestion(before, 'crp-001', 'budget', '', at);
  expect(crp.question).toMatch(/^The cost of the run is not known/);
  const asked = evolve(before, {
    at,
    type: 'crp.created',
    crp_id: 'crp-001',
    agent: 'dure',
    hash: 'h',
    seen_as: 'crp-001',
    why: 'budget',
    question: crp.question,
    unknown_cost: true,
    crp,
  });
  const granted = evolve(asked, {
    at,
    type: 'vcr.created',
    vcr_id: 'vcr-001',
    crp_id: 'crp-001',
    decision: 'raise',
    rationale: '',
    effect: 'raise',
    amount_usd: 2,
    applies_to_future: false,
  });
  expect(granted).toMatchObject({ budget_usd: 2.01, unknown_cost_accepted: true });
  expect(decide(granted, notStarted)).toBeNull();
  const used = { ...granted, usage: { refiner: { ...unknown, cost_usd: 3 } } };
  expect(decide(used, notStarted)).toMatchObject({ kind: 'ask', why: 'budget' });
});

test.each([
  ['the budget', { budget_usd: 2.01 }],
  ['an unknown cost', { budget_usd: 2.01, unknown_cost_accepted: true }],
])(
  'a session that was about to be resumed is still resumed after a question about %s, if the answer raises the budget',
  (what, expected) => {
    const resume = { session: 'one', vcr: 'vcr-001' };
    const usage = { refiner: { ...sampleState().usage['refiner']!, cost_usd: 0.01 } };
    const waiting = {
      crp: 'crp-002',
      why: 'budget' as const,
      phase: 'build',
      session: null,
      launch: 7,
      ...(what === 'an unknown cost' && { unknown_cost: true as const }),
    };
    const granted = evolve(
      { ...sampleState(), step: 'build', phase: 'waiting_human', since: null, resume, usage, waiting },
      {
        at,
        type: 'vcr.created',
        vcr_id: 'vcr-002',
        crp_id: 'crp-002',
        decision: 'raise',
        rationale: '',
        effect: 'raise',
        amount_usd: 2,
        applies_to_future: false,
      },
    );
    expect(granted).toMatchObject({ ...expected, resume });
  },
);

test('invalid output is not a failure of the agent if the disk was full', () => {
  const seen = { ...nothing, flag: true, outputs: 'builder/log.md is missing' };
  const usage = null;
  const exited = (outcome: 'ok' | 'disk-full') =>
    evolve(working('build'), {
      at,
      type: 'agent.exited',
      agent: 'builder',
      step: 'build',
      launch: 7,
      outcome,
      kind: null,
      message: 'done',
      retry_at: null,
      session: null,
      asks: false,
      usage,
    });
  expect(decide(exited('ok'), seen)).toMatchObject({ type: 'agent.failed', kind: 'validation' });
  for (const flag of [true, false])
    expect(decide(exited('disk-full'), { ...seen, flag })).toMatchObject({ type: 'agent.waits' });
  expect(decide(exited('disk-full'), { ...seen, outputs: null })).toMatchObject({ kind: 'seal' });
});

test('events and the message to the Verifier say how many files and lines were omitted from their lists', () => {
  const sealed = { build: { commit: BASE, tree: BASE }, generate: { commit: BASE, tree: BASE } };
  const trees = { tree: BASE, tests_tree: BASE };
  const proof: NonNullable<Observation['proof']> = {
    exit_code: 0,
    stdout: '',
    stderr: '',
    duration_ms: 1,
    executed_at: at,
    machine: 'pass',
    failures: [],
    command: 'true',
    unmeasured: Array.from({ length: 50 }, (_, n) => `${n}.js`),
    unmeasured_count: 60,
    ...trees,
  };
  const executing: RunState = { ...working('execute'), sealed };
  const executed = decideOnStepResult(executing, { ...nothing, proof }) as RunEvent & {
    type: 'tests.executed';
  };
  expect(executed).toMatchObject({ type: 'tests.executed', unmeasured_count: 60 });
  expect(executed.unmeasured).toHaveLength(20);

  const change = examWith(
    Array.from({ length: 23 }, (_, n) => ({
      id: `u${n}`,
      file: 'a.js',
      lines: { first: n + 1, last: n + 1 },
      base_lines: null,
      at: n,
      status: 'untested' as const,
      killers: [],
    })),
  );
  const examining = { ...evolve(executing, executed), step: 'exam', launch: 7 };
  const output = { ...trees, base: BASE, criteria: [], change, duration_ms: 1 };
  const examined = decideOnStepResult(examining, { ...nothing, examined: { output, hash: 'h' } }) as RunEvent;
  expect(examined).toMatchObject({ type: 'exam.executed', undefended_count: 23 });
  const questioned = evolve(examining, examined);
  expect(questioned.exam).toMatchObject({ undefended_count: 23 });
  expect(JSON.stringify(questioned)).toContain('- a.js:20\\n- … and 3 more\\nIf the briefing asks');
});
