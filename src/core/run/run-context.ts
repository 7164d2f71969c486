/** Everything that the shell around the policy needs to drive a run. */
import type { Launcher } from '../../agents/launchers/launcher.ts';
import { type Config, roleSettings } from '../../formats/config.ts';
import type { ProjectFiles, RunFiles } from '../../formats/layout.ts';
import type { RunOptions } from '../../formats/run-options.ts';
import type { AgentRole, Backend, VerdictHandler } from '../../index.ts';
import type { Repository } from '../../workspace/git.ts';
import type { Vocabulary } from './observe.ts';

export interface RunContext {
  readonly project: ProjectFiles;
  readonly files: RunFiles;
  readonly options: RunOptions;
  readonly config: Config;
  readonly repo: Repository;
  readonly launcher: Launcher;
  readonly roles: readonly AgentRole[];
  readonly verdicts: readonly VerdictHandler[];
  readonly backends: readonly Backend[];
  readonly words: Vocabulary;
}

/** The backend of a role: the one given at the start of the run, else the role's own, else the project's. */
export function backendOf(
  context: Pick<RunContext, 'options' | 'config' | 'backends'>,
  role: string,
): Backend | null {
  const name =
    context.options.backend ?? roleSettings(context.config, role).backend ?? context.config.global.backend;
  return context.backends.find(backend => backend.name === name) ?? null;
}
