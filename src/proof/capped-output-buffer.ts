/**
 * Stores a command's output in at most `limit` bytes: the first half holds the beginning, the second half is a ring
 * buffer of the latest output. Endless output therefore cannot exhaust memory.
 */
import { StringDecoder } from 'node:string_decoder';

export interface CappedLog {
  write(chunk: Uint8Array): void;
  /** Returns the whole output, or its head and tail with a line between them that says how much is missing. */
  text(): string;
  /** Returns at most the last `bytes` bytes, starting at a character boundary. */
  tail(bytes: number): string;
  /** Number of bytes omitted. */
  dropped(): number;
}

export function cappedLog(limit: number): CappedLog {
  const half = Math.floor(limit / 2);
  // The operating system allocates the memory only as it is written.
  const stored = Buffer.alloc(2 * half);
  let written = 0;

  const place = (at: number) => (at < half ? at : half + ((at - half) % half));
  const dropped = () => Math.max(0, written - 2 * half);
  /** The last `half` bytes of output that exceeds the limit. */
  const latest = (): Buffer => {
    const oldest = place(written);
    return Buffer.concat([stored.subarray(oldest), stored.subarray(half, oldest)]);
  };

  return {
    write(chunk) {
      for (let rest = chunk; rest.length > 0; ) {
        const at = place(written);
        const part = rest.subarray(0, (at < half ? half : 2 * half) - at);
        stored.set(part, at);
        rest = rest.subarray(part.length);
        written += part.length;
      }
    },
    text() {
      if (dropped() === 0) return stored.toString('utf8', 0, written);
      const head = new StringDecoder('utf8').write(stored.subarray(0, half));
      return `${head}\n[… ${dropped()} bytes omitted …]\n${fromCharacter(latest())}`;
    },
    tail(bytes) {
      const most = Math.min(bytes, half);
      if (written <= most) return stored.toString('utf8', 0, written);
      const end = dropped() === 0 ? stored.subarray(0, written) : latest();
      return fromCharacter(end.subarray(end.length - most));
    },
    dropped,
  };
}

/** Skips the UTF-8 continuation bytes (10xxxxxx) of a character that was cut. */
function fromCharacter(bytes: Buffer): string {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.toString('utf8', start);
}
