/**
 * Performs the effects that `decide` returns, and returns the event that records success or failure.
 * Every effect is idempotent: after a crash before the event is recorded, it is performed again.
 */

import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { DureError } from '../../errors.ts';
import { type Crp, crpFile, question, type Vcr } from '../../formats/consultation.ts';
import { problemsOf } from '../../formats/define-file.ts';
import type { RunEvent } from '../../formats/events.ts';
import { load, readText, replaceJson } from '../../formats/file.ts';
import { exitFile } from '../../formats/launch.ts';
import type { RunState } from '../../formats/state.ts';
import { resultsFile } from '../../formats/tests.ts';
import type { Outcome } from '../../index.ts';
import { treeAt } from '../../workspace/diff.ts';
import { testConflict } from '../../workspace/lay-tests.ts';
import { readConfig } from '../../workspace/project/config.ts';
import { sealFolder, sealRef, sealWorktree } from '../../workspace/seal.ts';
import { keepStrays } from '../../workspace/stray-files.ts';
import { NOTHING_CHANGED } from '../policy/failure-cause.ts';
import { effectOfAnswer, ownQuestion } from '../policy/own-questions.ts';
import { currentStep, firstTreeStep, isAgentStep, sealedResult, stepThatYields } from '../policy/pipeline.ts';
import { testResultOf } from '../policy/test-result.ts';
import type { Effect } from '../policy/transition.ts';
import { answeredBy } from '../policy/transition.ts';
import { ceiling, type Fault, NO_PROOF } from '../policy/verdict-ceiling.ts';
import { summarizeRun } from '../run-summary.ts';
import { isCostComplete, spentUsd } from '../usage-tracker.ts';
import { causeInLog, withCause } from './failure-log.ts';
import { buildPack } from './merge-pack-files.ts';
import { mergeResult } from './merge-result.ts';
import { hashOf } from './observe.ts';
import { readAnswers, writeAnswer } from './requests.ts';
import type { RunContext } from './run-context.ts';
import { keepSeal, restoreRunSeals } from './seal-bundles.ts';
import { keepDecision } from './standing-decisions.ts';
import { writeViolations } from './write-scope.ts';

type Kind = Extract<RunEvent, { type: 'agent.failed' }>['kind'];
const now = () => new Date().toISOString();

/** Null if there is nothing to record. */
export async function performEffect(context: RunContext, s: RunState, due: Effect): Promise<RunEvent | null> {
  switch (due.due) {
    case 'seal':
      return seal(context, s);
    case 'judge':
      return judge(context, s, due.verdict);
    case 'ask':
      return ask(context, s, due);
    case 'recommend':
      return recommend(context, s, due.crp);
    case 'set-up':
      return newSetup(context, s, due.vcr);
    case 'pack':
      return pack(context, s, due.changed);
    case 'merge':
      return mergeResult(context, s, due.request);
  }
}

const failure = (s: RunState, kind: Kind, message: string): RunEvent => {
  const step = currentStep(s);
  return {
    at: now(),
    type: 'agent.failed',
    agent: step.role,
    step: step.name,
    launch: s.launch,
    kind,
    message,
  };
};

async function seal(context: RunContext, s: RunState): Promise<RunEvent> {
  const { repo, files, options } = context;
  await restoreRunSeals(context, s);
  const step = currentStep(s);
  const as = {
    ref: sealRef(s.run_id, `${step.name}.${s.launch}`),
    message: `Dure: ${step.name} of ${s.run_id}, iteration ${s.iteration}`,
    date: s.updated_at,
  };
  const result = sealedResult(s);
  const parent = result?.commit ?? options.base;
  const sealing =
    step.yields === 'tree'
      ? sealWorktree(
          repo,
          { runId: s.run_id, dir: files.worktree, baseCommit: options.base },
          { ...as, message: `Dure: ${s.run_id}, iteration ${s.iteration}`, parent },
        )
      : sealFolder(repo, join(files.dir, step.folder), as);
  // Sealed paths and forbidden paths do not overlap, so both checks can run in parallel.
  const [stray, sealed, before] = await Promise.all([
    writeViolations(context, s),
    sealing.catch(unsealable),
    treeAt(repo, parent),
  ]);
  if (stray) return failure(s, 'validation', stray);
  if (typeof sealed === 'string') return failure(s, 'validation', sealed);
  if (step.name === firstTreeStep(s.setup).name && sealed.tree === before)
    return failure(s, 'validation', NOTHING_CHANGED);
  const conflict =
    result && step.yields === 'tests' ? await testConflict(repo, result.tree, sealed.tree) : null;
  if (conflict !== null) return failure(s, 'validation', conflict);
  await keepSeal(context, s, sealed);
  const at = now();
  const duration_ms = Date.parse(at) - Date.parse(s.since ?? at);
  return {
    at,
    type: 'agent.completed',
    agent: step.role,
    step: step.name,
    launch: s.launch,
    duration_ms,
    ...sealed,
  };
}

/** Returns what git cannot store, such as an unreadable file or a pipe, for the agent to fix. */
function unsealable(error: unknown): string {
  if (error instanceof DureError && error.code === 'E_GIT')
    return `what you left cannot be sealed: ${error.message}`;
  throw error;
}

/** The test result limits the verdict; the handler of the verdict decides what follows. */
async function judge(
  context: RunContext,
  s: RunState,
  verdict: Extract<Effect, { due: 'judge' }>['verdict'],
): Promise<RunEvent> {
  await restoreRunSeals(context, s);
  const stray = await writeViolations(context, s);
  if (stray) return failure(s, 'validation', stray);
  const held = ceiling(
    verdict.verdict,
    stepThatYields(s.setup, 'proof') ? testResultOf(s) : NO_PROOF,
    s.setup.criteria,
    verdict.fault ?? (await faultInResults(context, s)),
    checksOf(s),
  );
  const handler = context.verdicts.find(h => h.verdict === held.verdict);
  if (!handler) return failure(s, 'validation', `no plugin handles the verdict ${held.verdict}`);
  const given = known(s, await handler.outcome({ ...verdict, verdict: held.verdict }, summarizeRun(s)));
  const { outcome, verdict: ruled, lowered } = provenOnly(s, { ...held, outcome: given });
  const step = currentStep(s);
  return {
    at: now(),
    type: 'verdict.given',
    agent: step.role,
    step: step.name,
    launch: s.launch,
    verdict: ruled,
    claimed: verdict.verdict,
    lowered,
    reason:
      outcome.next === 'fail' ? outcome.why : (outcome.next === 'ask' && outcome.question) || verdict.reason,
    issues: verdict.issues ?? [],
    next: outcome.next === 'rework' && outcome.minor ? 'fix' : outcome.next,
    ...(outcome.next === 'rework' && { back_to: held.back_to }),
    ...(outcome.next === 'rework' && outcome.step !== undefined && { from_step: outcome.step }),
  };
}

/** Rework can only start at an agent's step of this pipeline. */
function known({ setup }: RunState, outcome: Outcome): Outcome {
  if (outcome.next !== 'rework' || outcome.step === undefined) return outcome;
  const name = outcome.step;
  return setup.pipeline.some(step => isAgentStep(step) && step.name === name)
    ? outcome
    : {
        next: 'ask',
        question: `The verdict sends the work to the step ${name}, which this run does not have.`,
      };
}

interface Ruled {
  readonly verdict: string;
  readonly lowered: string | null;
  readonly outcome: Outcome;
}

/** Whatever the verdict and its handler say, a result without proof is not ready. */
function provenOnly(s: RunState, { verdict, lowered, outcome }: Ruled): Ruled {
  if (outcome.next !== 'ready' || testResultOf(s) !== null) return { verdict, lowered, outcome };
  const because = stepThatYields(s.setup, 'proof')
    ? 'the tests were not run on this result'
    : `no step of the pipeline ${s.setup.pipeline_name} runs tests`;
  return {
    verdict: 'NEEDS_HUMAN',
    lowered: `${verdict} became NEEDS_HUMAN: ${because}`,
    outcome: { next: 'ask' },
  };
}

/** Who is at fault according to `results.json` of the role that yields the tests. */
async function faultInResults({ files }: RunContext, s: RunState): Promise<Fault> {
  const folder = stepThatYields(s.setup, 'tests')?.folder;
  if (folder === undefined) return undefined;
  return (await load(resultsFile, join(files.dir, folder, 'results.json')).catch(() => null))?.fault;
}

/** The checks, if they ran on exactly this result. */
const checksOf = (s: RunState) => (s.checks?.tree === sealedResult(s)?.tree ? (s.checks?.checks ?? []) : []);

/** If the pack cannot be created, the user is asked; otherwise the run would retry forever. */
async function pack(context: RunContext, s: RunState, changed: readonly string[]): Promise<RunEvent> {
  try {
    // No agent is running and nobody has seen the pack yet, so an existing approval is not valid.
    await rm(context.files.request('approve'), { force: true });
    await rm(context.files.feedbackOf(s.feedbacks + 1), { force: true });
    await restoreRunSeals(context, s);
    const made = await buildPack(context, s);
    return {
      at: now(),
      type: 'mrp.created',
      ...made,
      cost_usd: isCostComplete(s) ? spentUsd(s) : null,
      ...(changed.length > 0 && { remade: [...changed] }),
    };
  } catch (error) {
    // Without disk space, or with a damaged log, the question could not be recorded either.
    if (error instanceof DureError && ['E_DISK', 'E_LOG_CORRUPT'].includes(error.code)) throw error;
    const message = obstacle(error).slice(0, 4000);
    // The Gatekeeper's files were already checked with its verdict, and checking again may fail for the same reason.
    return ask(context, { ...s, since: null }, { due: 'ask', from: 'dure', why: 'pack', message });
  }
}

/** The user can fix most problems; a bug in Dure keeps its stack trace. */
const obstacle = (error: unknown): string =>
  error instanceof DureError
    ? [error.message, ...error.suggestions].join(' ')
    : ((error as Error).stack ?? String(error));

const nextCrp = (s: RunState) => `crp-${String(s.next_crp).padStart(3, '0')}`;

async function ask(
  context: RunContext,
  s: RunState,
  due: Extract<Effect, { due: 'ask' }>,
): Promise<RunEvent> {
  const { files } = context;
  const agent = currentStep(s).role;
  // An agent must not answer its own question: an answer that already exists is removed.
  const stray = s.since === null ? null : await writeViolations(context, s);
  if (stray && due.from !== 'dure') return failure(s, 'validation', stray);
  const id = due.from === 'file' && !(due.file in s.known) ? due.file : nextCrp(s);
  await discardEarlyAnswer(context, s, id);
  if (due.from === 'file') {
    if (id === due.file) return asked(agent, id, due.hash, due.crp.question);
    const hash = await write(files.crp(id), { ...due.crp, crp_id: id });
    return { ...asked(agent, id, hash, due.crp.question), seen_as: due.file, seen_hash: due.hash };
  }
  if (due.from === 'dure') {
    const context = withCause(due.message, await causeInLog(files, s, due.why));
    const crp = ownQuestion(s, id, due.why, context, s.updated_at);
    return { ...asked('dure', id, await write(files.crp(id), crp), crp.question), why: due.why };
  }
  const exit = await load(exitFile, files.exit(s.launch));
  const read = question.safeParse(exit?.question);
  if (!read.success)
    return failure(s, 'validation', `consult_human was asked badly: ${problemsOf(read.error)}`);
  const crp = { crp_id: id, created_at: s.updated_at, created_by: agent, status: 'pending', ...read.data };
  const checked = crpFile.shape.safeParse(crp);
  if (!checked.success)
    return failure(s, 'validation', `consult_human was asked badly: ${problemsOf(checked.error)}`);
  return asked(agent, id, await write(files.crp(id), checked.data), checked.data.question);
}

/** Moves aside an answer that was written before its question was asked. */
async function discardEarlyAnswer({ files }: RunContext, s: RunState, id: string): Promise<void> {
  const early = (await readAnswers(files)).filter(vcr => vcr.crp_id === id);
  const paths = early.map(vcr => relative(files.dir, files.vcr(vcr.vcr_id)));
  await keepStrays(files.dir, paths, join(files.stray, String(s.launch)));
  await Promise.all(paths.map(path => rm(join(files.dir, path), { force: true })));
}

const asked = (
  agent: string,
  crp_id: string,
  hash: string,
  text: string,
): Extract<RunEvent, { type: 'crp.created' }> => ({
  at: now(),
  type: 'crp.created',
  crp_id,
  agent,
  hash,
  seen_as: crp_id,
  why: 'question',
  question: text,
});

async function write(file: string, crp: Crp): Promise<string> {
  await replaceJson(file, crp);
  return hashOf(`${JSON.stringify(crp, null, 2)}\n`);
}

/**
 * Selects the recommended option on behalf of the user, as `--yes` requests. Without a recommendation the question
 * stays open.
 */
async function recommend(context: RunContext, s: RunState, crpId: string): Promise<RunEvent | null> {
  const { files } = context;
  const crp = await load(crpFile, files.crp(crpId));
  if (!crp?.recommendation) return null;
  const decision = {
    decision: crp.recommendation,
    rationale: 'The recommendation, taken by --yes.',
    unattended: true,
  };
  const given = (await readAnswers(files)).find(vcr => vcr.crp_id === crpId);
  const vcr = given ?? (await writeAnswer(files, crp, decision));
  return effectOfAnswer(s, vcr)?.effect === 'setup' ? newSetup(context, s, vcr) : answeredBy(s, vcr, now());
}

/** Retries with the current set-up configuration. If the configuration is invalid, asks again. */
async function newSetup(context: RunContext, s: RunState, vcr: Vcr): Promise<RunEvent> {
  const event = answeredBy(s, vcr, now());
  try {
    const { global } = await readConfig(context.project, Object.keys(context.config.plugins));
    return { ...event, prepare: global.workspace.setup };
  } catch (error) {
    if (!(error instanceof DureError)) throw error;
    return { ...event, problem: error.message };
  }
}

/** Marks the question as resolved. A file that was changed since it was asked is left alone. */
async function resolved({ files }: RunContext, s: RunState, id: string): Promise<Crp | null> {
  const text = await readText(files.crp(id)).catch(() => null);
  const crp = await load(crpFile, files.crp(id)).catch(() => null);
  if (text !== null && crp && s.known[id] === hashOf(text))
    await replaceJson(files.crp(id), { ...crp, status: 'resolved' });
  return crp;
}

/** After an answer is recorded: marks its question as resolved and stores the answer if it applies to future runs. */
export async function keepAnswer(context: RunContext, s: RunState, event: RunEvent): Promise<void> {
  if (event.type !== 'vcr.created') return;
  const crp = await resolved(context, s, event.crp_id);
  if (!event.applies_to_future) return;
  const vcr = (await readAnswers(context.files)).find(answer => answer.vcr_id === event.vcr_id);
  if (crp && vcr) await keepDecision(context.project, s.run_id, crp, vcr);
}
