/** Where a run happens: everything the shell of the heart works with. Made once by `app.ts`. */
import type { Launcher } from '../agents/launchers/launcher.ts';
import type { Config } from '../formats/config.ts';
import type { ProjectFiles, RunFiles } from '../formats/layout.ts';
import type { RunOptions } from '../formats/run-options.ts';
import type { AgentRole, Backend, VerdictHandler } from '../index.ts';
import type { Repository } from '../workspace/git.ts';
import type { Vocabulary } from './observe.ts';

export interface Site {
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

/** The backend that plays a role: the one the run was started with, else the role's own, else the project's. */
export function backendOf(site: Pick<Site, 'options' | 'config' | 'backends'>, role: string): Backend | null {
  const own =
    role in site.config ? (site.config[role as 'refiner'] as { backend?: string }).backend : undefined;
  const name = site.options.backend ?? own ?? site.config.global.backend;
  return site.backends.find(backend => backend.name === name) ?? null;
}
