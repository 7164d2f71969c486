/**
 * Proofs of decisions. A file that records a decision counts only if Dure wrote it: it carries an HMAC over the run,
 * the kind of decision, its content and a nonce, made with a key that agents in a sandbox cannot read. A proof is
 * not valid for another run, kind of decision or question, or if the decision was changed. Only decisions that were
 * recorded before the key of the run was replaced need no proof.
 * If the user's git signs with an SSH key, decisions about the result are also signed with it, so that others can
 * check them.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { userInfo } from 'node:os';
import { dureError } from '../../../errors.ts';
import type { DecidedBy, Proven } from '../../../formats/decision-provenance.ts';
import type { ChainKey } from '../../../formats/events/event-log-lines.ts';
import { projectRootOf, type RunFiles } from '../../../formats/layout.ts';
import { type DecisionKind, decisionFormats } from '../../../formats/requests-and-feedback.ts';
import { problemsOf } from '../../../formats/schema/schema-problems.ts';
import type { RunState } from '../../../formats/state.ts';
import { sha256 } from '../../../formats/text/sha256.ts';
import { gitSetting } from '../../../workspace/git/run-git.ts';
import { fingerprintOf, signingKey, sshSign } from '../../../workspace/git/ssh-signature.ts';
import { keyFault, keyOfRun } from '../record/hmac-key.ts';

export type DecidingRun = Pick<RunState, 'run_id' | 'key' | 'key_replaced' | 'asked' | 'nonces'>;

/**
 * How a decision reaches Dure. `before` is called when the decision is validated but not yet visible to the driver.
 */
export interface DecisionSource {
  readonly through: DecidedBy['through'];
  readonly before?: () => Promise<void>;
}
export const FROM_TERMINAL: DecisionSource = { through: 'terminal' };

const SIGNED: readonly DecisionKind[] = ['answer', 'feedback', 'approve'];

/**
 * How long (ms) signing may take: in a terminal, the user may have to touch a hardware key; on a page, nothing would
 * tell them to.
 */
const SIGNING_MS = { terminal: 30_000, page: 5000, dure: null } as const;
const WITHOUT_WINDOW = { SSH_ASKPASS_REQUIRE: 'never' };

/**
 * Adds who decided, the proof and, if git signs with an SSH key, the signature. Throws `E_DECISION_INVALID` for a
 * decision that the driver would ignore, and `E_KEY`.
 */
export async function withProof<T extends object>(
  files: RunFiles,
  run: DecidingRun,
  kind: DecisionKind,
  content: T,
  through: DecidedBy['through'],
): Promise<T & { by: Proven }> {
  const proven = (by: DecidedBy) => signed(run, kind, content, by);
  const plain = proven(await decider(files, through));
  const { error } = decisionFormats[kind].shape.safeParse(plain);
  if (error) throw dureError('E_DECISION_INVALID', { problems: problemsOf(error) });
  const limitMs = SIGNED.includes(kind) ? SIGNING_MS[through] : null;
  if (limitMs === null) return plain;
  const cwd = projectRootOf(files);
  const named = await signingKey(cwd);
  if (named === null) return plain;
  const { proof: _, ...by } = plain.by;
  try {
    const withKey = { ...by, key: await fingerprintOf(named, cwd) };
    const signature = await sshSign(decisionText(run, kind, content, withKey), named, {
      cwd,
      limitMs,
      ...(through === 'page' && { env: WITHOUT_WINDOW }),
    });
    const both = proven(withKey);
    return { ...both, by: { ...both.by, signature } };
  } catch (error) {
    return proven({ ...by, unsigned: (error as Error).message.slice(0, 400) });
  }
}

export const decider = async (files: RunFiles, through: DecidedBy['through']): Promise<DecidedBy> => ({
  who: await userOf(files),
  through,
  nonce: randomBytes(16).toString('hex'),
});

export function signed<T extends object>(
  run: DecidingRun,
  kind: DecisionKind,
  content: T,
  by: DecidedBy,
): T & { by: Proven } {
  const key = keyOfRun(run.run_id, run.key);
  return { ...content, by: { ...by, proof: proofOf(run, key, kind, content, by).toString('hex') } };
}

/** Returns why a decision does not count; null if it does. */
export function proofFault(
  run: DecidingRun,
  kind: DecisionKind,
  decision: { readonly by?: Proven | undefined },
): string | null {
  if (needsNoProof(run, kind, decision)) return null;
  const fault = keyFault(run.key);
  if (fault !== null) return fault;
  const { by, ...content } = decision;
  const key = keyOfRun(run.run_id, run.key);
  if (!by) return 'it has no proof that a person made it';
  const { proof, signature: _, ...decidedBy } = by;
  const expected = proofOf(run, key, kind, content, decidedBy);
  return timingSafeEqual(expected, Buffer.from(proof, 'hex'))
    ? null
    : 'its proof belongs to another decision, or was made without the key';
}

/** Whether the decision was recorded before the key of the run was replaced. */
export const needsNoProof = (run: DecidingRun, kind: DecisionKind, decision: object): boolean =>
  run.key_replaced?.decisions.includes(decisionHash(run, kind, decision)) ?? false;

export const decisionHash = (run: DecidingRun, kind: DecisionKind, decision: object): string =>
  sha256(canonical({ kind, question: questionOf(run, decision), decision }));

/** Returns the hash of the question that an answer is about: after `dure recover`, another may have the same id. */
function questionOf(run: DecidingRun, decision: object): string | null {
  const { crp_id } = decision as { crp_id?: string };
  return crp_id === undefined ? null : (run.asked?.[crp_id] ?? null);
}

function proofOf(
  run: DecidingRun,
  key: ChainKey,
  kind: DecisionKind,
  content: object,
  by: DecidedBy,
): Buffer {
  return createHmac('sha256', key.secret)
    .update(decisionText(run, kind, content, by))
    .digest();
}

/** Builds the text that the proof and the signature cover. */
export function decisionText(run: DecidingRun, kind: DecisionKind, content: object, by: DecidedBy): string {
  const question = questionOf(run, content);
  return `dure decision\n${canonical({ run: run.run_id, kind, question, content, by })}`;
}

/** Returns the pack files, by name, with which others can check a decision: its text and any signature. */
export function decisionFiles(
  run: DecidingRun,
  kind: DecisionKind,
  id: string,
  { by, ...content }: { readonly by?: Proven | undefined },
): Record<string, string> {
  if (!by) return {};
  const { proof: _, signature, ...decidedBy } = by;
  return {
    [`${id}.txt`]: decisionText(run, kind, content, decidedBy),
    ...(signature !== undefined && { [`${id}.txt.sig`]: signature }),
  };
}

/** Serializes a value as JSON with sorted keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

/** Returns the user's name from git in this project, otherwise from the system. */
async function userOf(files: RunFiles): Promise<string> {
  const [name, email] = await Promise.all(
    ['user.name', 'user.email'].map(key => gitSetting(projectRootOf(files), key)),
  );
  if (name) return `${name}${email ? ` <${email}>` : ''}`.slice(0, 400);
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}
