/** Compares the decisions that a run recorded with the proofs and signatures in the files that people left. */
import { relative } from 'node:path';
import { vcrFile } from '../../../formats/crp-and-vcr.ts';
import type { DecidedBy, Proven } from '../../../formats/decision-provenance.ts';
import type { RunEvent } from '../../../formats/events/events.ts';
import type { RunFiles } from '../../../formats/layout.ts';
import type { RecordedDecision } from '../../../formats/output/common.ts';
import { readFormat } from '../../../formats/read-and-write-files.ts';
import {
  type DecisionKind,
  feedbackFile,
  type RequestName,
  requestFiles,
} from '../../../formats/requests-and-feedback.ts';
import type { FileFormat } from '../../../formats/schema/define-file.ts';
import type { RunState } from '../../../formats/state.ts';
import { signedWith } from '../../../workspace/git/ssh-signature.ts';
import { decisionRecordedBy } from '../../policy/decisions-recorded-by-events.ts';
import { decisionText, needsNoProof, proofFault } from '../requests/decision-proof.ts';

type Checked = Pick<RecordedDecision, 'proof' | 'signature' | 'fault'>;

/** Returns the recorded decisions in the order of the log. Only the last request of each kind is still in a file. */
export async function recordedDecisions(
  files: RunFiles,
  s: RunState,
  events: readonly RunEvent[],
): Promise<RecordedDecision[]> {
  const recorded = events.flatMap((event, n) => {
    const place = placeOf(files, event);
    return place ? [{ ...place, at: event.at, by: byIn(event), seq: n + 1 }] : [];
  });
  return Promise.all(
    recorded.map(async ({ seq, at, kind, path, format, by }) => ({
      seq,
      at,
      kind,
      file: relative(files.dir, path),
      who: by?.who ?? null,
      through: by?.through ?? null,
      key: by?.key ?? null,
      unsigned: by?.unsigned ?? null,
      ...(await checked(s, { seq, kind, by }, await readFormat(format, path))),
    })),
  );
}

const byIn = (event: RunEvent): DecidedBy | undefined => ('by' in event ? event.by : undefined);

/** Returns the file with the decision that an event records; null if it records none. */
function placeOf(
  files: RunFiles,
  event: RunEvent,
): { kind: DecisionKind; path: string; format: FileFormat } | null {
  if (event.type === 'vcr.created') return { kind: 'answer', path: files.vcr(event.vcr_id), format: vcrFile };
  if (event.type === 'mrp.rejected')
    return { kind: 'feedback', path: files.feedbackOf(event.feedback), format: feedbackFile };
  const kind = decisionRecordedBy(event.type);
  // `run.stopped` has no `by` if an answer stopped the run.
  return isRequest(kind) && byIn(event)
    ? { kind, path: files.request(kind), format: requestFiles[kind] }
    : null;
}

const isRequest = (kind: DecisionKind | null): kind is RequestName => kind !== null && kind in requestFiles;

async function checked(
  s: RunState,
  { seq, kind, by: recorded }: { seq: number; kind: DecisionKind; by: DecidedBy | undefined },
  found: Awaited<ReturnType<typeof readFormat>>,
): Promise<Checked> {
  const notValid = (fault: string): Checked => ({ proof: 'not valid', signature: 'none', fault });
  if (found.is !== 'value')
    return isRequest(kind) ? NOT_KEPT : notValid(found.is === 'absent' ? 'it is missing' : found.problem);
  const decision = found.value as { by?: Proven };
  if (decision.by?.nonce !== recorded?.nonce)
    return isRequest(kind) ? NOT_KEPT : notValid('it is not the decision that the log records');
  // `dure recover --how rekey` keeps what is still needed: the answers, and the last feedback.
  const isOfEarlierKey = kind !== 'answer' && seq <= (s.key_replaced?.events ?? 0);
  const fault = isOfEarlierKey ? null : proofFault(s, kind, decision);
  if (fault !== null) return notValid(fault);
  const proof = isOfEarlierKey || needsNoProof(s, kind, decision) ? 'not checked' : 'valid';
  if (recorded?.key === undefined) return { proof, signature: 'none', fault: null };
  const why = await signatureFault(s, kind, decision, recorded.key);
  return { proof, signature: why === null ? 'valid' : 'not valid', fault: why };
}

const NOT_KEPT: Checked = { proof: 'not kept', signature: 'not kept', fault: null };

async function signatureFault(
  s: RunState,
  kind: DecisionKind,
  { by, ...content }: { by?: Proven },
  key: string,
): Promise<string | null> {
  if (!by?.signature) return `it is not signed with ${key}`;
  const { proof: _, signature, ...decidedBy } = by;
  try {
    const signer = await signedWith(decisionText(s, kind, content, decidedBy), signature);
    return signer === key ? null : `it is signed with ${signer}, not with ${key}`;
  } catch (error) {
    return `its signature is not valid: ${(error as Error).message}`;
  }
}
