/**
 * Calls the functions of contributions with sample input, as a run would: the prompt of every step, the outcome of
 * every verdict, the start of every backend, and `enabled` of every channel. Nothing is sent to anyone and no agent is
 * started. Every failure is reported under the name of its plugin.
 */
import { tmpdir } from 'node:os';
import { z } from 'zod';
import { modeOf } from '../agents/prompt-generator.ts';
import { runSetup } from '../core/policy/compose-run-settings.ts';
import { MODE } from '../core/policy/pipeline/automated-steps.ts';
import { isAgentStep } from '../core/policy/pipeline/look-up-steps.ts';
import { initialState } from '../core/policy/state/initial-state.ts';
import { summarizeRun } from '../core/policy/state/run-summary-for-plugins.ts';
import { type Config, defaultConfig } from '../formats/config/config.ts';
import type { RunState } from '../formats/state.ts';
import type { AgentRole, Backend } from '../index.ts';
import { checkedAnswer, errorText, type Report } from '../process/call-plugin-code.ts';
import { withSectionDefaults } from './config-sections.ts';
import type { Contributions } from './contributions.ts';

/** The names of the contributions to call. */
export type Called = Readonly<
  Record<'channels' | 'roles' | 'pipelines' | 'verdicts' | 'backends', readonly string[]>
>;

export async function callAll(
  all: Contributions,
  called: Called,
  plugin: string,
  report: Report,
): Promise<void> {
  const reportFault = (problem: string) => report({ plugin, problem });
  const { config } = await withSectionDefaults(defaultConfig(), all.configShapes);
  const states = statesOf(all, called, config, reportFault);
  const [state] = states;
  if (!state) return;
  for (const role of all.roles.filter(({ name }) => called.roles.includes(name)))
    await callPrompts(role, all, states, config, reportFault);
  for (const handler of all.verdicts.filter(({ verdict }) => called.verdicts.includes(verdict)))
    await handler.outcome({ verdict: handler.verdict, reason: 'a sample', issues: [] }, summarizeRun(state));
  for (const backend of all.backends.filter(({ name }) => called.backends.includes(name)))
    await callStart(backend, state);
  for (const { channel } of all.channels.filter(({ channel }) => called.channels.includes(channel.name)))
    try {
      await checkedAnswer(z.boolean(), () => channel.enabled?.(config, process.platform) ?? true);
    } catch (error) {
      reportFault(`enabled of channel ${channel.name}: ${errorText(error)}`);
    }
}

/** Creates the first state of a run in each pipeline of the plugin, and in the default one. */
function statesOf(
  { roles, pipelines }: Contributions,
  called: Called,
  config: Config,
  reportFault: (problem: string) => void,
): RunState[] {
  const decisions = {};
  return [config.global.pipeline, ...called.pipelines].flatMap(pipeline => {
    try {
      const request = { pipeline, takeRecommendations: false };
      const plan = runSetup({ config, roles, pipelines, request, decisions });
      const setup = {
        ...plan,
        agents: { backends: {}, allow_bypass: false },
        git: { hooks: {}, settings: {} },
      };
      const started = {
        at: new Date().toISOString(),
        run_id: SAMPLE_RUN,
        base: BASE,
        key: '0'.repeat(16),
      };
      return [initialState({ ...started, setup })];
    } catch (error) {
      reportFault(errorText(error));
      return [];
    }
  });
}
const SAMPLE_RUN = 'run-20260131-120000';
const BASE = '0'.repeat(40);

/** The states of the run in the first iteration, in a later one, and while minor issues are being fixed. */
const moments = (state: RunState): RunState[] => [
  state,
  { ...state, iteration: 2 },
  { ...state, mode: MODE.fix },
];

async function callPrompts(
  role: AgentRole,
  { verdicts }: Contributions,
  states: readonly RunState[],
  config: Config,
  reportFault: (problem: string) => void,
): Promise<void> {
  const stepsOf = (state: RunState) =>
    state.setup.pipeline.filter(isAgentStep).filter(step => step.role === role.name);
  if (!states.some(state => stepsOf(state).length > 0))
    reportFault(
      `role ${role.name} has no step in any pipeline: set "after" or "before" on its steps, or contribute a pipeline`,
    );

  for (const state of states)
    for (const step of stepsOf(state))
      for (const moment of moments({ ...state, phase: step.phase, step: step.name }))
        await reportedByGuard(() =>
          role.prompt({ run: summarizeRun(moment), config, step, mode: modeOf(step, moment), verdicts }),
        );
}

/** Ignores the error that `call` throws, because its guard has already reported it. */
async function reportedByGuard(call: () => unknown): Promise<void> {
  try {
    await call();
  } catch {
    // The guard has already reported it.
  }
}

async function callStart(backend: Backend, state: RunState): Promise<void> {
  await backend.isLoggedIn?.({});
  const { signal } = new AbortController();
  await backend.probe?.({ model: 'sonnet', env: {}, scratch: tmpdir(), online: false, signal });
  const [step] = state.setup.pipeline;
  await reportedByGuard(() =>
    backend.start({
      role: step!.role,
      model: 'sonnet',
      launch: 1,
      part: 1,
      mode: step!.name,
      runDir: tmpdir(),
      cwd: tmpdir(),
      bypass: false,
      budget_usd: null,
      resume: null,
      cassette: null,
      mcp_servers: {},
      env: {},
    }),
  );
}
