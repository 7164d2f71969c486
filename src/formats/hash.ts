/** SHA-256 in hexadecimal digits. */
import { createHash } from 'node:crypto';

/** Of the parts, one after the other. */
export function sha256(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** For names and comparisons: the first 16 digits. */
export const shortHash = (...parts: readonly (string | Buffer)[]): string => sha256(...parts).slice(0, 16);
