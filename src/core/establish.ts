/**
 * Makes true what `decide` found due, and returns the event that says so, or that it turned out otherwise.
 * Everything here can be done twice: a power cut after the deed and before the record repeats the deed.
 */
import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { DureError } from '../errors.ts';
import { type Crp, crpFile, question, type Vcr } from '../formats/consultation.ts';
import { problemsOf } from '../formats/define.ts';
import type { RunEvent } from '../formats/events.ts';
import { load, readText, replaceJson } from '../formats/file.ts';
import { exitFile } from '../formats/launch.ts';
import type { RunState } from '../formats/state.ts';
import { resultsFile } from '../formats/tests.ts';
import { readConfig } from '../project.ts';
import { ceiling } from '../proof/ceiling.ts';
import { mergeSealed } from '../workspace/approve.ts';
import { treeAt } from '../workspace/diff.ts';
import { conflictOf } from '../workspace/laid-tests.ts';
import { sealFolder, sealRef, sealWorktree } from '../workspace/seal.ts';
import { keepStrays } from '../workspace/strays.ts';
import { runBranch } from '../workspace/worktree.ts';
import { questionOf, rulingOf } from './asking.ts';
import { answeredBy, type Due } from './decide.ts';
import { causeInLog, withCause } from './last-lines.ts';
import { buildPack } from './merge-pack-files.ts';
import { hashOf } from './observe.ts';
import { currentStep, stepBeforeProof } from './pipeline.ts';
import { provenResult } from './proven.ts';
import type { Site } from './site.ts';
import { keepDecision } from './standing-decisions.ts';
import { trespasses } from './trespasses.ts';
import { isCostComplete, spentUsd } from './usage-tracker.ts';
import { leaveAnswer, readAnswers } from './wishes.ts';

type Kind = Extract<RunEvent, { type: 'agent.failed' }>['kind'];
const now = () => new Date().toISOString();

/** Null when there is nothing to record after all. */
export async function establish(site: Site, s: RunState, due: Due): Promise<RunEvent | null> {
  switch (due.due) {
    case 'seal':
      return seal(site, s);
    case 'judge':
      return judge(site, s, due.verdict);
    case 'ask':
      return ask(site, s, due);
    case 'recommend':
      return recommend(site, s, due.crp);
    case 'set-up':
      return newSetup(site, s, due.vcr);
    case 'pack':
      return pack(site, s);
    case 'merge':
      return merge(site, s, due.wish);
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

async function seal(site: Site, s: RunState): Promise<RunEvent> {
  const { repo, files, options } = site;
  const step = currentStep(s);
  const as = {
    ref: sealRef(s.run_id, `${step.name}.${s.launch}`),
    message: `Dure: ${step.name} of ${s.run_id}, iteration ${s.iteration}`,
    date: s.updated_at,
  };
  const parent = s.sealed['build']?.commit ?? options.base;
  const sealing =
    step.name === 'build'
      ? sealWorktree(
          repo,
          { runId: s.run_id, dir: files.worktree, baseCommit: options.base },
          { ...as, message: `Dure: ${s.run_id}, iteration ${s.iteration}`, parent },
        )
      : sealFolder(repo, join(files.dir, step.folder), as);
  // What is sealed and what may not be there are different files: neither look has to wait for the other.
  const [stray, sealed, before] = await Promise.all([
    trespasses(site, s),
    sealing.catch(unsealable),
    treeAt(repo, parent),
  ]);
  if (stray) return failure(s, 'validation', stray);
  if (typeof sealed === 'string') return failure(s, 'validation', sealed);
  if (step.name === 'build' && sealed.tree === before)
    return failure(s, 'validation', 'nothing was changed in builder/output');
  const result = s.sealed['build'];
  const conflict =
    result && step.name === stepBeforeProof(s.setup).name
      ? await conflictOf(repo, result.tree, sealed.tree)
      : null;
  if (conflict !== null) return failure(s, 'validation', conflict);
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

/** What git cannot take in, such as an unreadable file or a pipe in place of a file, the agent has to mend. */
function unsealable(error: unknown): string {
  if (error instanceof DureError && error.code === 'E_GIT')
    return `what you left cannot be sealed: ${error.message}`;
  throw error;
}

/** The machine's result is a ceiling; what the verdict leads to is for the handler of its kind. */
async function judge(
  site: Site,
  s: RunState,
  verdict: Extract<Due, { due: 'judge' }>['verdict'],
): Promise<RunEvent> {
  const stray = await trespasses(site, s);
  if (stray) return failure(s, 'validation', stray);
  const {
    verdict: ruled,
    lowered,
    back_to,
  } = ceiling(
    verdict.verdict,
    provenResult(s),
    s.setup.criteria,
    verdict.fault ?? (await load(resultsFile, site.files.results).catch(() => null))?.fault,
    checksOf(s),
  );
  const handler = site.verdicts.find(h => h.verdict === ruled);
  if (!handler) return failure(s, 'validation', `nothing handles the verdict ${ruled}`);
  const outcome = handler.outcome({ ...verdict, verdict: ruled }, s);
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
    next: outcome.next,
    ...((outcome.next === 'fix' || outcome.next === 'build') && { back_to }),
  };
}

/** Of exactly this result. */
const checksOf = (s: RunState) =>
  s.checks?.tree === s.sealed['build']?.tree ? (s.checks?.checks ?? []) : [];

/** What keeps Dure from making it is for the person: left to itself, the run would try the same again for ever. */
async function pack(site: Site, s: RunState): Promise<RunEvent> {
  try {
    // No agent is at work any more, and no person has seen the pack: an approval from before is nobody's.
    await rm(site.files.wish('approve'), { force: true });
    await rm(site.files.feedbackOf(s.feedbacks + 1), { force: true });
    const made = await buildPack(site, s);
    return { at: now(), type: 'mrp.created', ...made, cost_usd: isCostComplete(s) ? spentUsd(s) : null };
  } catch (error) {
    // Neither can a question be recorded without room on the disk, or in a log that is damaged.
    if (error instanceof DureError && ['E_DISK', 'E_LOG_CORRUPT'].includes(error.code)) throw error;
    const message = obstacle(error).slice(0, 4000);
    // The Gatekeeper was looked at when it gave its verdict, and looking again needs what may just have failed.
    return ask(site, { ...s, since: null }, { due: 'ask', from: 'dure', why: 'pack', message });
  }
}

/** A person can do something about most; what is a mistake of Dure's own keeps its stack. */
const obstacle = (error: unknown): string =>
  error instanceof DureError
    ? [error.message, ...error.suggestions].join(' ')
    : ((error as Error).stack ?? String(error));

const nextCrp = (s: RunState) => `crp-${String(s.next_crp).padStart(3, '0')}`;

async function ask(site: Site, s: RunState, due: Extract<Due, { due: 'ask' }>): Promise<RunEvent> {
  const { files } = site;
  const agent = currentStep(s).role;
  // Whoever asks may not answer: an answer that lies there already is not the person's, and is taken away.
  const stray = s.since === null ? null : await trespasses(site, s);
  if (stray && due.from !== 'dure') return failure(s, 'validation', stray);
  const id = due.from === 'file' && !(due.file in s.known) ? due.file : nextCrp(s);
  await disown(site, s, id);
  if (due.from === 'file') {
    if (id === due.file) return asked(agent, id, due.hash, due.crp.question);
    const hash = await write(files.crp(id), { ...due.crp, crp_id: id });
    return { ...asked(agent, id, hash, due.crp.question), seen_as: due.file, seen_hash: due.hash };
  }
  if (due.from === 'dure') {
    const context = withCause(due.message, await causeInLog(files, s, due.why));
    const crp = questionOf(s, id, due.why, context, s.updated_at);
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

/** Nobody can have answered what has not been asked: such an answer is put aside. */
async function disown({ files }: Site, s: RunState, id: string): Promise<void> {
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

/** Takes the recommendation in the person's name, as they asked with `--yes`. What has none waits for them. */
async function recommend(site: Site, s: RunState, crpId: string): Promise<RunEvent | null> {
  const { files } = site;
  const crp = await load(crpFile, files.crp(crpId));
  if (!crp?.recommendation) return null;
  const decision = {
    decision: crp.recommendation,
    rationale: 'The recommendation, taken by --yes.',
    unattended: true,
  };
  const given = (await readAnswers(files)).find(vcr => vcr.crp_id === crpId);
  const vcr = given ?? (await leaveAnswer(files, crp, decision));
  return rulingOf(s, vcr)?.effect === 'setup' ? newSetup(site, s, vcr) : answeredBy(s, vcr, now());
}

/** The set-up is tried as it is configured now; a configuration with mistakes is asked about again. */
async function newSetup(site: Site, s: RunState, vcr: Vcr): Promise<RunEvent> {
  const event = answeredBy(s, vcr, now());
  try {
    const { global } = await readConfig(site.project, Object.keys(site.config.plugins));
    return { ...event, prepare: global.workspace.setup };
  } catch (error) {
    if (!(error instanceof DureError)) throw error;
    return { ...event, problem: error.message };
  }
}

async function merge(
  site: Site,
  s: RunState,
  wish: Extract<Due, { due: 'merge' }>['wish'],
): Promise<RunEvent> {
  const { repo, options } = site;
  const mrp = s.mrp!;
  if (wish.tree !== mrp.tree)
    return refused(wish.asked_at, `the approval was for tree ${wish.tree}, the pack has ${mrp.tree}`);
  try {
    const merged = await mergeSealed(
      repo,
      {
        runId: s.run_id,
        commit: mrp.commit,
        base: options.base,
        branch: runBranch(s.run_id),
        date: s.updated_at,
      },
      wish.how,
    );
    return {
      at: now(),
      type: 'run.completed',
      how: wish.how,
      merged: merged.merged,
      into: merged.into,
      commit: merged.commit,
      tree: mrp.tree,
    };
  } catch (error) {
    if (!(error instanceof DureError)) throw error;
    return refused(wish.asked_at, whyOf(error));
  }
}

/** Whoever tells of the refusal says themselves that the result was not merged. */
const whyOf = ({ code, context, message }: DureError): string =>
  code === 'E_MERGE' ? (context as { why: string }).why : message;

const refused = (asked_at: string, reason: string): RunEvent => ({
  at: now(),
  type: 'approval.refused',
  reason,
  asked_at,
});

/** The question as it was asked, marked as resolved. A file that was changed since is left alone: it is not ours. */
async function resolved({ files }: Site, s: RunState, id: string): Promise<Crp | null> {
  const text = await readText(files.crp(id)).catch(() => null);
  const crp = await load(crpFile, files.crp(id)).catch(() => null);
  if (text !== null && crp && s.known[id] === hashOf(text))
    await replaceJson(files.crp(id), { ...crp, status: 'resolved' });
  return crp;
}

/** What follows from an answer as soon as it is recorded: its question is resolved, and it may hold for the future. */
export async function keepAnswer(site: Site, s: RunState, event: RunEvent): Promise<void> {
  if (event.type !== 'vcr.created') return;
  const crp = await resolved(site, s, event.crp_id);
  if (!event.applies_to_future) return;
  const vcr = (await readAnswers(site.files)).find(answer => answer.vcr_id === event.vcr_id);
  if (crp && vcr) await keepDecision(site.project, s.run_id, crp, vcr);
}
