/**
 * Reads the requests, answers and feedback of people from the folder of a run. Only decisions with a valid proof
 * count; the first one without a valid proof is reported, so that the run records its refusal.
 */
import { relative } from 'node:path';
import { type Vcr, vcrFile } from '../../../formats/crp-and-vcr.ts';
import { namesIn } from '../../../formats/file-system/path-status.ts';
import type { RunFiles } from '../../../formats/layout.ts';
import { readFormat, readValue } from '../../../formats/read-and-write-files.ts';
import {
  type DecisionKind,
  type Feedback,
  feedbackFile,
  type PersonRequest,
  REQUEST_NAMES,
  type RequestName,
  requestFiles,
} from '../../../formats/requests-and-feedback.ts';
import type { FileFormat } from '../../../formats/schema/define-file.ts';
import type { RunState } from '../../../formats/state.ts';
import { shortHash } from '../../../formats/text/sha256.ts';
import type { Unproven } from '../../policy/observation.ts';
import type { Decisions } from '../../policy/predict-driver-transition.ts';
import { isOver } from '../../policy/state/phase.ts';
import { keyOfRun } from '../record/hmac-key.ts';
import { type DecidingRun, proofFault } from './decision-proof.ts';

/** Reads unrecorded requests and feedback, and all answers. Throws `E_KEY`; the driver then leaves the run. */
export async function readRequests(files: RunFiles, s: RunState): Promise<Decisions> {
  if (!isOver(s)) keyOfRun(s.run_id, s.key);
  const refused: Unproven[] = [];
  const proven = <T extends object>(kind: DecisionKind, file: string, value: T, text: string): T | null => {
    const problem = faultOf(s, kind, value);
    if (problem === null) return value;
    const path = relative(files.dir, file);
    const hash = shortHash(text);
    if (s.refused?.[path] !== hash) refused.push({ file: path, hash, problem });
    return null;
  };
  const vcrs = s.waiting ? await readVcrs(files) : [];
  const answers = vcrs.flatMap(({ vcr, file, text }) => proven('answer', file, vcr, text) ?? []);
  const requests: Record<string, object> = {};
  for (const name of REQUEST_NAMES) {
    const file = files.request(name);
    const read = await readFormat(requestFiles[name] as FileFormat, file);
    if (read.is !== 'value') continue;
    const request = read.value as PersonRequest<RequestName>;
    if (s.requests_done[name] !== request.asked_at && proven(name, file, request, read.text))
      requests[name] = request;
  }
  const next = files.feedbackOf(s.feedbacks + 1);
  const read = s.phase === 'ready_for_merge' ? await readFormat(feedbackFile, next) : null;
  const feedback = read?.is === 'value' ? proven('feedback', next, read.value, read.text) : null;
  return { answers, requests, feedback, unproven: refused[0] ?? null };
}

/**
 * Returns why a decision does not count: it has no valid proof, or it is a request or feedback that was already
 * recorded. Null if it counts. Answers need not be compared with earlier ones, because a question is open only once.
 */
function faultOf(s: RunState, kind: DecisionKind, value: { by?: { nonce: string } }): string | null {
  const isUsed = kind !== 'answer' && value.by !== undefined && s.nonces?.includes(value.by.nonce);
  return isUsed ? 'it is a copy of an earlier decision' : proofFault(s, kind, value as never);
}

/** Reads all answers with a valid proof, in order. If a question has two answers, the first is used. */
export const readAnswers = async (files: RunFiles, run: DecidingRun): Promise<Vcr[]> =>
  (await readVcrs(files)).flatMap(({ vcr }) => (proofFault(run, 'answer', vcr) === null ? [vcr] : []));

/** Reads all answers, including those without a proof. */
export async function readVcrs(files: RunFiles): Promise<{ vcr: Vcr; file: string; text: string }[]> {
  const names = await namesIn(files.vcrs);
  const read = await Promise.all(
    names
      .filter(name => /^vcr-\d{3,6}\.json$/.test(name))
      .sort()
      .map(async name => {
        const file = files.vcr(name.slice(0, -'.json'.length));
        return { file, found: await readFormat(vcrFile, file) };
      }),
  );
  return read.flatMap(({ file, found }) =>
    found.is === 'value' ? [{ vcr: found.value, file, text: found.text }] : [],
  );
}

/** Reads the feedback that the current iteration acts on. Null if there is none with a valid proof. */
export async function readFeedback(files: RunFiles, s: RunState): Promise<Feedback | null> {
  const feedback = await readValue(feedbackFile, files.feedbackOf(s.feedbacks));
  return feedback && proofFault(s, 'feedback', feedback) === null ? feedback : null;
}
