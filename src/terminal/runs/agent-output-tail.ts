/** Reads an agent's output from the raw stream that its runner writes. */
import { render } from '../../agents/streams/render-stream-event.ts';
import { splitLines } from '../../agents/streams/split-lines.ts';
import { launchFile } from '../../formats/launch.ts';
import type { RunFiles } from '../../formats/layout.ts';
import { load } from '../../formats/read-and-write-files.ts';
import { openText } from '../../formats/read-untrusted-files.ts';
import { parseJsonLine } from '../../formats/schema/json-access.ts';
import { plainText } from '../../formats/text/plain-text.ts';

const LINE_LIMIT = 1_000_000;
const CHUNK = 256_000;

/** Renders a raw line in readable form; null if there is nothing to show. */
export type LineReader = (line: string) => string | null;

const asPrinted: LineReader = line => plainText(line) || null;
const asClaudeEvent: LineReader = line => {
  const event = parseJsonLine(line);
  return event ? render(event) : asPrinted(line);
};

/**
 * Returns a reader that renders Claude's events or, for a text backend, one that shows every line as plain text, even
 * if it is JSON.
 */
export async function lineReader(files: RunFiles, launch: number): Promise<LineReader> {
  const spec = await load(launchFile, files.launch(launch)).catch(() => null);
  return (spec?.stream ?? 'claude') === 'claude' ? asClaudeEvent : asPrinted;
}

/** Reads the raw lines of a stream as it grows. */
export interface Tail {
  /** Returns the lines since the previous call. A missing file has none. */
  newLines(): Promise<string[]>;
}

export function tailOf(file: string): Tail {
  const split = splitLines(LINE_LIMIT);
  const decoder = new TextDecoder();
  let at = 0;
  return {
    async newLines() {
      const handle = await openText(file, Number.POSITIVE_INFINITY).catch(() => null);
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

/** Returns an object that reads the last line of an agent's output, or repeats it if there is no new one. */
export function lastOutputLine(files: RunFiles): { of(role: string, launch: number): Promise<string> } {
  let current: { launch: number; tail: Tail; read: LineReader } | null = null;
  let last = '';
  return {
    async of(role, launch) {
      if (current?.launch !== launch) {
        current = { launch, tail: tailOf(files.stream(role, launch)), read: await lineReader(files, launch) };
        last = '';
      }
      for (const line of await current.tail.newLines()) {
        const lastLine = current.read(line)?.trim().split('\n').at(-1);
        if (lastLine) last = lastLine.trim();
      }
      return last;
    },
  };
}
