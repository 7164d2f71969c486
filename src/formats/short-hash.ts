/** A hash for names and comparisons: the first 16 hexadecimal digits of a SHA-256. */
import { createHash } from 'node:crypto';

export const shortHash = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 16);
