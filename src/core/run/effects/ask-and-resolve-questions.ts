/** Asks the user questions, selects recommended options, and stores answers. */

import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { DureError } from '../../../errors.ts';
import { type Crp, crpFile, question, type Vcr } from '../../../formats/crp-and-vcr.ts';
import type { RunEvent } from '../../../formats/events/events.ts';
import { unlessDiskFails } from '../../../formats/file-system/temporary-disk-errors.ts';
import { exitFile } from '../../../formats/launch.ts';
import { load, replaceJson } from '../../../formats/read-and-write-files.ts';
import { readText } from '../../../formats/read-untrusted-files.ts';
import { problemsOf } from '../../../formats/schema/schema-problems.ts';
import { jsonText } from '../../../formats/schema/strict-json.ts';
import type { RunState } from '../../../formats/state.ts';
import { shortHash } from '../../../formats/text/sha256.ts';
import { readConfig } from '../../../workspace/project/read-and-write-config.ts';
import { keepStrays } from '../../../workspace/seal/stray-files.ts';
import { currentStep } from '../../policy/pipeline/look-up-steps.ts';
import {
  dureQuestion,
  effectOfAnswer,
  isAboutResult,
} from '../../policy/questions/dure-questions-and-answers.ts';
import { answeredBy, type Effect } from '../../policy/transition.ts';
import { withEvidenceAgainst } from '../../policy/verdict/evidence-against-result.ts';
import { failedLaunch } from '../launch/agent-failed-event.ts';
import { readQuestion } from '../requests/read-recorded-question.ts';
import { readAnswers, readVcrs } from '../requests/read-requests-and-answers.ts';
import { keepDecision } from '../requests/standing-decisions.ts';
import { writeAnswer } from '../requests/write-answer.ts';
import type { RunContext } from '../run-context.ts';
import { writeViolations } from './detect-and-revert-stray-files.ts';
import { logExcerptForQuestion, withLogExcerpt } from './log-excerpt-for-question.ts';

const now = () => new Date().toISOString();
const nextCrp = (s: RunState) => `crp-${String(s.next_crp).padStart(3, '0')}`;

export async function askUser(
  context: RunContext,
  s: RunState,
  effect: Extract<Effect, { kind: 'ask' }>,
): Promise<RunEvent> {
  const { files } = context;
  const agent = currentStep(s).role;
  // An agent must not answer its own question: an answer that already exists is removed.
  const stray = s.since === null ? null : await writeViolations(context, s);
  if (stray && effect.from !== 'dure') return failedLaunch(s, 'validation', stray);
  const id = effect.from === 'file' && !(effect.file in s.known) ? effect.file : nextCrp(s);
  await discardEarlyAnswer(context, s, id);
  if (effect.from === 'file') {
    if (id === effect.file) return asked(agent, effect.hash, effect.crp);
    const crp = { ...effect.crp, crp_id: id };
    return {
      ...asked(agent, await write(files.crp(id), crp), crp),
      seen_as: effect.file,
      seen_hash: effect.hash,
    };
  }
  if (effect.from === 'dure') {
    const message = isAboutResult(effect.why) ? withEvidenceAgainst(s, effect.message) : effect.message;
    const context = withLogExcerpt(message, await logExcerptForQuestion(files, s, effect.why));
    const crp = dureQuestion(s, id, effect.why, context, s.updated_at);
    return {
      ...asked('dure', await write(files.crp(id), crp), crp),
      why: effect.why,
      ...(effect.limit && { limit: effect.limit }),
      ...(effect.unknown_cost && { unknown_cost: effect.unknown_cost }),
    };
  }
  const exit = await load(exitFile, files.exit(s.launch));
  const read = question.safeParse(exit?.question);
  if (!read.success)
    return failedLaunch(s, 'validation', `invalid call to consult_human: ${problemsOf(read.error)}`);
  const crp = { crp_id: id, created_at: s.updated_at, created_by: agent, status: 'pending', ...read.data };
  const checked = crpFile.shape.safeParse(crp);
  if (!checked.success)
    return failedLaunch(s, 'validation', `invalid call to consult_human: ${problemsOf(checked.error)}`);
  return asked(agent, await write(files.crp(id), checked.data), checked.data);
}

/** Moves aside an answer that was written before its question was asked. */
async function discardEarlyAnswer({ files }: RunContext, s: RunState, id: string): Promise<void> {
  const early = (await readVcrs(files)).filter(({ vcr }) => vcr.crp_id === id);
  const paths = early.map(({ file }) => relative(files.dir, file));
  await keepStrays(files.dir, paths, join(files.stray, String(s.launch)));
  await Promise.all(paths.map(path => rm(join(files.dir, path), { force: true })));
}

const asked = (agent: string, hash: string, crp: Crp): Extract<RunEvent, { type: 'crp.created' }> => ({
  at: now(),
  type: 'crp.created',
  crp_id: crp.crp_id,
  agent,
  hash,
  seen_as: crp.crp_id,
  why: 'question',
  question: crp.question,
  crp,
});

async function write(file: string, crp: Crp): Promise<string> {
  await replaceJson(file, crp);
  return shortHash(jsonText(crp));
}

/**
 * Selects the recommended option on behalf of the user, as `--yes` requests. Without a recommendation, the question
 * stays open.
 */
export async function recommend(context: RunContext, s: RunState, crpId: string): Promise<RunEvent | null> {
  const { files } = context;
  const crp = await readQuestion(files, crpId);
  if (!crp?.recommendation) return null;
  const decision = {
    decision: crp.recommendation,
    rationale: 'The recommendation, selected by --yes.',
    unattended: true as const,
  };
  const given = (await readAnswers(files, s)).find(vcr => vcr.crp_id === crpId);
  const vcr = given ?? (await writeAnswer(files, s, crp, decision, { through: 'dure' }));
  return effectOfAnswer(s, vcr)?.effect === 'setup' ? newSetup(context, s, vcr) : answeredBy(s, vcr, now());
}

/** Retries with the current set-up configuration. If the configuration is invalid, asks again. */
export async function newSetup(context: RunContext, s: RunState, vcr: Vcr): Promise<RunEvent> {
  const event = answeredBy(s, vcr, now());
  try {
    const { global } = await readConfig(context.project, Object.keys(context.config.plugins));
    return { ...event, prepare: global.workspace.setup };
  } catch (error) {
    if (!(error instanceof DureError)) throw error;
    return { ...event, problem: error.message };
  }
}

/** Marks the question as resolved, unless its file was changed after the question was asked. */
async function resolved({ files }: Pick<RunContext, 'files'>, s: RunState, id: string): Promise<Crp | null> {
  const text = await readText(files.crp(id)).catch(unlessDiskFails(null));
  const crp = await readQuestion(files, id).catch(unlessDiskFails(null));
  if (text !== null && crp && s.known[id] === shortHash(text))
    await replaceJson(files.crp(id), { ...crp, status: 'resolved' });
  return crp;
}

/** After an answer is recorded: marks its question as resolved and stores the answer if it applies to future runs. */
export async function keepAnswer(
  context: Pick<RunContext, 'files' | 'project'>,
  s: RunState,
  event: RunEvent,
): Promise<void> {
  if (event.type !== 'vcr.created') return;
  const crp = await resolved(context, s, event.crp_id);
  if (!event.applies_to_future) return;
  const vcr = (await readAnswers(context.files, s)).find(answer => answer.vcr_id === event.vcr_id);
  if (crp && vcr) await keepDecision(context.project, s.run_id, crp, vcr);
}
