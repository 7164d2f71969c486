/** What an agent says, read from the raw stream that its runner writes. */
import { open } from 'node:fs/promises';
import { lines } from '../agents/streams/lines.ts';
import { parseLine } from '../agents/streams/loose.ts';
import { plain } from '../agents/streams/plain.ts';
import { render } from '../agents/streams/render.ts';

const LINE_LIMIT = 1_000_000;
const CHUNK = 256_000;

/** A line of a raw stream as people read it; null when it says nothing to them. */
export function readable(line: string): string | null {
  const event = parseLine(line);
  return event ? render(event) : plain(line) || null;
}

/** The raw lines of a stream as it grows. */
export interface Tail {
  /** Lines since the call before. A stream that is not there yet has none. */
  fresh(): Promise<string[]>;
}

export function tailOf(file: string): Tail {
  const split = lines(LINE_LIMIT);
  const decoder = new TextDecoder();
  let at = 0;
  return {
    async fresh() {
      const handle = await open(file, 'r').catch(() => null);
      if (!handle) return [];
      try {
        const found: string[] = [];
        const buffer = Buffer.alloc(CHUNK);
        for (;;) {
          const { bytesRead } = await handle.read(buffer, 0, CHUNK, at);
          if (bytesRead === 0) return found;
          at += bytesRead;
          found.push(...split.push(decoder.decode(buffer.subarray(0, bytesRead), { stream: true })));
        }
      } finally {
        await handle.close();
      }
    },
  };
}

/** The last thing the agent said, for a line that is always on the screen. Keeps it when nothing new came. */
export function lastWords(): { of(file: string): Promise<string> } {
  let file = '';
  let tail: Tail | null = null;
  let last = '';
  return {
    async of(wanted) {
      if (wanted !== file) {
        file = wanted;
        tail = tailOf(file);
        last = '';
      }
      for (const line of await tail!.fresh()) {
        const said = readable(line)?.trim().split('\n').at(-1);
        if (said) last = said.trim();
      }
      return last;
    },
  };
}
