/**
 * Composes a run's setup: everything from plugins, configuration and the request that applies to the whole run. It is
 * recorded in the first event.
 */
import type { Config } from '../../formats/config/config.ts';
import type { Setup } from '../../formats/state.ts';
import type { AgentRole, Pipeline } from '../../index.ts';
import { composePipeline } from './pipeline/compose-pipeline.ts';
import { registryHosts } from './registry-hosts.ts';
import { limitsOf } from './run-limits.ts';

export interface SetupSources {
  readonly config: Config;
  readonly roles: readonly AgentRole[];
  readonly pipelines: readonly Pipeline[];
  readonly request: {
    /** Name of the pipeline; by default, the one in the configuration. */
    readonly pipeline?: string | undefined;
    readonly budget_usd?: number | null | undefined;
    readonly takeRecommendations: boolean;
  };
  /** Standing decisions that apply when the run starts. */
  readonly decisions: Setup['decisions'];
}

/** The part of the setup that depends neither on the repository nor on the backends. */
export type PlannedSetup = Omit<Setup, 'agents' | 'git'>;

/** Throws `E_PIPELINE` if the pipeline is unknown or cannot be composed. */
export function runSetup({ config, roles, pipelines, request, decisions }: SetupSources): PlannedSetup {
  const { global, gatekeeper } = config;
  const own = Object.fromEntries(roles.map(role => [role.name, role.timeout ?? 300_000]));
  const name = request.pipeline ?? global.pipeline;
  return {
    pipeline_name: name,
    pipeline: composePipeline({ roles, pipelines, config, name }),
    max_iterations: Math.min(global.max_iterations, gatekeeper.max_iterations),
    max_minor_fixes: 2,
    max_consultations: global.max_consultations,
    timeouts: { ...own, ...global.timeouts, setup: 900_000, proof: 3_600_000, exam: 7_200_000 },
    timeout_action: global.timeout_action,
    retry: {
      attempts: global.auto_retry.enabled ? global.auto_retry.max_attempts : 0,
      kinds: global.auto_retry.recoverable_errors,
    },
    budget_usd: request.budget_usd ?? global.budget_usd,
    limits: limitsOf(global),
    prepare: global.workspace.setup,
    checkout: {
      directory: global.workspace.directory,
      copy: global.workspace.copy,
      network: global.proof.network,
    },
    checks: global.checks,
    ...(global.proof.exam && {
      exam: {
        rounds: global.proof.rounds,
        budget_s: global.proof.budget_s,
        mutants: global.proof.mutants,
      },
    }),
    ...(global.sandbox.mode !== 'off' && {
      sandbox: {
        mode: global.sandbox.mode,
        allow: [...new Set([...global.sandbox.allow, ...registryHosts(global.workspace.setup)])],
      },
    }),
    criteria: {
      tests_passing: gatekeeper.pass_criteria.tests_passing,
      min_test_coverage: gatekeeper.pass_criteria.min_test_coverage,
      criteria: gatekeeper.pass_criteria.criteria,
      min_kill_rate: gatekeeper.pass_criteria.min_kill_rate,
    },
    take_recommendations: request.takeRecommendations,
    decisions,
  };
}
