/** Prepares Dure's own launches (set-up, checks, proof and exam) and writes their jobs. */

import type { WorkspaceJob } from '../../../formats/checkout-setup-in-job.ts';
import type { LaunchSpec } from '../../../formats/launch.ts';
import type { ChecksJob, ExamJob, ProofJob, SetupJob } from '../../../formats/launch-jobs.ts';
import type { RunFiles } from '../../../formats/layout.ts';
import { replaceJson } from '../../../formats/read-and-write-files.ts';
import type { AgentStep, RunState, Step } from '../../../formats/state.ts';
import { removeCheckouts } from '../../../workspace/checkout.ts';
import { treeAt } from '../../../workspace/git/tree-of-commit.ts';
import { stateFolder } from '../../../workspace/user-state-folder.ts';
import { criteriaOf } from '../../policy/criteria/briefing-and-feedback-criteria.ts';
import { type Environment, ownEnvironment } from '../../policy/environment-allowlist.ts';
import { mayQuestion } from '../../policy/pipeline/look-up-steps.ts';
import { examOf } from '../../policy/state/current-results.ts';
import { sealedResult, sealedTests, worktreeCommit } from '../../policy/state/sealed-trees.ts';
import { sealedConfig } from '../effects/sealed-test-config.ts';
import type { RunContext } from '../run-context.ts';

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

type AutomatedStep = Exclude<Step, AgentStep>;
type WriteJob = (context: RunContext, s: RunState, launch: number) => Promise<void>;

interface Job {
  /** Recorded for the launch in place of a command line. */
  readonly name: string;
  readonly cwd: (files: RunFiles) => string;
  readonly write: WriteJob;
}

/** The worktree is set up like the checkouts of the tests, so that an agent sees the same results as the proof. */
const writeSetupJob: WriteJob = async (context, s, launch) => {
  const { files } = context;
  await replaceJson(files.setupJob(launch), {
    worktree: files.worktree,
    commit: worktreeCommit(s),
    workspace: await workspaceOf(context, s),
  } satisfies SetupJob);
};

/** The runner creates the checkout; the job only defines its contents and the test command. */
const writeProofJob: WriteJob = async (context, s, launch) =>
  replaceJson(context.files.proofJob(launch), await testJob(context, s));

/** Writes the same job as for the proof, with the criteria and settings of the exam added. */
const writeExamJob: WriteJob = async (context, s, launch) =>
  replaceJson(context.files.examJob(launch), {
    ...(await testJob(context, s)),
    criteria: [...criteriaOf(s)!],
    settings: s.setup.exam!,
    may_question: mayQuestion(s),
    ...(s.rerun && { earlier: examOf(s)?.runs }),
  } satisfies ExamJob);

/** Describes the sealed trees and how to test them. */
async function testJob(context: RunContext, s: RunState): Promise<ProofJob> {
  const { files, repo } = context;
  const build = sealedResult(s)!;
  const tests = sealedTests(s)!;
  const workspace = await workspaceOf(context, s);
  await removeCheckouts(workspace.state, files.dir);
  const config = await sealedConfig(repo, tests.commit);
  if (config === null) throw new Error('the sealed test-config.json is invalid');
  return {
    config,
    base: s.base,
    commit: build.commit,
    tree: build.tree,
    tests_tree: tests.tree,
    workspace,
  };
}

/** Writes the job of the checks launch, or of an agent's launch during which the checks run ahead. */
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
  } satisfies ChecksJob);
}

/** For each of Dure's own steps: what it runs, where it runs, and the job that it reads. */
const JOBS: Record<AutomatedStep['yields'], Job> = {
  setup: { name: 'set-up', cwd: files => files.worktree, write: writeSetupJob },
  proof: { name: 'prove', cwd: files => files.dir, write: writeProofJob },
  exam: { name: 'exam', cwd: files => files.dir, write: writeExamJob },
  checks: {
    name: 'check',
    cwd: files => files.dir,
    // The checks run on the same result as the tests, but without the Verifier's tests.
    async write(context, s, launch) {
      await removeCheckouts(await stateFolder(context.repo.workTree), context.files.dir);
      await writeChecksJob(context, s, launch);
    },
  },
};

/** Prepares a launch that runs Dure itself instead of an agent. */
export async function automatedLaunch(
  context: RunContext,
  s: RunState,
  step: AutomatedStep,
  launch: number,
  kept: Environment,
): Promise<Prepared> {
  const { name, cwd, write } = JOBS[step.yields];
  await write(context, s, launch);
  return {
    ...common(s, step, launch),
    backend: 'dure',
    prompt: null,
    resumes: false,
    session: null,
    stream: step.yields,
    argv: [name],
    cwd: cwd(context.files),
    env: ownEnvironment(kept),
    artefacts: step.outputs,
  };
}

/** Collects what one of Dure's own launches needs to set up a checkout. */
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
