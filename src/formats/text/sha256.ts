/** Computes SHA-256 hashes, in hexadecimal. */
import { createHash } from 'node:crypto';

/** The hash of the concatenated parts. */
export function sha256(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** The first 16 digits of the hash, for names and comparisons. */
export const shortHash = (...parts: readonly (string | Buffer)[]): string => sha256(...parts).slice(0, 16);
