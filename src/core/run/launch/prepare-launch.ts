/** Prepares one launch: its command line, and an agent's prompt or the job for one of Dure's own launches. */

import type { Conflict } from '../../../agents/prompt/prompt-sources-interface.ts';
import { generatePrompt, modeOf, type PromptSources } from '../../../agents/prompt-generator.ts';
import { dureError } from '../../../errors.ts';
import { roleSettings } from '../../../formats/config/config.ts';
import type { Crp, Vcr } from '../../../formats/crp-and-vcr.ts';
import type { EventOf } from '../../../formats/events/events.ts';
import { namesIn } from '../../../formats/file-system/path-status.ts';
import { unlessDiskFails } from '../../../formats/file-system/temporary-disk-errors.ts';
import { type LaunchSpec, launchFile } from '../../../formats/launch.ts';
import { readText, readValue, replace } from '../../../formats/read-and-write-files.ts';
import type { AgentStep, RunState, Step } from '../../../formats/state.ts';
import type { Backend } from '../../../index.ts';
import { homeIn } from '../../../process/sandbox/sandbox-view-and-environment.ts';
import { readBlob } from '../../../workspace/git/read-blobs.ts';
import { readRecordedRules } from '../../../workspace/rules/read-recorded-rules.ts';
import {
  agentEnvironment,
  type Environment,
  IN_SANDBOX,
  keptEnvironment,
  ownEnvironment,
  sandboxedEnvironment,
  startEnvironment,
} from '../../policy/environment-allowlist.ts';
import { mayBypass } from '../../policy/permission-bypass.ts';
import { canCheckAhead } from '../../policy/pipeline/can-check-ahead.ts';
import { currentStep, isAgentStep, stepThatYields } from '../../policy/pipeline/look-up-steps.ts';
import { summarizeRun } from '../../policy/state/run-summary-for-plugins.ts';
import { budgetLeft } from '../../usage-tracker.ts';
import { withQuestions } from '../requests/read-recorded-question.ts';
import { readAnswers, readFeedback } from '../requests/read-requests-and-answers.ts';
import { readDecisions } from '../requests/standing-decisions.ts';
import { backendOf, type RunContext } from '../run-context.ts';
import { readEvents } from '../run-store.ts';
import { agentSandbox } from './agent-sandbox-view.ts';
import { readEnvironment, writeEnvironment, writeLaunchEnvironment } from './environment-variable-store.ts';
import { automatedLaunch, common, type Prepared, writeChecksJob } from './prepare-automated-launch.ts';

export async function prepareLaunch(context: RunContext, s: RunState, launch: number): Promise<LaunchSpec> {
  const kept = await keptOf(context);
  const step = currentStep(s);
  const { env, ...spec } = isAgentStep(step)
    ? await agentLaunch(context, s, step, launch, kept)
    : await automatedLaunch(context, s, step, launch, kept);
  const folder = context.options.environment;
  const environment = await writeLaunchEnvironment(folder, `launch-${launch}`, env);
  let checks_environment: string | null = null;
  if (canCheckAhead(s)) {
    await writeChecksJob(context, s, launch);
    // Checks need package manager settings, which the agent does not get.
    checks_environment = await writeLaunchEnvironment(folder, `checks-${launch}`, ownEnvironment(kept));
  }
  return { ...spec, variables: Object.keys(env).sort(), environment, checks_environment };
}

/**
 * Returns the environment stored by the last command that started or resumed the run. If none is stored, stores and
 * returns that of this process.
 */
async function keptOf({ files, options, backends }: RunContext): Promise<Environment> {
  const folder = options.environment;
  const kept = await readEnvironment(folder);
  if (kept) return kept;
  const own = keptEnvironment(process.env, backends);
  await writeEnvironment(folder, files, own);
  return own;
}

async function agentLaunch(
  context: RunContext,
  s: RunState,
  step: AgentStep,
  launch: number,
  kept: Environment,
): Promise<Prepared> {
  const { files, config, options } = context;
  const backend = backendOf(context, s.setup, step.role);
  if (!backend)
    throw dureError('E_BACKEND_UNKNOWN', {
      name: s.setup.agents.backends[step.role] ?? 'none',
      known: context.backends.map(b => b.name).join(', '),
    });
  const role = context.roles.find(r => r.name === step.role);
  if (!role) throw dureError('E_PLUGIN', { plugin: step.role, problem: 'the role is no longer installed' });
  const inSandbox = s.setup.sandbox !== undefined;
  const budget_usd = budgetLeft(s);
  const started = await backend.start({
    role: step.role,
    model: roleSettings(config, step.role).model ?? role.model ?? 'sonnet',
    launch,
    part: await partOf(context, step, launch),
    mode: modeOf(step, s),
    runDir: files.dir,
    cwd: files.worktree,
    bypass: inSandbox || mayBypass(kept, s.setup),
    budget_usd,
    resume: s.resume && { session: s.resume.session, answer: files.vcr(s.resume.vcr) },
    cassette: options.cassette,
    mcp_servers: s.setup.rules?.mcp?.servers ?? {},
    env: startEnvironment(kept, backend),
    ...(inSandbox && { home: homeIn(kept) }),
  });
  const prompt = await promptFor(context, s, step, role, backend);
  await Promise.all([
    replace(files.promptOf(step.role, launch), prompt),
    replace(files.prompt(step.role), prompt),
  ]);
  return {
    ...common(s, step, launch),
    backend: backend.name,
    stream: backend.stream,
    argv: [...started.argv],
    cwd: files.worktree,
    env: {
      ...(inSandbox ? sandboxedEnvironment : agentEnvironment)(kept, backend),
      ...started.env,
      ...(inSandbox && IN_SANDBOX),
    },
    ...(s.setup.sandbox && { sandbox: await agentSandbox(context, s, step, started, kept) }),
    prompt: s.resume ? null : files.promptOf(step.role, launch),
    resumes: s.resume !== null,
    ...(s.limits.silence_ms !== undefined && { silence_ms: s.limits.silence_ms }),
    ...(budget_usd !== null && { budget_usd }),
    session: started.session ?? null,
    artefacts: step.outputs,
  };
}

async function promptFor(
  context: RunContext,
  s: RunState,
  step: AgentStep,
  role: RunContext['roles'][number],
  backend: Backend,
): Promise<string> {
  const { files, project, config, repo } = context;
  const verdicts = context.verdicts.map(({ verdict, when }) => ({ verdict, when }));
  const [instructions, rules, decisions, answers, review, feedback, conflicts] = await Promise.all([
    role.prompt({ run: summarizeRun(s), config, step, mode: modeOf(step, s), verdicts }),
    readRecordedRules(repo, s.setup.rules ?? { files: [] }),
    readDecisions(project, s.setup.decisions),
    answersSoFar(context, s),
    step.yields === 'tree' && !s.conflict && (s.iteration > 1 || s.mode === 'fix')
      ? readReview(context, s)
      : null,
    s.feedbacks > 0 ? readFeedback(files, s) : null,
    step.yields === 'tree' ? readConflicts(context, s) : [],
  ]);
  return generatePrompt({
    role,
    instructions,
    verdicts: verdicts.map(({ verdict }) => verdict),
    step,
    state: s,
    config,
    files,
    rules,
    decisions,
    answers,
    review,
    feedback,
    conflicts,
    canConsult: backend.stream === 'claude',
  });
}

/** Reads the conflicting files as they were written to the worktree. */
const readConflicts = async ({ repo }: RunContext, { conflict }: RunState): Promise<Conflict[]> =>
  Promise.all(
    (conflict?.files ?? []).map(async file => {
      const content = await readBlob(repo, conflict!.commit, file.path);
      return { ...file, text: content?.toString() ?? null };
    }),
  );

/** Reads the review, which is in the same folder as the verdict. */
async function readReview({ files }: RunContext, s: RunState): Promise<PromptSources['review']> {
  const step = stepThatYields(s.setup, 'verdict');
  if (!step) return null;
  const file = files.reviewOf(step.folder);
  const text = await readText(file).catch(unlessDiskFails(null));
  return text === null ? null : { by: step.role, file, text };
}

/** If the file of an answer was damaged after the answer was used, the answer is taken from the log. */
async function answersSoFar({ files }: RunContext, s: RunState): Promise<{ crp: Crp; vcr: Vcr }[]> {
  const left = await readAnswers(files, s);
  const lost = (await readEvents(files)).flatMap(event =>
    event.type === 'vcr.created' && !left.some(({ vcr_id }) => vcr_id === event.vcr_id)
      ? [recordedAnswer(event)]
      : [],
  );
  return withQuestions(files, [...left, ...lost]);
}

const recordedAnswer = ({ at, vcr_id, crp_id, decision, ...event }: EventOf<'vcr.created'>): Vcr => ({
  vcr_id,
  crp_id,
  created_at: at,
  decision,
  rationale: event.rationale,
  applies_to_future: event.applies_to_future,
});

/** Returns the number of this attempt at the step. A resumed session keeps its number. */
async function partOf({ files }: RunContext, step: Step, launch: number): Promise<number> {
  const numbers = (await namesIn(files.launches)).flatMap(name =>
    /^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : [],
  );
  const specs = await Promise.all(
    numbers.filter(n => n < launch).map(n => readValue(launchFile, files.launch(n))),
  );
  return 1 + specs.filter(spec => spec?.step === step.name && !spec.resumes).length;
}
