/** Reads events.log incrementally. Each call returns the new events, with the state before and after each of them. */

import { advance } from '../../core/policy/evolve.ts';
import { privateKeys } from '../../core/run/record/hmac-key.ts';
import { LOG_LIMIT, logCorrupt } from '../../core/run/record/read-run-record.ts';
import { type Chain, chainOf, FIRST_CHAIN } from '../../formats/events/event-log-lines.ts';
import type { RunEvent } from '../../formats/events/events.ts';
import { parseEvent } from '../../formats/events/parse-event-log.ts';
import { openText, unreadableReason } from '../../formats/read-untrusted-files.ts';
import type { RunState } from '../../formats/state.ts';

export interface LogStep {
  readonly seq: number;
  readonly event: RunEvent;
  readonly before: RunState | null;
  readonly state: RunState;
}

export interface LogTail {
  /** The fold of the events read so far. */
  readonly state: RunState | null;
  /** Calls are queued. Throws `E_LOG_CORRUPT` if the log was changed or damaged. */
  next(): Promise<LogStep[]>;
}

export function logTail(file: string): LogTail {
  let state: RunState | null = null;
  let chain = FIRST_CHAIN;
  let chained: Chain | null = null;
  let offset = 0;
  let seq = 0;
  let last: Promise<unknown> = Promise.resolve();

  const corrupt = (why: string) => logCorrupt(file, { line: seq + 1, why });

  const read = async (): Promise<LogStep[]> => {
    const added = await from(file, offset);
    if (added === null) throw corrupt('it has become shorter');
    const steps: LogStep[] = [];
    for (const line of added.toString('utf8').split('\n').slice(0, -1)) {
      chained ??= chainOf(line, privateKeys());
      const expected = chained;
      const parsed = attempt(() => parseEvent(line, chain, expected), corrupt);
      if (parsed.seq !== seq + 1) throw corrupt(`seq is ${parsed.seq}, expected ${seq + 1}`);
      const before: RunState | null = state;
      const after = attempt(() => advance(before, parsed.event), corrupt);
      ({ chain } = parsed);
      seq += 1;
      offset += Buffer.byteLength(line) + 1;
      state = after;
      steps.push({ seq, event: parsed.event, before, state: after });
    }
    return steps;
  };

  return {
    get state() {
      return state;
    },
    next() {
      const result = last.then(read, read);
      last = result.catch(() => {});
      return result;
    },
  };
}

function attempt<T>(work: () => T, corrupt: (why: string) => Error): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) throw corrupt(error.message);
    throw error;
  }
}

/** Reads the complete lines after `offset`. Returns null if the file is now shorter than that. */
async function from(file: string, offset: number): Promise<Buffer | null> {
  const handle = await openText(file, LOG_LIMIT).catch(error => {
    throw logCorrupt(file, { line: null, why: unreadableReason(error) });
  });
  if (!handle) return offset === 0 ? Buffer.alloc(0) : null;
  try {
    const { size } = await handle.stat();
    if (size < offset) return null;
    const bytes = Buffer.alloc(Math.min(size, LOG_LIMIT) - offset);
    const { bytesRead } =
      bytes.length > 0 ? await handle.read(bytes, 0, bytes.length, offset) : { bytesRead: 0 };
    return bytes.subarray(0, bytes.subarray(0, bytesRead).lastIndexOf(10) + 1);
  } finally {
    await handle.close();
  }
}
