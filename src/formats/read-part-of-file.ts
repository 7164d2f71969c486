/** Reads parts of files that may be very large. */

import { unlessDiskFails } from './file-system/temporary-disk-errors.ts';
import { openCautiously } from './read-untrusted-files.ts';

/**
 * Reads at most `limit` bytes from `offset`, and the size of the file. A negative offset counts from the end, as in
 * `slice`. Null if there is no such regular file.
 */
export async function readBytes(
  file: string,
  offset: number,
  limit: number,
): Promise<{ readonly bytes: Buffer; readonly size: number } | null> {
  const handle = await openCautiously(file).catch(unlessDiskFails(null));
  if (!handle) return null;
  try {
    const found = await handle.stat();
    if (!found.isFile()) return null;
    const { size } = found;
    const start = offset < 0 ? Math.max(0, size + offset) : offset;
    const bytes = Buffer.alloc(Math.max(0, Math.min(limit, size - start)));
    const { bytesRead } =
      bytes.length > 0 ? await handle.read(bytes, 0, bytes.length, start) : { bytesRead: 0 };
    return { bytes: bytes.subarray(0, bytesRead), size };
  } finally {
    await handle.close();
  }
}

/** Reads the first or last `limit` bytes; only whole lines if the file is longer. Empty if there is no regular file. */
export async function readStartOrEnd(
  file: string,
  end: 'start' | 'end',
  limit: number,
): Promise<{ text: string; cut: boolean }> {
  const read = await readBytes(file, end === 'start' ? 0 : -limit, limit);
  if (!read) return { text: '', cut: false };
  const text = read.bytes.toString();
  if (read.size <= limit) return { text, cut: false };
  return {
    text: end === 'start' ? text.slice(0, text.lastIndexOf('\n') + 1) : text.slice(text.indexOf('\n') + 1),
    cut: true,
  };
}
