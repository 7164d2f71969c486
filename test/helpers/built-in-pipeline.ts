/** Pipelines of the built-in roles, with additions from a test. */
import builtInRoles from '../../plugins/built-in-roles/src/index.ts';
import { composePipeline } from '../../src/core/policy/pipeline/compose-pipeline.ts';
import { type Config, defaultConfig } from '../../src/formats/config/config.ts';
import type { Step } from '../../src/formats/state.ts';
import type { AgentRole, Pipeline } from '../../src/index.ts';

const builtIn = await builtInRoles();

export interface Wanted {
  readonly config?: Config;
  readonly name?: string;
  readonly roles?: readonly AgentRole[];
  readonly pipelines?: readonly Pipeline[];
}

/** `roles` and `pipelines` come after the built-in ones. */
export const builtInPipeline = ({
  config = defaultConfig(),
  name = 'full',
  roles = [],
  pipelines = [],
}: Wanted = {}): Step[] =>
  composePipeline({
    roles: [...builtIn.roles, ...roles],
    pipelines: [...builtIn.pipelines, ...pipelines],
    config,
    name,
  });

/** The same for a project with set-up or checks. */
export function configWith({ setup = false, checks = false, external = true }): Config {
  const config = defaultConfig();
  if (setup) config.global.workspace.setup = 'npm ci';
  if (checks) config.global.checks = [{ name: 'test', command: 'npm test', timeout_ms: 600_000 }];
  config.verifier.external_runner.enabled = external;
  return config;
}
