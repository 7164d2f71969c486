/**
 * Reads Dure's own files without the schema library. A file that does not match its shape is read again by the full
 * reader, which reports what is wrong. Results therefore never depend on the fast reader alone.
 */

import type { Driver } from './driver.ts';
import { type ChainKey, type ParsedLog, parseLines } from './events/event-log-lines.ts';
import type { RunEvent } from './events/events.ts';
import { unlessDiskFails } from './file-system/temporary-disk-errors.ts';
import type { Origin } from './imported-run-origin.ts';
import { readTextNow } from './read-untrusted-files.ts';
import type { FileFormat } from './schema/define-file.ts';
import { matchesSchema, type Schema } from './schema/matches-schema.ts';
import { DRIVER, ORIGIN, STATE } from './schema/precompiled-file-schemas.ts';
import { type Json, jsonText } from './schema/strict-json.ts';
import type { RunState } from './state.ts';

/** Null if the file does not exist; throws `E_FILE_INVALID` if it is invalid. */
export const loadState = (file: string): Promise<RunState | null> =>
  lightly<RunState>(STATE, file, async () => (await import('./state.ts')).stateFile);

export const loadDriver = (file: string): Promise<Driver | null> =>
  lightly<Driver>(DRIVER, file, async () => (await import('./driver.ts')).driverFile);

/** Null if the file cannot be read: nothing depends on it. */
export const loadOrigin = (file: string): Promise<Origin | null> =>
  lightly<Origin>(ORIGIN, file, async () => (await import('./imported-run-origin.ts')).originFile).catch(
    unlessDiskFails(null),
  );

async function lightly<T>(shape: Schema, file: string, full: () => Promise<FileFormat>): Promise<T | null> {
  try {
    const text = readTextNow(file);
    if (text === null) return null;
    const value = asWritten(text);
    if (value !== undefined && matchesSchema(shape, value)) return value as T;
  } catch {
    // The full reader fails too, and reports why.
  }
  const [{ load }, format] = await Promise.all([import('./read-and-write-files.ts'), full()]);
  return load(format, file) as Promise<T | null>;
}

/**
 * Parses JSON that looks exactly as Dure writes it; undefined for any other JSON. If serializing the value reproduces
 * the text, the file has no duplicate keys, and the much faster JSON.parse is as strict as Dure's own parser.
 */
function asWritten(text: string): Json | undefined {
  const value = JSON.parse(text) as Json;
  const same = jsonText(value) === text;
  return same && !text.includes('"__proto__"') ? value : undefined;
}

/** Same result as `parseLog`. */
export async function parseLogFast(text: string, keys: readonly ChainKey[] = []): Promise<ParsedLog> {
  const { EVENT_SCHEMAS: EVENTS } = await import('./events/precompiled-event-schemas.ts');
  const check = (read: Record<string, unknown>) => {
    const shape = EVENTS[String(read['type'])];
    if (!shape || !matchesSchema(shape, read as Json)) throw new SyntaxError('it is not an event');
    return read as RunEvent;
  };
  const log = parseLines(text, check, keys);
  return log.broken ? (await import('./events/parse-event-log.ts')).parseLog(text, keys) : log;
}
