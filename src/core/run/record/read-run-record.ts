/**
 * Reads what the folder of a run records. `events.log` is the record; `state.json` is derived from it, and is read
 * instead of the log only if the run is over, so that thousands of finished runs can be listed without reading their
 * logs.
 */
import { basename, dirname } from 'node:path';
import { type DureError, dureError } from '../../../errors.ts';
import type { RunOptions } from '../../../formats/config/run-options.ts';
import { FIRST_CHAIN } from '../../../formats/events/event-log-lines.ts';
import type { EventOf, RunEvent } from '../../../formats/events/events.ts';
import { type RunFiles, runIdOf } from '../../../formats/layout.ts';
import { loadState, parseLogFast } from '../../../formats/load-run-files-fast.ts';
import { readText, unreadableReason } from '../../../formats/read-untrusted-files.ts';
import type { RunState } from '../../../formats/state.ts';
import { fold } from '../../policy/evolve.ts';
import { isOver } from '../../policy/state/phase.ts';
import { privateKeys } from './hmac-key.ts';

/** Maximum size of events.log in bytes; a run usually writes a few hundred lines. */
export const LOG_LIMIT = 64_000_000;

/** `line` is null if the file cannot be read at all. */
export interface LogDamage {
  readonly line: number | null;
  readonly why: string;
}

export interface RunLog {
  /** The events before the damage. */
  readonly events: RunEvent[];
  /** The chain value after these events. */
  readonly chain: string;
  /** Length in bytes of the complete lines, and of the whole file. */
  readonly completeBytes: number;
  readonly size: number;
  readonly damage: LogDamage | null;
}

export const EMPTY_LOG: LogDamage = { line: 1, why: 'the log is missing or empty' };

/** A missing log counts as empty; a link, a pipe, a folder or a file that is too large counts as a damaged log. */
export const readLog = (file: string): Promise<RunLog> => readLines(file, text => text);

/** Like `readLog`, but parses only the first line. */
const readFirstLine = (file: string): Promise<RunLog> =>
  readLines(file, text => text.slice(0, text.indexOf('\n') + 1));

async function readLines(file: string, part: (text: string) => string): Promise<RunLog> {
  try {
    const text = part((await readText(file, LOG_LIMIT)) ?? '');
    const { events, chain, completeBytes, broken } = await parseLogFast(text, privateKeys());
    const size = Buffer.byteLength(text);
    const why = events[0] && startFault(events[0], basename(dirname(file)));
    if (why) return { ...NOTHING, size, damage: { line: 1, why } };
    return { events, chain, completeBytes, size, damage: broken };
  } catch (error) {
    return { ...NOTHING, size: 0, damage: { line: null, why: unreadableReason(error) } };
  }
}

/**
 * Returns why a log with this first event is not the run's; null if it is. The chain alone does not show that, because
 * all runs may use the same key.
 */
export function startFault(first: RunEvent | undefined, run: string): string | null {
  if (first?.type !== 'run.started') return 'the log does not begin with run.started';
  return first.run_id === run ? null : `it is the log of ${first.run_id}`;
}

const NOTHING = { events: [], chain: FIRST_CHAIN, completeBytes: 0 };

export interface RunRecord {
  /**
   * The fold of the log. If the log is damaged: the last saved state or, without one, the fold of the events before
   * the damage.
   */
  readonly state: RunState | null;
  readonly damage: LogDamage | null;
}

/** If there is neither state nor damage, the run is still being created. */
export async function readRecord(files: RunFiles): Promise<RunRecord> {
  const saved = await savedState(files);
  if (saved.state && isOver(saved.state)) return { state: saved.state, damage: null };
  const log = await readLog(files.events);
  const damage = log.damage ?? lostLines(log, saved);
  const folded = log.events.length > 0 ? fold(log.events) : null;
  return { state: damage ? (saved.state ?? folded) : folded, damage };
}

export interface SavedState {
  readonly state: RunState | null;
  /** Whether the file exists, even if it cannot be read. */
  readonly exists: boolean;
}

export const savedState = (files: RunFiles): Promise<SavedState> =>
  loadState(files.state).then(
    // The state of another run counts as missing.
    state => ({ state: state?.run_id === runIdOf(files) ? state : null, exists: state !== null }),
    () => ({ state: null, exists: true }),
  );

/** The log is written before the state, so if it has fewer events than the state, lines have been lost. */
export function lostLines({ events }: Pick<RunLog, 'events'>, saved: SavedState): LogDamage | null {
  if (events.length === 0 && saved.exists) return EMPTY_LOG;
  if (!saved.state || saved.state.seq <= events.length) return null;
  return {
    line: events.length + 1,
    why: `the log ends here, but state.json records ${saved.state.seq} events`,
  };
}

export const logCorrupt = (file: string, damage: LogDamage): DureError =>
  dureError('E_LOG_CORRUPT', { run: basename(dirname(file)), file, ...damage });

/** Returns the event that started the run. Null if the log does not begin with it or cannot be read. */
export async function firstEvent(files: RunFiles): Promise<EventOf<'run.started'> | null> {
  const [first] = (await readFirstLine(files.events)).events;
  return first?.type === 'run.started' ? first : null;
}

/** Null if the log does not begin with the start of the run or cannot be read. */
export const readOptions = async (files: RunFiles): Promise<RunOptions | null> =>
  (await firstEvent(files))?.options ?? null;

/** Throws `E_LOG_CORRUPT`. */
export async function expectOptions(files: RunFiles): Promise<RunOptions> {
  const { events, damage } = await readFirstLine(files.events);
  if (events[0]?.type === 'run.started') return events[0].options;
  throw logCorrupt(files.events, damage ?? EMPTY_LOG);
}
