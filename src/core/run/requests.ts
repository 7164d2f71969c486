/**
 * Requests to the driver of a run. The CLI and the web server write only these files, so a request works from another
 * terminal, after a crash, or from a script.
 */

import { readdir, rm } from 'node:fs/promises';
import { dureError } from '../../errors.ts';
import { type Crp, type Vcr, vcrFile } from '../../formats/consultation.ts';
import { create, readFormat, replaceJson } from '../../formats/file.ts';
import type { RunFiles } from '../../formats/layout.ts';
import { type Feedback, feedbackFile, type PersonRequest } from '../../formats/request.ts';
import type { RunState } from '../../formats/state.ts';
import {
  amountOf,
  type GivenAnswer,
  isAnswerTo,
  OTHER,
  takesAmount,
  takesWordsAlone,
} from '../policy/allowed-answers.ts';
import { desired } from '../policy/desired.ts';
import { isOver } from '../policy/phase.ts';
import { currentStep } from '../policy/pipeline.ts';
import { readQuestion } from './read-question.ts';

const now = () => new Date().toISOString();

/** Called after a request was validated and before the driver can see it. */
export type Before = () => Promise<void>;
const nothing: Before = async () => {};

export async function requestStop(files: RunFiles, state: RunState, reason: string): Promise<void> {
  if (isOver(state)) throw dureError('E_RUN_OVER', { run: state.run_id, phase: state.phase });
  await replaceJson(files.request('stop'), { asked_at: now(), reason } satisfies PersonRequest<'stop'>);
}

/** Restarts the running agent. Throws `E_RUN_OVER`, `E_NOT_AT_WORK`. */
export async function requestRetry(
  files: RunFiles,
  state: RunState,
  role?: string,
  before: Before = nothing,
): Promise<void> {
  expectAtWork(state, role);
  await before();
  await replaceJson(files.request('retry'), { asked_at: now() } satisfies PersonRequest<'retry'>);
}

/** Extends the time limit of the running agent by `ms`. Throws `E_RUN_OVER`, `E_NOT_AT_WORK`. */
export async function requestExtend(
  files: RunFiles,
  state: RunState,
  ms: number,
  role?: string,
): Promise<void> {
  expectAtWork(state, role);
  await replaceJson(files.request('extend'), { asked_at: now(), ms } satisfies PersonRequest<'extend'>);
}

/** An agent must have started: otherwise the request would apply to the next agent. */
function expectAtWork(state: RunState, role: string | undefined): void {
  if (isOver(state)) throw dureError('E_RUN_OVER', { run: state.run_id, phase: state.phase });
  const now = desired(state) ? currentStep(state).role : null;
  if (now === null || (role !== undefined && role !== now))
    throw dureError('E_NOT_AT_WORK', { run: state.run_id, agent: role ?? 'agent' });
}

export interface Approval extends Partial<Omit<PersonRequest<'approve'>, 'asked_at' | 'how'>> {
  readonly how: PersonRequest<'approve'>['how'];
}

/**
 * Applies to the tree that the user saw; `tree` may be abbreviated to 8 or more digits. Throws `E_NOT_READY`,
 * `E_PACK_MOVED`.
 */
export async function requestApproval(
  files: RunFiles,
  state: RunState,
  { tree, how, tests = 'leave', hooks = 'run', accepted }: Approval,
  before: Before = nothing,
): Promise<void> {
  const pack = readyPack(state);
  if (tree !== undefined && (tree.length < 8 || !pack.tree.startsWith(tree)))
    throw dureError('E_PACK_MOVED', { seen: tree, now: pack.tree });
  await before();
  await replaceJson(files.request('approve'), {
    asked_at: now(),
    tree: pack.tree,
    how,
    tests,
    hooks,
    ...(accepted !== undefined && { accepted }),
  } satisfies PersonRequest<'approve'>);
}

/** One request per pack. Throws `E_NOT_READY`, `E_FEEDBACK_EMPTY`, `E_FEEDBACK_GIVEN`. */
export async function requestChanges(
  files: RunFiles,
  state: RunState,
  feedback: string,
  comments: Feedback['comments'] = [],
  before: Before = nothing,
): Promise<void> {
  const pack = readyPack(state);
  if (feedback.trim() === '' && comments.length === 0) throw dureError('E_FEEDBACK_EMPTY');
  await before();
  const left = { asked_at: now(), tree: pack.tree, feedback, comments } satisfies Feedback;
  const file = files.feedbackOf(state.feedbacks + 1);
  const given = await readFormat(feedbackFile, file);
  const counts = given.is === 'value' && given.value.tree === pack.tree;
  if (given.is !== 'absent' && !counts) await rm(file, { force: true, recursive: true });
  if (!(await create(file, `${JSON.stringify(left, null, 2)}\n`)))
    throw dureError('E_FEEDBACK_GIVEN', { run: state.run_id });
}

export function readyPack(state: RunState): { commit: string; tree: string } {
  if (state.phase !== 'ready_for_merge' || !state.mrp)
    throw dureError('E_NOT_READY', { run: state.run_id, phase: state.phase });
  return state.mrp;
}

export interface AnswerRequest {
  /** Default: the text, or the amount. */
  decision?: string;
  rationale?: string;
  notes?: string;
  appliesToFuture?: boolean;
  /** US dollars, if the question is about money. */
  amount_usd?: number;
  /** Set by `--yes`; nobody has read the question. */
  unattended?: boolean;
}

/** Returns the question that a run is waiting for. Throws `E_NOT_WAITING` or, for another id, `E_CRP_UNKNOWN`. */
export async function openQuestion(files: RunFiles, state: RunState, crpId?: string): Promise<Crp> {
  if (!state.pending_crp) throw dureError('E_NOT_WAITING', { run: state.run_id, phase: state.phase });
  if (crpId !== undefined && crpId !== state.pending_crp)
    throw dureError('E_CRP_UNKNOWN', { crp: crpId, open: state.pending_crp });
  const crp = await readQuestion(files, state.pending_crp);
  if (!crp) throw dureError('E_FILE_MISSING', { file: files.crp(state.pending_crp) });
  return crp;
}

/** Writes the next `vcr-NNN.json`. The first answer to a question is valid; a second one is refused. */
export async function writeAnswer(
  files: RunFiles,
  crp: Crp,
  answer: AnswerRequest,
  before: Before = nothing,
): Promise<Vcr> {
  const fields = normalizeAnswer(crp, answer);
  const earlier = await readAnswers(files);
  const given = earlier.find(vcr => vcr.crp_id === crp.crp_id && isAnswerTo(crp, vcr));
  if (given) throw dureError('E_ANSWERED', { crp: crp.crp_id, decision: given.decision });
  await before();
  for (let n = earlier.length + 1; ; n += 1) {
    const vcr: Vcr = {
      vcr_id: `vcr-${String(n).padStart(3, '0')}`,
      crp_id: crp.crp_id,
      created_at: now(),
      ...fields,
      rationale: answer.rationale?.trim() ?? '',
      ...(answer.notes && { additional_notes: answer.notes }),
      applies_to_future: answer.appliesToFuture ?? false,
      ...(answer.unattended && { unattended: true }),
    };
    if (await create(files.vcr(vcr.vcr_id), `${JSON.stringify(vcr, null, 2)}\n`)) return vcr;
  }
}

/** Validates and normalizes an answer before anything is written. */
function normalizeAnswer(crp: Crp, { decision, rationale, amount_usd }: AnswerRequest): GivenAnswer {
  const wanted = decision?.trim() ?? (amount_usd === undefined ? OTHER : 'raise');
  const options = crp.options.map(({ id }) => id).join(', ');
  const option = crp.options.find(({ id }) => id.toLowerCase() === wanted.toLowerCase());
  if (amount_usd !== undefined && (!takesAmount(crp) || option?.id === 'stop'))
    throw dureError('E_AMOUNT_UNASKED', { crp: crp.crp_id, decision: wanted });
  const amount = amount_usd ?? (takesAmount(crp) && !option ? amountOf(wanted) : null);
  if (amount !== null) return { decision: 'raise', amount_usd: amount };
  if (option) return { decision: option.id };
  if (wanted.toUpperCase() !== OTHER || !rationale?.trim())
    throw dureError('E_OPTION_UNKNOWN', { decision: wanted, options });
  if (!takesWordsAlone(crp)) throw dureError('E_WORDS_ALONE', { crp: crp.crp_id, options });
  return { decision: OTHER };
}

/** All valid answers, in order. If a question has two, the first is used. */
export async function readAnswers(files: RunFiles): Promise<Vcr[]> {
  const names = await readdir(files.vcrs).catch(() => [] as string[]);
  const read = await Promise.all(
    names
      .filter(name => /^vcr-\d{3,6}\.json$/.test(name))
      .sort()
      .map(name => readFormat(vcrFile, files.vcr(name.slice(0, -'.json'.length)))),
  );
  return read.flatMap(r => (r.is === 'value' ? [r.value] : []));
}
