/**
 * Determines what an agent sees in its sandbox, depending on the kind of step: its role's folder, its inputs, the
 * questions and their answers, the worktree and the repository's git directory. The rest of the project and of the run
 * is hidden.
 */
import { dirname, join } from 'node:path';
import { dureError } from '../../../errors.ts';
import type { LaunchSandbox } from '../../../formats/agent-sandbox.ts';
import { namesIn } from '../../../formats/file-system/path-status.ts';
import { type RunFiles, runFiles } from '../../../formats/layout.ts';
import type { AgentStep, RunState } from '../../../formats/state.ts';
import type { Started } from '../../../index.ts';
import { distFile } from '../../../process/package-paths-and-version.ts';
import { findSandbox } from '../../../process/sandbox/find-sandbox.ts';
import { configsWithoutCredentials } from '../../../workspace/git/config-without-credentials.ts';
import type { Environment } from '../../policy/environment-allowlist.ts';
import { AUTOMATED_STEP_FILES } from '../../policy/pipeline/automated-steps.ts';
import { isAgentStep, stepsBefore, stepThatYields } from '../../policy/pipeline/look-up-steps.ts';
import type { RunContext } from '../run-context.ts';

/** Throws `E_SANDBOX` if the sandbox of the run does not work. */
export async function agentSandbox(
  context: RunContext,
  s: RunState,
  step: AgentStep,
  started: Started,
  kept: Environment,
): Promise<LaunchSandbox> {
  const { mode, allow } = s.setup.sandbox!;
  const found = await findSandbox(kept);
  if (found.kind === 'none') throw dureError('E_SANDBOX', { mode, why: found.why });
  const { files, repo, options, project } = context;
  const { readable = [], login = [], files: texts = {}, hosts = [] } = started.sandbox ?? {};
  const yieldsTree = step.yields === 'tree';
  const inputs = inputsOf(s, step).map(path => join(files.dir, path));
  return {
    mode,
    program: found.program,
    namespaces: [...found.namespaces],
    folder: join(options.environment, 'agents', step.role),
    writable: [join(files.dir, step.folder), files.crps, ...(yieldsTree ? [files.worktree] : [])],
    readable: [
      ...readable,
      ...[process.execPath, dirname(distFile('consult.cjs'))],
      ...[repo.commonDir, files.vcrs, files.promptOf(step.role, s.launch)],
      ...(yieldsTree ? [] : [files.worktree]),
      join(files.worktree, '.git'),
      ...inputs.filter(path => path !== files.worktree),
      ...(s.resume ? await exitRecords(files) : []),
    ],
    hidden: [repo.workTree, project.root],
    empty: [files.launches],
    replaced: await configsWithoutCredentials(repo.commonDir),
    login: [...login],
    files: { ...texts },
    hosts: [...hosts, ...allow],
  };
}

/**
 * Returns the files that the step's prompt mentions, and those in the step's own folder that only Dure writes. Paths
 * are relative to the run folder.
 */
function inputsOf({ setup }: RunState, step: AgentStep): string[] {
  const at = runFiles('.');
  const before = stepsBefore(setup, step.name);
  const named = step.reads.length > 0 ? step.reads : [at.raw, ...before.flatMap(one => one.outputs)];
  const logs = before.filter(isAgentStep).map(({ folder }) => at.logOf(folder));
  const optional = before.filter(isAgentStep).flatMap(one => one.optional);
  const verdict = stepThatYields(setup, 'verdict');
  return [
    ...named,
    ...(step.reads.length > 0 ? [] : [...optional, ...logs, at.testLog, at.checksLog]),
    ...(verdict && step.yields === 'tree' ? [at.reviewOf(verdict.folder)] : []),
    ...Object.keys(AUTOMATED_STEP_FILES).filter(
      path => path.startsWith(`${step.folder}/`) && path !== at.worktree && !step.outputs.includes(path),
    ),
  ].filter(path => !isOwn(step, path) || path in AUTOMATED_STEP_FILES);
}

/** Whether a path is in the step's own folder, which is writable. */
const isOwn = ({ folder }: AgentStep, path: string): boolean => path.startsWith(`${folder}/`);

/** Lists the exit records, from which a rehearsal session counts the questions that it has already asked. */
async function exitRecords({ launches }: RunFiles): Promise<string[]> {
  const names = await namesIn(launches);
  return names.filter(name => name.endsWith('.exit.json')).map(name => join(launches, name));
}
