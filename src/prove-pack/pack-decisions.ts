/**
 * Who answered the questions of a run and approved its result, according to its pack: `vcr-001.txt` and
 * `approve.txt` are the texts that proof and signature cover. Only the signature can be checked here. Throws
 * `E_PROVE_PACK` for a signature that does not match its text, and `E_PROVE_DIFFERS` for a text that is not
 * this decision.
 */
import { z } from 'zod';
import { dureError } from '../errors.ts';
import { type DecidedBy, decidedBy } from '../formats/decided-by.ts';
import { readBlob } from '../workspace/diff.ts';
import type { Repository } from '../workspace/git.ts';
import { signedWith, signerOf } from '../workspace/ssh-signature.ts';
import type { OpenPack } from './read-pack.ts';

export interface PackDecision {
  /** The id of an answer, such as `vcr-001`, or `approve`. */
  readonly id: string;
  /** Null in a pack of an earlier version. */
  readonly who: string | null;
  readonly through: DecidedBy['through'] | null;
  /** Fingerprint of the key that signed. */
  readonly key: string | null;
  /** Whose key it is, if the user trusts it. */
  readonly signer: string | null;
}

const UNKNOWN = { who: null, through: null, key: null, signer: null };

/** `trusted`: a file as in `gpg.ssh.allowedSignersFile`. The approval is in the pack if it was signed. */
export async function decisionsIn(
  repo: Repository,
  pack: OpenPack,
  trusted: string,
): Promise<PackDecision[]> {
  const { decisions, tree } = pack.evidence;
  const read = (id: string, is: z.ZodRawShape) => decisionIn(repo, pack, trusted, id, is);
  const answers = decisions.map(async id => {
    const found = await read(id, { kind: z.literal('answer'), content: z.object({ vcr_id: z.literal(id) }) });
    return found ?? { id, ...UNKNOWN };
  });
  const approval = read('approve', {
    kind: z.literal('approve'),
    content: z.object({ tree: z.literal(tree) }),
  });
  return (await Promise.all([...answers, approval])).filter(found => found !== null);
}

/** Null if the pack does not contain it. */
async function decisionIn(
  repo: Repository,
  { commit, evidence }: OpenPack,
  trusted: string,
  id: string,
  is: z.ZodRawShape,
): Promise<PackDecision | null> {
  const file = `${id}.txt`;
  const [text, signature] = await Promise.all(
    [file, `${file}.sig`].map(async path => (await readBlob(repo, commit, path))?.toString()),
  );
  if (text === undefined) return null;
  const by = decidedIn(text, { ...is, run: z.literal(evidence.run_id) });
  if (!by) throw dureError('E_PROVE_DIFFERS', { file, why: 'the decision' });
  const { who, through, key = null } = by;
  if (key === null && signature === undefined) return { id, who, through, key, signer: null };
  const made = signature === undefined ? null : await signedWith(text, signature).catch(() => null);
  if (made === null || made !== key)
    throw dureError('E_PROVE_PACK', { why: `the signature of ${file} is not valid` });
  return { id, who, through, key, signer: await signerOf(text, signature!, trusted) };
}

/** Null if the text is not this decision. */
function decidedIn(text: string, is: z.ZodRawShape): DecidedBy | null {
  const [first, json = ''] = text.split('\n', 2);
  try {
    const shape = z.object(is).and(z.object({ by: decidedBy }));
    return first === 'dure decision' ? (shape.safeParse(JSON.parse(json)).data?.by ?? null) : null;
  } catch {
    return null;
  }
}
