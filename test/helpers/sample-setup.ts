/** The default setup of a run in tests. */
import type { Setup } from '../../src/formats/state.ts';
import { builtInPipeline, configWith } from './pipeline.ts';

export const setupWith = (changes: Partial<Setup> = {}): Setup => ({
  pipeline_name: 'full',
  pipeline: builtInPipeline({ config: configWith({ setup: Boolean(changes.prepare) }) }),
  max_iterations: 3,
  max_minor_fixes: 2,
  max_consultations: 3,
  timeouts: { refiner: 300_000, builder: 600_000, verifier: 300_000, gatekeeper: 300_000, proof: 3_600_000 },
  timeout_action: 'warn',
  retry: { attempts: 2, kinds: ['crash', 'timeout', 'validation'] },
  budget_usd: null,
  prepare: null,
  checkout: { directory: '.', copy: [], network: false },
  checks: [],
  criteria: { tests_passing: true, min_test_coverage: 80 },
  take_recommendations: false,
  decisions: {},
  ...changes,
});
