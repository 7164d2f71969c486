/** Prepares Dure's own launches (set-up, checks, proof and exam) and writes their jobs. */

import type { LaunchSpec } from '../../formats/launch.ts';
import { replaceJson } from '../../formats/read-and-write-files.ts';
import type { RunState, Step } from '../../formats/state.ts';
import { testConfigFile } from '../../formats/test-run-files.ts';
import type { WorkspaceJob } from '../../formats/workspace-job.ts';
import { removeCheckouts } from '../../workspace/checkout.ts';
import { readBlob, treeAt } from '../../workspace/diff.ts';
import { stateFolder } from '../../workspace/user-state-folder.ts';
import { examOf } from '../policy/current-results.ts';
import { type Environment, ownEnvironment } from '../policy/environment-allowlist.ts';
import { criteriaOf } from '../policy/feedback-criteria.ts';
import { currentStep, mayQuestion, sealedResult, sealedTests, worktreeCommit } from '../policy/pipeline.ts';
import type { RunContext } from './run-context.ts';

/** A launch with its environment values, which are not part of its record. */
export type Prepared = Omit<LaunchSpec, 'variables' | 'environment' | 'checks_environment'> & {
  readonly env: Environment;
};

export const common = (s: RunState, step: Step, launch: number) => ({
  launch,
  run_id: s.run_id,
  role: step.role,
  step: step.name,
  iteration: s.iteration,
  created_at: new Date().toISOString(),
});

/** A launch that runs Dure itself instead of an agent. */
const automatedLaunch = (
  s: RunState,
  launch: number,
  kept: Environment,
  what: Pick<Prepared, 'stream' | 'argv' | 'cwd'>,
): Prepared => {
  const step = currentStep(s);
  return {
    ...common(s, step, launch),
    backend: 'dure',
    prompt: null,
    resumes: false,
    session: null,
    ...what,
    env: ownEnvironment(kept),
    artefacts: step.outputs,
  };
};

/** The worktree is set up like the checkouts of the tests, so that an agent sees the same results as the proof. */
export async function setupLaunch(
  context: RunContext,
  s: RunState,
  launch: number,
  kept: Environment,
): Promise<Prepared> {
  const { files } = context;
  await replaceJson(files.setupJob(launch), {
    worktree: files.worktree,
    commit: worktreeCommit(s),
    workspace: await workspaceOf(context, s),
  });
  return automatedLaunch(s, launch, kept, { stream: 'setup', argv: ['set-up'], cwd: files.worktree });
}

/** The runner creates the checkout; this only defines its contents and the test command. */
export async function proofLaunch(
  context: RunContext,
  s: RunState,
  launch: number,
  kept: Environment,
): Promise<Prepared> {
  const { files } = context;
  await replaceJson(files.proofJob(launch), await testJob(context, s));
  return automatedLaunch(s, launch, kept, { stream: 'proof', argv: ['prove'], cwd: files.dir });
}

/** Like the proof, plus what to judge. */
export async function examLaunch(
  context: RunContext,
  s: RunState,
  launch: number,
  kept: Environment,
): Promise<Prepared> {
  const { files } = context;
  await replaceJson(files.examJob(launch), {
    ...(await testJob(context, s)),
    criteria: criteriaOf(s)!,
    settings: s.setup.exam,
    may_question: mayQuestion(s),
    ...(s.rerun && { earlier: examOf(s)?.runs }),
  });
  return automatedLaunch(s, launch, kept, { stream: 'exam', argv: ['exam'], cwd: files.dir });
}

/** The sealed trees, and how to test them. */
async function testJob(context: RunContext, s: RunState) {
  const { files, repo } = context;
  const build = sealedResult(s)!;
  const tests = sealedTests(s)!;
  const workspace = await workspaceOf(context, s);
  await removeCheckouts(workspace.state, files.dir);
  const sealedConfig = await readBlob(repo, tests.commit, 'test-config.json');
  return {
    config: testConfigFile.shape.parse(JSON.parse(sealedConfig?.toString() ?? 'null')),
    base: s.base,
    commit: build.commit,
    tree: build.tree,
    tests_tree: tests.tree,
    workspace,
  };
}

/** The checks run on the same result as the tests, but without the Verifier's tests. */
export async function checksLaunch(
  context: RunContext,
  s: RunState,
  launch: number,
  kept: Environment,
): Promise<Prepared> {
  const { files, repo } = context;
  await removeCheckouts(await stateFolder(repo.workTree), files.dir);
  await writeChecksJob(context, s, launch);
  return automatedLaunch(s, launch, kept, { stream: 'checks', argv: ['check'], cwd: files.dir });
}

/** For the checks launch, or for an agent's launch during which the checks run ahead. */
export async function writeChecksJob(context: RunContext, s: RunState, launch: number): Promise<void> {
  const { files, repo } = context;
  const { commit, tree } = sealedResult(s)!;
  await replaceJson(files.checksJob(launch), {
    checks: s.setup.checks,
    commit,
    tree,
    base: s.base,
    base_tree: await treeAt(repo, s.base),
    workspace: await workspaceOf(context, s),
  });
}

/** What Dure's own launch needs to set up a checkout. */
export async function workspaceOf(
  { project, repo }: Pick<RunContext, 'project' | 'repo'>,
  s: RunState,
): Promise<WorkspaceJob> {
  return {
    project: project.root,
    repository: repo,
    state: await stateFolder(repo.workTree),
    setup: s.setup.prepare,
    ...s.setup.checkout,
  };
}
