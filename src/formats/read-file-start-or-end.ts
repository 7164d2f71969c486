/** Reads the start or the end of a file that may be very large. */
import { openCautiously } from './read-text.ts';

/** At most `limit` bytes, in whole lines if the file is longer. Empty if there is no such regular file. */
export async function readStartOrEnd(
  file: string,
  end: 'start' | 'end',
  limit: number,
): Promise<{ text: string; cut: boolean }> {
  const handle = await openCautiously(file).catch(() => null);
  if (!handle) return { text: '', cut: false };
  try {
    const found = await handle.stat();
    if (!found.isFile()) return { text: '', cut: false };
    const bytes = Buffer.alloc(Math.min(limit, found.size));
    const { bytesRead } = await handle.read(
      bytes,
      0,
      bytes.length,
      end === 'start' ? 0 : found.size - bytes.length,
    );
    const text = bytes.toString('utf8', 0, bytesRead);
    if (found.size <= limit) return { text, cut: false };
    return {
      text: end === 'start' ? text.slice(0, text.lastIndexOf('\n') + 1) : text.slice(text.indexOf('\n') + 1),
      cut: true,
    };
  } finally {
    await handle.close();
  }
}
