/** The output of an agent, read from the raw stream that its runner writes. */
import { open } from 'node:fs/promises';
import { render } from '../agents/streams/render-event.ts';
import { lines } from '../agents/streams/split-lines.ts';
import { parseJsonLine } from '../formats/json-access.ts';
import { plainText } from '../formats/plain-text.ts';

const LINE_LIMIT = 1_000_000;
const CHUNK = 256_000;

/** A raw line in readable form; null if it contains nothing to show. */
export function readableLine(line: string): string | null {
  const event = parseJsonLine(line);
  return event ? render(event) : plainText(line) || null;
}

/** Reads the raw lines of a stream as it grows. */
export interface Tail {
  /** Lines since the previous call. A missing file has none. */
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

/** The last line of the agent's output. Keeps the previous one if nothing new arrived. */
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
        const lastLine = readableLine(line)?.trim().split('\n').at(-1);
        if (lastLine) last = lastLine.trim();
      }
      return last;
    },
  };
}
