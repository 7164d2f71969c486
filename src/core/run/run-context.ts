/** Everything needed to drive a run: its files, settings, roles, backends, launcher and repository. */
import type { Launcher } from '../../agents/launchers/launcher-interface.ts';
import type { Config } from '../../formats/config/config.ts';
import type { RunOptions } from '../../formats/config/run-options.ts';
import type { ProjectFiles, RunFiles } from '../../formats/layout.ts';
import type { Setup } from '../../formats/state.ts';
import type { AgentRole, Backend, VerdictHandler } from '../../index.ts';
import type { Repository } from '../../workspace/git/run-git.ts';
import type { Vocabulary } from './observe-run.ts';

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

/** Returns the backend recorded at the start of the run; null if it is no longer installed. */
export const backendOf = (
  { backends }: Pick<RunContext, 'backends'>,
  { agents }: Pick<Setup, 'agents'>,
  role: string,
): Backend | null => backends.find(({ name }) => name === agents.backends[role]) ?? null;
