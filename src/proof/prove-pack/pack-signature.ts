/**
 * Determines who signed a pack, according to the SSH keys that the user trusts. A key in the pack itself is ignored.
 * Throws `E_PROVE_PACK` for a signature that does not match the commit.
 */
import { devNull } from 'node:os';
import { dureError } from '../../errors.ts';
import { gitBytes, type Repository, runGitIn } from '../../workspace/git/run-git.ts';

/** `unknown key`: the commit is signed, but not by a key that the user trusts. */
export type Signature = 'none' | 'unknown key' | `good: ${string}`;

/** The file of trusted keys from the user's git configuration; the null device if none is configured. */
export async function trustedKeys(repo: Repository): Promise<string> {
  const configured = await runGitIn(repo, ['config', '--type=path', 'gpg.ssh.allowedSignersFile']);
  return configured.stdout.toString().trim() || devNull;
}

/** `trusted`: a file in the format of `gpg.ssh.allowedSignersFile`. */
export async function signatureOf(repo: Repository, commit: string, trusted: string): Promise<Signature> {
  const [headers = ''] = (await gitBytes(repo, ['cat-file', 'commit', commit])).toString().split('\n\n', 1);
  if (!/^gpgsig/m.test(headers)) return 'none';
  // `%G?` prints a letter that tells whether the signature is valid, and whether git trusts the key.
  const asked = ['-c', `gpg.ssh.allowedSignersFile=${trusted}`, 'log', '-1', '--format=%G?%n%GS', commit];
  const { stdout } = await runGitIn(repo, asked);
  const [letter, signer] = stdout.toString().split('\n');
  if (letter === 'B') throw dureError('E_PROVE_PACK', { why: 'its signature is not valid' });
  return letter === 'G' && signer ? `good: ${signer}` : 'unknown key';
}
