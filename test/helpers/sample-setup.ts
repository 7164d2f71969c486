/** The setup of a run in tests: what `dure start` composes from the built-in plugins and a configuration. */
import builtInRoles from '../../plugins/built-in-roles/src/index.ts';
import { runSetup } from '../../src/core/policy/compose-run-settings.ts';
import { agentRolesOf } from '../../src/core/policy/pipeline/look-up-steps.ts';
import type { Config } from '../../src/formats/config/config.ts';
import type { Setup } from '../../src/formats/state.ts';
import type { AgentRole } from '../../src/index.ts';
import { configWith } from './built-in-pipeline.ts';

const builtIn = await builtInRoles();

export interface Sources {
  /** Defaults to the configuration of a new project, with a set-up if the run has one. */
  readonly config?: Config;
  /** In addition to the built-in ones. */
  readonly roles?: readonly AgentRole[];
}

export const setupWith = (changes: Partial<Setup> = {}, sources: Sources = {}): Setup => {
  const { config = configWith({ setup: Boolean(changes.prepare) }), roles = [] } = sources;
  const from = {
    config,
    roles: [...builtIn.roles, ...roles],
    pipelines: builtIn.pipelines,
    request: { takeRecommendations: false },
    decisions: {},
  };
  const plan = runSetup(from);
  const backends = Object.fromEntries(agentRolesOf(plan).map(role => [role, 'rehearsal']));
  return {
    ...plan,
    agents: { backends, allow_bypass: false },
    git: { hooks: {}, settings: {} },
    ...changes,
  };
};
