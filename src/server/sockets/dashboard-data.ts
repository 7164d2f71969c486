/** Converts the state of a run to the data of the dashboard socket. This module is pure. */
import { currentStep } from '../../core/policy/pipeline/look-up-steps.ts';
import { idAndLabel } from '../../core/policy/questions/allowed-answers.ts';
import { areCostsReported, spentUsd } from '../../core/usage-tracker.ts';
import type { Crp } from '../../formats/crp-and-vcr.ts';
import type { Spend } from '../../formats/spend.ts';
import type { AgentState, RunState } from '../../formats/state.ts';
import type {
  AgentName,
  DashboardAgentData,
  DashboardAgentStatus,
  DashboardCRP,
  DashboardData,
  DashboardStage,
  TokenUse,
} from '../socket-protocol.ts';

export const AGENTS: readonly AgentName[] = ['refiner', 'builder', 'verifier', 'gatekeeper'];

const STAGE: Record<string, DashboardStage> = {
  refine: 'REFINE',
  build: 'BUILD',
  verify: 'VERIFY',
  gate: 'GATE',
  waiting_human: 'WAITING_HUMAN',
  // The agents have finished; only the review remains.
  ready_for_merge: 'DONE',
  completed: 'DONE',
  failed: 'FAILED',
  stopped: 'FAILED',
};

/** Maps a plugin's phase to the built-in phase before it, and an interrupted run to the phase it was in. */
export function stageOf(s: RunState): DashboardStage {
  const phase = s.phase === 'interrupted' ? (s.interrupted_from ?? 'refine') : s.phase;
  const own = STAGE[phase];
  if (own) return own;
  const upTo = s.setup.pipeline.slice(0, s.setup.pipeline.findIndex(step => step.phase === phase) + 1);
  return upTo.map(step => STAGE[step.phase]).findLast(stage => stage !== undefined) ?? 'REFINE';
}

const STATUS: Record<AgentState['status'], DashboardAgentStatus> = {
  pending: 'idle',
  running: 'running',
  completed: 'done',
  failed: 'error',
  timeout: 'error',
  waiting_human: 'idle',
};
export const statusOf = (s: RunState, role: string): DashboardAgentStatus =>
  STATUS[s.agents[role]?.status ?? 'pending'];

/** A question from Dure is attributed to the agent of the current step. */
export const crpOf = (crp: Crp, s: RunState): DashboardCRP => ({
  agent: crp.created_by === 'dure' ? currentStep(s).role : crp.created_by,
  question: crp.question,
  options: crp.options.map(idAndLabel),
  crpId: crp.crp_id,
});

export function dashboardOf(
  s: RunState,
  outputs: Readonly<Record<string, string>>,
  crp: Crp | null,
): DashboardData {
  return {
    runId: s.run_id,
    stage: stageOf(s),
    agents: {
      refiner: agentOf(s, 'refiner', outputs),
      builder: agentOf(s, 'builder', outputs),
      verifier: agentOf(s, 'verifier', outputs),
      gatekeeper: agentOf(s, 'gatekeeper', outputs),
    },
    usage: {
      total: totalOf(s),
      byAgent: Object.fromEntries(Object.entries(s.usage).map(([role, spend]) => [role, useOf(spend)])),
    },
    ...(crp && { crp: crpOf(crp, s) }),
    progress: progressOf(s),
  };
}

function agentOf(
  s: RunState,
  role: AgentName,
  outputs: Readonly<Record<string, string>>,
): DashboardAgentData {
  const agent = s.agents[role];
  return {
    status: statusOf(s, role),
    output: outputs[role] ?? '',
    ...(agent?.started_at && { startedAt: agent.started_at }),
    ...(agent?.completed_at && { finishedAt: agent.completed_at }),
  };
}

function progressOf(s: RunState): DashboardData['progress'] {
  const steps = s.setup.pipeline;
  const done =
    stageOf(s) === 'DONE'
      ? steps.length
      : Math.max(
          0,
          steps.findIndex(step => step.name === s.step),
        );
  const { phase, step, iteration, max_iterations: maxIterations } = s;
  return { phase, step, iteration, maxIterations, stepsDone: done, steps: steps.length };
}

const useOf = (spend: Spend): TokenUse => ({
  inputTokens: spend.input_tokens,
  outputTokens: spend.output_tokens,
  cacheReadTokens: spend.cache_read_input_tokens,
  cacheCreationTokens: spend.cache_creation_input_tokens,
  costUsd: spend.cost_usd,
  complete: spend.complete,
});

function totalOf(s: RunState): TokenUse {
  const of = (key: keyof Omit<Spend, 'cost_usd' | 'complete'>) =>
    Object.values(s.usage).reduce((total, spend) => total + spend[key], 0);
  return {
    inputTokens: of('input_tokens'),
    outputTokens: of('output_tokens'),
    cacheReadTokens: of('cache_read_input_tokens'),
    cacheCreationTokens: of('cache_creation_input_tokens'),
    costUsd: spentUsd(s),
    complete: areCostsReported(s),
  };
}
