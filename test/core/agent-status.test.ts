/** The status of each agent in state.json, `dure status` and the web UI, in runs that have transcripts. */
import { expect, test } from 'vitest';
import { evolve, fold } from '../../src/core/policy/evolve.ts';
import type { RunEvent } from '../../src/formats/events/events.ts';
import type { AgentState, Setup } from '../../src/formats/state.ts';
import { builtInPipeline, configWith } from '../helpers/built-in-pipeline.ts';
import { setupWith } from '../helpers/sample-setup.ts';
import { sampleQuestion, startedEvent } from '../helpers/sample-values.ts';

const at = '2026-01-31T14:23:00.000Z';
const hash = 'a'.repeat(40);
const sealed = { commit: hash, tree: hash };
const began = (setup: Setup): RunEvent => startedEvent({ at, setup });
const started = (agent: string, step: string, launch: number): RunEvent => ({
  at,
  type: 'agent.started',
  agent,
  step,
  launch,
  iteration: 1,
});
const done = (agent: string, step: string, launch: number): RunEvent => ({
  at,
  type: 'agent.completed',
  agent,
  step,
  launch,
  duration_ms: 1,
  ...sealed,
});
const tested = (machine: 'pass' | 'could-not-run', launch: number): RunEvent => ({
  at,
  type: 'tests.executed',
  agent: 'verifier',
  step: 'execute',
  launch,
  machine,
  exit_code: 0,
  ...(machine === 'could-not-run' && { back_to: 'tests' as const }),
  counts: null,
  coverage: null,
  duration_ms: 1,
  tree: hash,
  tests_tree: hash,
});
const asked = (why: 'question' | 'budget'): RunEvent => ({
  at,
  type: 'crp.created',
  crp_id: 'crp-001',
  agent: 'builder',
  hash: '1',
  seen_as: 'crp-001',
  why,
  question: 'Which?',
  crp: sampleQuestion(),
});
const stopped: RunEvent = { at, type: 'run.stopped', reason: 'enough' };

const building = [
  began(setupWith({})),
  started('refiner', 'refine', 1),
  done('refiner', 'refine', 1),
  started('builder', 'build', 2),
];
const legacy = [
  began({ ...setupWith({}), pipeline: builtInPipeline({ config: configWith({ external: false }) }) }),
  ...building.slice(1),
  done('builder', 'build', 2),
  started('verifier', 'generate', 3),
  done('verifier', 'generate', 3),
  started('verifier', 'execute', 4),
];

const CASES: [string, RunEvent[], string, AgentState['status']][] = [
  ['an agent that was started is running', building, 'builder', 'running'],
  [
    'an agent that runs when a person stops the run no longer does',
    [...building, stopped],
    'builder',
    'pending',
  ],
  ['an agent that asks waits', [...building, asked('question')], 'builder', 'waiting_human'],
  [
    'an agent whose question nobody will answer does not wait forever',
    [...building, asked('question'), stopped],
    'builder',
    'pending',
  ],
  [
    'an agent does not run while a person is asked for money',
    [...building, asked('budget')],
    'builder',
    'pending',
  ],
  [
    'in legacy mode the Verifier is done when its tests have run',
    [...legacy, tested('pass', 4)],
    'verifier',
    'completed',
  ],
  [
    'tests that could not be run are still to be done',
    [...legacy, tested('could-not-run', 4)],
    'verifier',
    'pending',
  ],
];
test.each(CASES)('%s', (_, events, role, status) => {
  expect(fold(events).agents[role]?.status).toBe(status);
});

test('an agent that waits for a rate limit to reset is not shown as running', () => {
  const waits: RunEvent = {
    at,
    type: 'agent.waits',
    agent: 'builder',
    step: 'build',
    launch: 2,
    until: at,
    message: 'later',
  };
  expect(evolve(fold(building), waits).agents['builder']?.status).toBe('pending');
});
