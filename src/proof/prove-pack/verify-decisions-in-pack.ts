/**
 * Determines, from a pack, who answered the run's questions, requested changes and approved the result. `vcr-001.txt`,
 * `feedback-001.txt` and `approve.txt` are the texts covered by the proof and the signature. Only the signature can be
 * checked without the key of the run. Throws `E_PROVE_PACK` for a signature that does not match its text, and
 * `E_PROVE_DIFFERS` for a text that does not contain the decision.
 */
import { z } from 'zod';
import { dureError } from '../../errors.ts';
import { decidedBy } from '../../formats/decision-provenance.ts';
import type { PackDecision } from '../../formats/output/prove.ts';
import { readBlob } from '../../workspace/git/read-blobs.ts';
import type { Repository } from '../../workspace/git/run-git.ts';
import { signedWith, signerOf } from '../../workspace/git/ssh-signature.ts';
import type { OpenPack } from './read-and-verify-pack.ts';
import { decisionDiffers, feedbackIn, parsedAs, REQUESTED } from './read-recorded-decisions.ts';

const UNKNOWN = { who: null, through: null, key: null, signer: null };

/** `trusted`: a file in the format of `gpg.ssh.allowedSignersFile`. A pack never contains an unsigned approval. */
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
  const requests = (await feedbackIn(repo, pack.commit, pack.evidence.run_id)).map(({ id }) =>
    read(id, REQUESTED),
  );
  const approval = read('approve', {
    kind: z.literal('approve'),
    content: z.object({ tree: z.literal(tree) }),
  });
  return (await Promise.all([...answers, ...requests, approval])).filter(found => found !== null);
}

/** Null if the pack does not contain the decision. */
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
  const read = parsedAs(z.object({ ...is, run: z.literal(evidence.run_id), by: decidedBy }), text);
  if (!read) throw decisionDiffers(file);
  const { who, through, key = null } = read.by;
  if (key === null && signature === undefined) return { id, who, through, key, signer: null };
  const made = signature === undefined ? null : await signedWith(text, signature).catch(() => null);
  if (made === null || made !== key)
    throw dureError('E_PROVE_PACK', { why: `the signature of ${file} is not valid` });
  return { id, who, through, key, signer: await signerOf(text, signature!, trusted) };
}
