/**
 * Makes the Builder's worktree ready as checkouts for tests are made ready: files that git ignores are copied, the
 * dependencies are installed. Afterwards every tracked file is as the commit has it, so that a result holds only what the
 * agent changed.
 */
import { delimiter, join } from 'node:path';
import type { WorkspaceJob } from '../formats/workspace-job.ts';
import { findSandbox } from '../process/sandbox.ts';
import { toolPath } from '../process/tool-path.ts';
import { copyIgnored } from './checkout.ts';
import { installDependencies } from './dependencies/install.ts';
import { type Repository, runGit, zJoin, zSplit } from './git.ts';
import { inRoom } from './room.ts';
import { excludeFromResults } from './worktree-git-dir.ts';

export interface SetupJob {
  readonly worktree: string;
  /** What the worktree begins with. */
  readonly commit: string;
  readonly workspace: WorkspaceJob;
}

export interface Surroundings {
  /** The person's. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly onOutput: (chunk: Buffer) => void;
}

/** Null when all went well, else what did not, in one line. */
export async function prepareWorktree(
  { worktree, commit, workspace }: SetupJob,
  { env, signal, onOutput }: Surroundings,
): Promise<string | null> {
  const { repository, project, setup } = workspace;
  const copy = await ignoredAmong(project, workspace.copy);
  await copyIgnored({ projectRoot: project, repo: repository, copy }, worktree);
  if (setup === null) return null;
  const PATH = (await toolPath(env['PATH'], repository.workTree)).join(delimiter);
  const { problem, left } = await installDependencies({
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
  return problem;
}

/** Any other file would become a part of the result. */
async function ignoredAmong(root: string, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const answer = await runGit(['check-ignore', '-z', '--stdin'], { cwd: root, input: zJoin(paths) });
  return answer.code === 0 ? zSplit(answer.stdout.toString()) : [];
}

async function restoreTracked(repo: Repository, worktree: string, commit: string): Promise<void> {
  await inRoom(repo, worktree, async room => {
    await room.git(['read-tree', commit]);
    // Looks at every file; exit code 1 says that some differ.
    await room.ask(['update-index', '-q', '--refresh']);
    const changed = await room.git(['diff-files', '--name-only', '-z', '--ignore-submodules=all']);
    if (changed !== '') await room.git(['checkout-index', '-f', '-z', '--stdin'], { input: changed });
  });
}
