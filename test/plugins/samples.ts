/** Sound samples of everything a plugin, a prompt or a notice is made from; each test changes what it is about. */
import { begin } from '../../src/core/begin.ts';
import { pipelineOf } from '../../src/core/pipeline.ts';
import { CONFIG_NAMES, type Config, configFiles } from '../../src/formats/config.ts';
import type { EventOf } from '../../src/formats/events.ts';
import type { RunState, Setup } from '../../src/formats/state.ts';
import type { AgentRole } from '../../src/index.ts';

export const BASE = 'a'.repeat(40);
export const RUN_ID = 'run-20260131-142233';
export const NOW = '2026-01-31T14:22:33.000Z';

export const sampleConfig = (): Config => ({
  ...(Object.fromEntries(CONFIG_NAMES.map(name => [name, configFiles[name].shape.parse({})])) as Omit<
    Config,
    'plugins'
  >),
  plugins: {},
});

/** What holds for a run that begins with this configuration. */
export const sampleSetup = (config: Config, extra: readonly AgentRole[] = []): Setup => ({
  pipeline: pipelineOf({ external: config.verifier.external_runner.enabled, prepared: false, extra }),
  max_iterations: Math.min(config.global.max_iterations, config.gatekeeper.max_iterations),
  max_minor_fixes: 2,
  max_consultations: config.global.max_consultations,
  max_refinements: config.refiner.max_refinement_iterations,
  timeouts: config.global.timeouts,
  timeout_action: config.global.timeout_action,
  retry: { attempts: 2, kinds: ['crash'] },
  budget_usd: null,
  prepare: null,
  checkout: { directory: '.', copy: [], network: false },
  checks: [],
  criteria: {
    tests_passing: config.gatekeeper.pass_criteria.tests_passing,
    min_test_coverage: config.gatekeeper.pass_criteria.min_test_coverage,
  },
  take_recommendations: false,
  decisions: {},
});

export const sampleState = (
  config = sampleConfig(),
  change: Partial<RunState> = {},
  extra: readonly AgentRole[] = [],
): RunState => ({
  ...begin({
    at: NOW,
    type: 'run.started',
    run_id: RUN_ID,
    base: BASE,
    setup: sampleSetup(config, extra),
  } satisfies EventOf<'run.started'>),
  ...change,
});
