/**
 * Requests to the driver of a run. The CLI and the web server write only these files, so a request works from another
 * terminal, after a crash, or from a script.
 */

import { dureError } from '../../errors.ts';
import type { Crp, Vcr } from '../../formats/consultation.ts';
import { create, replaceJson } from '../../formats/file.ts';
import type { RunFiles } from '../../formats/layout.ts';
import type { Feedback, PersonRequest, RequestName } from '../../formats/request.ts';
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
import { canExtendExam } from '../policy/rerun.ts';
import { AT_TERMINAL, type DecidingRun, type Way, withProof } from './decision-proof.ts';
import { readAnswers } from './read-decisions.ts';
import { readQuestion } from './read-question.ts';
import { setUnusedFeedbackAside } from './set-feedback-aside.ts';

const now = () => new Date().toISOString();

/** Leaves a request with its proof. */
export async function leaveRequest<N extends RequestName>(
  files: RunFiles,
  state: RunState,
  name: N,
  request: PersonRequest<N>,
  { through, before }: Way,
): Promise<void> {
  const proven = await withProof(files, state, name, request, through);
  await before?.();
  await replaceJson(files.request(name), proven);
}

export async function requestStop(
  files: RunFiles,
  state: RunState,
  reason: string,
  way = AT_TERMINAL,
): Promise<void> {
  if (isOver(state)) throw dureError('E_RUN_OVER', { run: state.run_id, phase: state.phase });
  await leaveRequest(files, state, 'stop', { asked_at: now(), reason }, way);
}

/** Restarts the running agent. Throws `E_RUN_OVER`, `E_NOT_AT_WORK`. */
export async function requestRetry(
  files: RunFiles,
  state: RunState,
  role?: string,
  way = AT_TERMINAL,
): Promise<void> {
  expectAtWork(state, role);
  await leaveRequest(files, state, 'retry', { asked_at: now() }, way);
}

/** Extends the time limit of the running agent by `ms`. Throws `E_RUN_OVER`, `E_NOT_AT_WORK`. */
export async function requestExtend(
  files: RunFiles,
  state: RunState,
  ms: number,
  role?: string,
  way = AT_TERMINAL,
): Promise<void> {
  expectAtWork(state, role);
  await leaveRequest(files, state, 'extend', { asked_at: now(), ms }, way);
}

/** An agent must be due: otherwise the request would apply to a later agent. */
function expectAtWork(state: RunState, role: string | undefined): void {
  if (isOver(state)) throw dureError('E_RUN_OVER', { run: state.run_id, phase: state.phase });
  const now = desired(state) ? currentStep(state).role : null;
  if (now === null || (role !== undefined && role !== now))
    throw dureError('E_NOT_AT_WORK', { run: state.run_id, agent: role ?? 'agent' });
}

export interface Approval extends Partial<Omit<PersonRequest<'approve'>, 'asked_at' | 'how' | 'by'>> {
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
  way = AT_TERMINAL,
): Promise<void> {
  const pack = readyPack(state);
  if (tree !== undefined && (tree.length < 8 || !pack.tree.startsWith(tree)))
    throw dureError('E_PACK_MOVED', { seen: tree, now: pack.tree });
  const request = { asked_at: now(), tree: pack.tree, how, tests, hooks };
  await leaveRequest(
    files,
    state,
    'approve',
    { ...request, ...(accepted !== undefined && { accepted }) },
    way,
  );
}

/** Continues the exam of a result that waits for approval. Throws `E_NOT_READY`, `E_EXAM_COMPLETE`. */
export async function requestExam(
  files: RunFiles,
  state: RunState,
  budget_s: number,
  way = AT_TERMINAL,
): Promise<PersonRequest<'exam'>> {
  readyPack(state);
  if (!canExtendExam(state)) throw dureError('E_EXAM_COMPLETE', { run: state.run_id });
  const request = { asked_at: now(), budget_s };
  await leaveRequest(files, state, 'exam', request, way);
  return request;
}

/** One request per pack. Throws `E_NOT_READY`, `E_FEEDBACK_EMPTY`, `E_FEEDBACK_GIVEN`. */
export async function requestChanges(
  files: RunFiles,
  state: RunState,
  feedback: string,
  comments: Feedback['comments'] = [],
  { through, before }: Way = AT_TERMINAL,
): Promise<void> {
  const pack = readyPack(state);
  if (feedback.trim() === '' && comments.length === 0) throw dureError('E_FEEDBACK_EMPTY');
  const content = { asked_at: now(), tree: pack.tree, feedback, comments } satisfies Feedback;
  const left = await withProof(files, state, 'feedback', content, through);
  await before?.();
  await setUnusedFeedbackAside(files, state, pack.tree);
  const file = files.feedbackOf(state.feedbacks + 1);
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
  run: DecidingRun,
  crp: Crp,
  answer: AnswerRequest,
  { through, before }: Way = AT_TERMINAL,
): Promise<Vcr> {
  const fields = normalizeAnswer(crp, answer);
  const unanswered = async () => {
    const earlier = await readAnswers(files, run);
    const given = earlier.find(vcr => vcr.crp_id === crp.crp_id && isAnswerTo(crp, vcr));
    if (given) throw dureError('E_ANSWERED', { crp: crp.crp_id, decision: given.decision });
    return earlier.length;
  };
  const first = (await unanswered()) + 1;
  await before?.();
  for (let n = first; ; n += 1) {
    const content: Vcr = {
      vcr_id: `vcr-${String(n).padStart(3, '0')}`,
      crp_id: crp.crp_id,
      created_at: now(),
      ...fields,
      rationale: answer.rationale?.trim() ?? '',
      ...(answer.notes && { additional_notes: answer.notes }),
      applies_to_future: answer.appliesToFuture ?? false,
      ...(answer.unattended && { unattended: true }),
    };
    const vcr = await withProof(files, run, 'answer', content, through);
    if (await create(files.vcr(vcr.vcr_id), `${JSON.stringify(vcr, null, 2)}\n`)) return vcr;
    // Someone else may have answered in the meantime.
    await unanswered();
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
