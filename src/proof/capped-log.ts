/**
 * What a command prints, on disk and never more than `limit` bytes: the first half stays, the second half is a ring that
 * holds the latest. A command that prints without end fills neither the disk nor the memory, and is never held up.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { dureError } from '../errors.ts';

export interface CappedLog {
  write(chunk: Uint8Array): void;
  /** Everything, or head and tail with a line between them that says how much is missing. */
  text(): string;
  /** The last `bytes` bytes at most, from the start of a character. */
  tail(bytes: number): string;
  /** Bytes that were left out. */
  dropped(): number;
  close(): void;
}

/** Writing is synchronous, so that order and backpressure need no care; what could not be written is `E_DISK` when it is read. */
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
  /** Bytes from..to as they were written; both must still be held. */
  const get = (from: number, to: number): Buffer => {
    const bytes = Buffer.alloc(to - from);
    for (let done = 0; done < bytes.length; ) {
      const at = place(from + done);
      const room = (at < half ? half : 2 * half) - at;
      const n = readSync(fd, bytes, done, Math.min(room, bytes.length - done), at);
      if (n === 0) throw new Error(`${file} was cut short by someone else`);
      done += n;
    }
    return bytes;
  };

  const whole = () => {
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
      whole();
      if (dropped() === 0) return get(0, written).toString('utf8');
      const head = new StringDecoder('utf8').write(get(0, half));
      const tail = fromCharacter(get(written - half, written));
      return `${head}\n[… ${dropped()} bytes were left out here …]\n${tail}`;
    },
    tail(bytes) {
      whole();
      const from = Math.max(0, written - Math.min(bytes, half));
      return from === 0 ? get(0, written).toString('utf8') : fromCharacter(get(from, written));
    },
    dropped,
    close: () => closeSync(fd),
  };
}

/** Bytes 10xxxxxx go on with a character that was cut. */
function fromCharacter(bytes: Buffer): string {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.toString('utf8', start);
}
