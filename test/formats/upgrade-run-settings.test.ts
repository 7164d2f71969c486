/** The setup in the first event of runs that an earlier version of Dure started. */
import { expect, it } from 'vitest';
import { initialState } from '../../src/core/policy/initial-state.ts';
import { runEvent } from '../../src/formats/events.ts';
import { setup } from '../../src/formats/state.ts';
import { setupWith } from '../helpers/sample-setup.ts';

const agent = (name: string, phase: string, role: string, folder: string, outputs: string[]) => ({
  kind: 'agent',
  name,
  phase,
  role,
  folder,
  outputs,
  flag: `${folder}/done.flag`,
});
const RECORDED = {
  pipeline: [
    { kind: 'setup', name: 'prepare', phase: 'refine', role: 'builder', folder: 'builder', outputs: [] },
    agent('refine', 'refine', 'refiner', 'briefing', ['briefing/refined.md']),
    agent('build', 'build', 'builder', 'builder', []),
    agent('generate', 'verify', 'verifier', 'verifier', ['verifier/test-config.json', 'verifier/tests']),
    {
      kind: 'proof',
      name: 'execute',
      phase: 'verify',
      role: 'verifier',
      folder: 'verifier',
      outputs: ['verifier/test-output.json'],
    },
    agent('gate', 'gate', 'gatekeeper', 'gatekeeper', ['gatekeeper/verdict.json']),
  ],
  max_iterations: 3,
  max_minor_fixes: 2,
  max_consultations: 3,
  max_refinements: 5,
  timeouts: { builder: 600_000 },
  timeout_action: 'warn',
  retry: { attempts: 2, kinds: ['crash'] },
  budget_usd: null,
  prepare: 'npm ci',
  criteria: { tests_passing: true, min_test_coverage: 80 },
  take_recommendations: false,
  decisions: {},
};

it('the settings of a run from an earlier version are upgraded to the steps and settings of this version', () => {
  const read = setup.parse(RECORDED);
  expect(read.pipeline.map(({ name, yields }) => [name, yields])).toEqual([
    ['prepare', 'setup'],
    ['refine', 'files'],
    ['build', 'tree'],
    ['generate', 'tests'],
    ['execute', 'proof'],
    ['gate', 'verdict'],
  ]);
  expect(read).toMatchObject({ pipeline_name: 'full', checks: [], checkout: { directory: '.' } });
  expect(read.pipeline[1]).toMatchObject({ asks: 5, clears: ['briefing/refined.md'] });
  expect(read.pipeline[5]).toMatchObject({ clears: ['gatekeeper/review.md', 'gatekeeper/verdict.json'] });
});

it('a run from an earlier version can continue', () => {
  const started = runEvent.parse({
    at: '2026-01-31T14:22:33.000Z',
    type: 'run.started',
    run_id: 'run-20260131-142233',
    base: 'a'.repeat(40),
    setup: RECORDED,
  });
  expect(started.type === 'run.started' && initialState(started)).toMatchObject({
    phase: 'refine',
    step: 'prepare',
  });
});

it('the setup of a run from this version stays unchanged', () => {
  const current = setupWith();
  expect(setup.parse(current)).toEqual(current);
});
