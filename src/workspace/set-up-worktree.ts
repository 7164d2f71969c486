/**
 * Sets up the Builder's worktree in the same way as checkouts for tests: copies ignored files and installs
 * dependencies. Afterwards every tracked file matches the commit, so that a result contains only the agent's changes.
 */
import { delimiter, join } from 'node:path';
import type { Exit } from '../formats/launch.ts';
import type { SetupJob } from '../formats/launch-jobs.ts';
import { findSandbox } from '../process/sandbox/find-sandbox.ts';
import { pathWithoutRepository } from '../process/sandbox/path-without-repository.ts';
import { copyIgnored } from './checkout.ts';
import { installDependencies } from './dependencies/install-dependencies.ts';
import { withoutParts } from './dependencies/recognize-build-commands.ts';
import { ignoredAmong } from './git/ignored-paths.ts';
import { withProjectGit } from './git/isolated-git.ts';
import type { Repository } from './git/run-git.ts';
import { excludeFromResults } from './seal/files-excluded-from-results.ts';

export interface WorktreeSetup {
  /** The environment of the user who started Dure. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly onOutput: (chunk: Buffer) => void;
}

export interface PreparedWorktree {
  /** Why the set-up failed, in one line; null when it succeeded. */
  readonly problem: string | null;
  /** Builds that fail on the unchanged commit, and the set-up without them; null if there are none. */
  readonly without: Exit['without'] | null;
  /** Requirements that the set-up could not install, because they are not available. */
  readonly missing: readonly string[];
}

export async function setUpWorktree(
  { worktree, commit, workspace }: SetupJob,
  { env, signal, onOutput }: WorktreeSetup,
): Promise<PreparedWorktree> {
  const { repository, project, setup } = workspace;
  // Files that git does not ignore would become part of the result.
  const ignored = await ignoredAmong(project, workspace.copy);
  const copy = workspace.copy.filter(path => ignored.has(path));
  await copyIgnored({ projectRoot: project, repo: repository, copy }, worktree);
  if (setup === null) return { problem: null, without: null, missing: [] };
  const PATH = (await pathWithoutRepository(env['PATH'], repository.workTree)).join(delimiter);
  const { problem, failedBuilds, missing, left } = await installDependencies({
    checkout: worktree,
    directory: join(repository.prefix, workspace.directory),
    command: setup,
    env: { ...env, PATH },
    sandbox: await findSandbox(env),
    stateFolder: workspace.state,
    onOutput,
    signal,
  });
  await restoreTracked(repository, worktree, commit);
  await excludeFromResults(repository, worktree, left);
  return failedBuilds.length > 0
    ? { problem: null, without: { builds: failedBuilds, setup: withoutParts(setup, failedBuilds) }, missing }
    : { problem, without: null, missing };
}

async function restoreTracked(repo: Repository, worktree: string, commit: string): Promise<void> {
  await withProjectGit(repo, worktree, async isolated => {
    await isolated.git(['read-tree', commit]);
    // Compares every file; exit code 1 means that some differ.
    await isolated.ask(['update-index', '-q', '--refresh']);
    const changed = await isolated.git(['diff-files', '--name-only', '-z', '--ignore-submodules=all']);
    if (changed !== '') await isolated.git(['checkout-index', '-f', '-z', '--stdin'], { input: changed });
  });
}
