/**
 * Signs decisions with the SSH key that the user's git uses for signing (`gpg.format`, `user.signingKey`).
 * The signatures have the format of `ssh-keygen -Y sign`, so that anybody can check them without Dure. Like
 * git, ssh-keygen runs without a terminal: a passphrase has to come from ssh-agent.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withTemporaryFolder } from '../../formats/file-system/temporary-folder.ts';
import { type GitOptions, gitSetting, runSshKeygen } from './run-git.ts';

/** A signature made for another purpose, such as a commit, is not valid for a decision. */
const NAMESPACE = ['-n', 'dure-decision'];

/** Returns the path of the key, or the public key itself; null if git does not sign with an SSH key. */
export const signingKey = async (cwd: string): Promise<string | null> =>
  (await gitSetting(cwd, 'gpg.format')) === 'ssh' ? gitSetting(cwd, 'user.signingKey', '--type=path') : null;

/** Returns the fingerprint as `SHA256:…`. Throws if the key cannot be read. */
export async function fingerprintOf(key: string, cwd: string): Promise<string> {
  const literal = literalKey(key);
  const from = literal === null ? { file: key, input: '' } : { file: '-', input: `${literal}\n` };
  return fingerprintIn(await keygen(['-l', '-f', from.file], { cwd, input: from.input }));
}

/** Throws if the key cannot be used within `limitMs`. */
export const sshSign = (
  text: string,
  key: string,
  options: Pick<GitOptions, 'cwd' | 'env' | 'limitMs'>,
): Promise<string> => {
  const sign = (...file: string[]) =>
    keygen(['-Y', 'sign', ...NAMESPACE, '-f', ...file], { ...options, input: text });
  const literal = literalKey(key);
  // As in git: if the public key is given as text, its private half can only be in ssh-agent.
  return literal === null ? sign(key) : withFile(`${literal}\n`, file => sign(file, '-U'));
};

/** Returns the fingerprint of the key that made the signature. Throws if the signature does not match the text. */
export const signedWith = (text: string, signature: string): Promise<string> =>
  withFile(signature, async file =>
    fingerprintIn(await keygen(['-Y', 'check-novalidate', ...NAMESPACE, '-s', file], { input: text })),
  );

/**
 * Returns who made a valid signature, according to a file in the format of `gpg.ssh.allowedSignersFile`; null if the
 * signature was not made by anyone in that file.
 */
export const signerOf = (text: string, signature: string, trusted: string): Promise<string | null> =>
  withFile(signature, async file => {
    try {
      const found = await keygen(['-Y', 'find-principals', '-s', file, '-f', trusted]);
      const [signer = ''] = found.split('\n');
      await keygen(['-Y', 'verify', ...NAMESPACE, '-I', signer, '-s', file, '-f', trusted], { input: text });
      return signer;
    } catch {
      return null;
    }
  });

/** The public key in `user.signingKey`, recognized by the same rule as in git; null for a path. */
const literalKey = (key: string): string | null =>
  key.startsWith('key::') ? key.slice('key::'.length) : key.startsWith('ssh-') ? key : null;

const FINGERPRINT = /SHA256:[A-Za-z0-9+/]{43}/;
function fingerprintIn(printed: string): string {
  const found = FINGERPRINT.exec(printed)?.[0];
  if (found === undefined) throw new Error('ssh-keygen printed no SHA-256 fingerprint');
  return found;
}

async function keygen(args: readonly string[], options: GitOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await runSshKeygen(args, options);
  if (code !== 0) throw new Error(stderr || `ssh-keygen exited with ${code}`);
  return stdout.toString();
}

const withFile = <T>(text: string, work: (file: string) => Promise<T>): Promise<T> =>
  withTemporaryFolder('dure-ssh-', async folder => {
    const file = join(folder, 'file');
    await writeFile(file, text);
    return work(file);
  });
