/**
 * Stores a command's output on disk, in at most `limit` bytes: the first half is kept, the second half is a ring buffer
 * of the latest output. A command with endless output fills neither disk nor memory, and never blocks.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { dureError } from '../errors.ts';

export interface CappedLog {
  write(chunk: Uint8Array): void;
  /** Returns the whole output, or its head and tail with a line between them that says how much is missing. */
  text(): string;
  /** Returns at most the last `bytes` bytes, starting at a character boundary. */
  tail(bytes: number): string;
  /** Number of bytes omitted. */
  dropped(): number;
  close(): void;
}

/** Writes are synchronous, which keeps the order and avoids backpressure. A failed write is reported as `E_DISK` on reading. */
export function cappedLog(file: string, limit: number): CappedLog {
  const fd = openSync(file, 'wx+', 0o600);
  const half = Math.floor(limit / 2);
  let written = 0;
  let failure: Error | null = null;

  const place = (at: number) => (at < half ? at : half + ((at - half) % half));
  const dropped = () => Math.max(0, written - 2 * half);

  const put = (chunk: Uint8Array) => {
    let rest = chunk;
    while (rest.length > 0) {
      const at = place(written);
      const room = (at < half ? half : 2 * half) - at;
      const n = writeSync(fd, rest, 0, Math.min(room, rest.length), at);
      rest = rest.subarray(n);
      written += n;
    }
  };
  /** Returns bytes `from` to `to` of the output, which must still be stored. */
  const get = (from: number, to: number): Buffer => {
    const bytes = Buffer.alloc(to - from);
    for (let done = 0; done < bytes.length; ) {
      const at = place(from + done);
      const room = (at < half ? half : 2 * half) - at;
      const n = readSync(fd, bytes, done, Math.min(room, bytes.length - done), at);
      if (n === 0) throw new Error(`${file} was truncated by another process`);
      done += n;
    }
    return bytes;
  };

  const throwIfFailed = () => {
    if (failure !== null) throw dureError('E_DISK', { file, why: failure.message }, { cause: failure });
  };

  return {
    write(chunk) {
      if (failure !== null) return;
      try {
        put(chunk);
      } catch (error) {
        failure = error as Error;
      }
    },
    text() {
      throwIfFailed();
      if (dropped() === 0) return get(0, written).toString('utf8');
      const head = new StringDecoder('utf8').write(get(0, half));
      const tail = fromCharacter(get(written - half, written));
      return `${head}\n[… ${dropped()} bytes were left out here …]\n${tail}`;
    },
    tail(bytes) {
      throwIfFailed();
      const from = Math.max(0, written - Math.min(bytes, half));
      return from === 0 ? get(0, written).toString('utf8') : fromCharacter(get(from, written));
    },
    dropped,
    close: () => closeSync(fd),
  };
}

/** Skips the UTF-8 continuation bytes (10xxxxxx) of a character that was cut. */
function fromCharacter(bytes: Buffer): string {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.toString('utf8', start);
}
