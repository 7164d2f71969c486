/** Valid samples of everything a plugin, a prompt or a notice consists of; each test changes one part. */

import { initialState } from '../../src/core/policy/state/initial-state.ts';
import { summarizeRun } from '../../src/core/policy/state/run-summary-for-plugins.ts';
import { defaultConfig } from '../../src/formats/config/config.ts';
import type { RunOptions } from '../../src/formats/config/run-options.ts';
import type { Crp } from '../../src/formats/crp-and-vcr.ts';
import type { EventOf } from '../../src/formats/events/events.ts';
import type { RunSummary } from '../../src/formats/plugin-run-summary.ts';
import type { RunState } from '../../src/formats/state.ts';
import type { AgentRole, PromptInput } from '../../src/index.ts';
import { setupWith } from './sample-setup.ts';

export const BASE = 'a'.repeat(40);
export const RUN_ID = 'run-20260131-142233';
export const NOW = '2026-01-31T14:22:33.000Z';

export const sampleConfig = defaultConfig;

export const sampleState = (
  config = sampleConfig(),
  change: Partial<RunState> = {},
  extra: readonly AgentRole[] = [],
): RunState => ({
  ...initialState(startedEvent({ setup: setupWith({}, { config, roles: extra }) })),
  ...change,
});

export const sampleOptions = (change: Partial<RunOptions> = {}): RunOptions => ({
  base: BASE,
  base_name: 'HEAD',
  branch: 'main',
  backend: null,
  cassette: null,
  budget_usd: null,
  environment: '/nowhere/environments/sample',
  launcher: 'process',
  take_recommendations: false,
  shadow: false,
  ...change,
});

/** The first event of a run. The key is its last field, as in every log. */
export const startedEvent = ({
  key = 'a'.repeat(16),
  ...change
}: Partial<EventOf<'run.started'>> = {}): EventOf<'run.started'> => ({
  at: NOW,
  type: 'run.started',
  run_id: RUN_ID,
  base: BASE,
  repository: {},
  briefing: '# Briefing\n',
  options: sampleOptions({ base: change.base ?? BASE }),
  setup: change.setup ?? setupWith(),
  ...change,
  key,
});

/** The question of Dure or of an agent in the event that records it. */
export const sampleQuestion = (crp_id = 'crp-001', question = 'Which?', created_by = 'refiner'): Crp => ({
  crp_id,
  created_by,
  type: 'clarification',
  question,
  options: [
    { id: 'A', label: 'This' },
    { id: 'B', label: 'That' },
  ],
  recommendation: 'B',
  status: 'pending',
});

export const sampleSummary = (change: Partial<RunState> = {}): RunSummary =>
  summarizeRun(sampleState(sampleConfig(), change));

/** The input of a prompt for a role `security`. */
export const SAMPLE_PROMPT_INPUT: PromptInput = {
  run: sampleSummary(),
  config: sampleConfig(),
  mode: 'security',
  verdicts: [],
  step: {
    name: 'security',
    phase: 'security',
    role: 'security',
    folder: 'security',
    yields: 'files',
    flag: 'security/done.flag',
    outputs: ['security/report.md'],
    optional: [],
    reads: [],
    clears: [],
  },
};
