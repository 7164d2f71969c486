/** Valid samples of everything a plugin, a prompt or a notice consists of; each test changes one part. */

import { initialState } from '../../src/core/policy/initial-state.ts';
import { summarizeRun } from '../../src/core/policy/summarize-run.ts';
import { defaultConfig } from '../../src/formats/config.ts';
import type { EventOf } from '../../src/formats/events.ts';
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
  ...initialState({
    at: NOW,
    type: 'run.started',
    run_id: RUN_ID,
    base: BASE,
    setup: setupWith({}, { config, roles: extra }),
  } satisfies EventOf<'run.started'>),
  ...change,
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
