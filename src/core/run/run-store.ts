/** Finds, lists and reads runs on disk. For the driver, also appends to the log and saves the state. */
import { readdirSync } from 'node:fs';
import { type FileHandle, mkdir, truncate } from 'node:fs/promises';
import { asTyped, dureError } from '../../errors.ts';
import { chainWith, FIRST_CHAIN, formatEvent } from '../../formats/events/event-log-lines.ts';
import type { RunEvent } from '../../formats/events/events.ts';
import { isFolder } from '../../formats/file-system/path-status.ts';
import { diskFault, unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import {
  type ProjectFiles,
  RUN_ID,
  type RunFiles,
  runFiles,
  runIdOf,
  timeInRunId,
} from '../../formats/layout.ts';
import { loadDriver } from '../../formats/load-run-files-fast.ts';
import { readTextOrEmpty } from '../../formats/read-untrusted-files.ts';
import type { RunState } from '../../formats/state.ts';
import { isAlive } from '../../process/identity.ts';
import { isSuspended } from '../../process/proc-table.ts';
import { advance, fold } from '../policy/evolve.ts';
import { isOver } from '../policy/state/phase.ts';
import { actualState, damagedState, interrupted } from '../policy/state/state-without-driver.ts';
import { keyOfRun } from './record/hmac-key.ts';
import {
  type LogDamage,
  logCorrupt,
  lostLines,
  readLog,
  readRecord,
  savedState,
} from './record/read-run-record.ts';
import { isDecisionPending } from './requests/is-decision-pending.ts';

/** Lists the ids of all runs, newest first. Other folders are skipped. */
export const runIds = async (project: ProjectFiles): Promise<string[]> => newestIds(project);

/** Lists the newest `limit` ids. Default: all. */
export const newestIds = (project: ProjectFiles, limit?: number): string[] =>
  namesOf(project)
    .filter(name => RUN_ID.test(name))
    .sort(newestFirst)
    .slice(0, limit);

/** Reads the folder synchronously, because that is faster for a single folder. */
function namesOf(project: ProjectFiles): string[] {
  try {
    return readdirSync(project.runs);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

const SECOND = 'run-20260131-142201'.length;
/** Compares the times in the ids, then their numbers: `-10` is newer than `-2`. */
export function newestFirst(a: string, b: string): number {
  if (a.length === b.length) return a < b ? 1 : -1;
  const [secondA, secondB] = [a.slice(0, SECOND), b.slice(0, SECOND)];
  return secondA === secondB ? b.length - a.length : secondA < secondB ? 1 : -1;
}

/**
 * Finds the run with this id, or the newest run. The id is validated before it is used in a path, and a link in place
 * of the folder is not followed. Throws `E_RUN_ID`, `E_RUN_NOT_FOUND`, `E_NO_RUNS`.
 */
export async function findRun(project: ProjectFiles, id?: string): Promise<RunFiles> {
  if (id === undefined) {
    const [newest] = newestIds(project, 1);
    if (newest === undefined) throw dureError('E_NO_RUNS');
    return runFiles(project.run(newest));
  }
  if (!RUN_ID.test(id)) throw dureError('E_RUN_ID', { run: asTyped(id.slice(0, 80)) });
  if (!(await isFolder(project.run(id)))) throw dureError('E_RUN_NOT_FOUND', { run: id });
  return runFiles(project.run(id));
}

/** The run id that a person typed in full, with or without `run-`. Null for anything else, such as an abbreviation. */
export const completeRunId = (name: string): string | null =>
  [name, `run-${name}`].find(id => RUN_ID.test(id)) ?? null;

const LISTED = 10;

/**
 * Finds the run that a person names: by its id, or by the first digits (at least four) of its date or time (`20260131`
 * or `1422` for `run-20260131-142233`), if only one run matches. A complete id is never an abbreviation of
 * another. Throws as `findRun` does, and `E_RUN_AMBIGUOUS`.
 */
export async function findNamedRun(project: ProjectFiles, name?: string): Promise<RunFiles> {
  if (name === undefined) return findRun(project);
  const complete = completeRunId(name);
  if (complete !== null || !/^(run-)?\d{4}[\d-]*$/.test(name)) return findRun(project, complete ?? name);
  const start = `run-${name.replace(/^run-/, '')}`;
  const named = newestIds(project).filter(
    id => id.startsWith(start) || id.slice('run-20260131-'.length).startsWith(name),
  );
  if (named.length > 1) {
    const runs = [...named.slice(0, LISTED), ...(named.length > LISTED ? ['…'] : [])].join(', ');
    throw dureError('E_RUN_AMBIGUOUS', { name, runs });
  }
  if (named.length === 0) throw dureError('E_RUN_NOT_FOUND', { run: name });
  return findRun(project, named[0]);
}

/** Returns the id of the nth run that starts in the same second; `first` is the id of the first one. */
export const nthIdOf = (first: string, n: number): string => (n === 1 ? first : `${first}-${n}`);

/** Creates the folder of a new run, accessible only to this user. The run's id contains its start time to the second. */
export async function newRun(project: ProjectFiles, now: Date): Promise<{ id: string; files: RunFiles }> {
  await mkdir(project.runs, { recursive: true });
  const first = `run-${timeInRunId(now.toISOString())}`;
  for (let n = 1; ; n += 1) {
    const id = nthIdOf(first, n);
    const created = await mkdir(project.run(id), { mode: 0o700 }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        throw error;
      },
    );
    if (created) return { id, files: runFiles(project.run(id)) };
  }
}

/** Reads the state of the run or, if the log is damaged, its last known state. Null while the run is being created. */
export async function readState(files: RunFiles): Promise<RunState | null> {
  const { state, damage } = await readRecord(files);
  if (!state && damage) throw logCorrupt(files.events, damage);
  return state;
}

/**
 * Returns the live driver of this run; null if there is none. A damaged record counts as missing, as it does when a
 * driver starts.
 */
export async function driverOf(files: RunFiles): Promise<{ pid: number; suspended: boolean } | null> {
  const driver = await loadDriver(files.driver).catch(unlessDiskFails(null));
  if (!driver || !isAlive(driver.process)) return null;
  const { pid } = driver.process;
  return { pid, suspended: isSuspended(pid) };
}

/**
 * Reads the phase from one line of state.json: there may be thousands of runs, and most are over. Null if there is
 * none. Reliable only for a phase in which a run is over; for the others, use `runStatus`.
 */
export const listedPhase = (files: RunFiles): string | null =>
  /^ {2}"phase": "(\w+)"/m.exec(readTextOrEmpty(files.state))?.[1] ?? null;

export interface RunStatus {
  readonly state: RunState;
  readonly driven: boolean;
  /** The pid of the driver if it is suspended and handles nothing; otherwise null. Known only on Linux. */
  readonly suspended: number | null;
  /** Damage to the log: the run is interrupted until a person decides how to recover it. */
  readonly damage: LogDamage | null;
}

/**
 * Determines the actual state: a run without a driver is interrupted, whatever state.json says, unless it is over or
 * waits for the user's decision. If the user has decided and no driver processes the decision, the run is interrupted
 * too. Throws `E_LOG_CORRUPT` if nothing of a run can be read.
 */
export async function runStatus(files: RunFiles): Promise<RunStatus | null> {
  const { state, damage } = await readRecord(files);
  if (!state && damage) throw logCorrupt(files.events, damage);
  if (!state) return null;
  const driver = await driverOf(files);
  const driven = driver !== null;
  const suspended = driver?.suspended ? driver.pid : null;
  if (!damage) {
    const needsDriver = !driven && (await isDecisionPending(files, state));
    return {
      state: needsDriver ? interrupted(state) : actualState(state, driven),
      driven,
      suspended,
      damage,
    };
  }
  return { state: damagedState(state, logCorrupt(files.events, damage).message), driven, suspended, damage };
}

/**
 * Call before writing a person's request or starting a driver, for a run that is not over. Throws
 * `E_LOG_CORRUPT`, `E_KEY`.
 */
export async function expectIntact(files: RunFiles): Promise<void> {
  const { state, damage } = await readRecord(files);
  if (damage) throw logCorrupt(files.events, damage);
  if (state && !isOver(state)) keyOfRun(runIdOf(files), state.key);
}

/** Reads the events of a run. Throws `E_LOG_CORRUPT` for a damaged log. */
export async function readEvents(files: RunFiles): Promise<RunEvent[]> {
  const { events, damage } = await readLog(files.events);
  if (damage) throw logCorrupt(files.events, damage);
  return events;
}

/** The event log, opened by the driver of the run. */
export interface Journal {
  readonly state: RunState | null;
  /** Appends with fsync, then saves the state. The log is authoritative; `state.json` is derived from it. */
  append(event: RunEvent): Promise<RunState>;
  /** Saves the state if a disk error prevented it from being saved after the last append. */
  save(): Promise<void>;
}

export async function openJournal(files: RunFiles): Promise<Journal> {
  const log = await readLog(files.events);
  const damage = log.damage ?? lostLines(log, await savedState(files));
  if (damage) throw logCorrupt(files.events, damage);
  const chainFrom = ({ key }: { readonly key: string }) => chainWith(keyOfRun(runIdOf(files), key));
  if (log.size > log.completeBytes) await truncate(files.events, log.completeBytes);
  let size = log.completeBytes;
  let state = log.events.length > 0 ? fold(log.events) : null;
  let chained = state && chainFrom(state);
  const [{ guarded, replaceJson }, { openForAppend, reopenForAppend }] = await Promise.all([
    import('../../formats/read-and-write-files.ts'),
    import('../../formats/open-file-for-append.ts'),
  ]);
  let chain = log.events.length > 0 ? log.chain : FIRST_CHAIN;
  let saved = false;
  const save = async (): Promise<void> => {
    if (!state || saved) return;
    await replaceJson(files.state, state);
    saved = true;
  };
  /** The event is already recorded, so a full disk must not make the caller append it again. */
  const trySave = () => save().catch(rethrowUnlessDisk);
  await trySave();
  const shortened = (error: unknown): never => {
    if (error instanceof RangeError)
      throw logCorrupt(files.events, { line: (state?.seq ?? 0) + 1, why: error.message });
    throw error;
  };
  return {
    get state() {
      return state;
    },
    async append(event) {
      const next = advance(state, event);
      chained ??= chainFrom(next);
      const { line, chain: link } = formatEvent(event, next.seq, chain, chained);
      // Only a new run's log is created: if the log of an existing run is missing, that run is lost.
      const opened = () => (state ? reopenForAppend(files.events) : openForAppend(files.events));
      await guarded(files.events, () => appendLine(opened, line, size)).catch(shortened);
      size += Buffer.byteLength(line) + 1;
      chain = link;
      state = next;
      saved = false;
      await trySave();
      return state;
    },
    save,
  };
}

function rethrowUnlessDisk(error: unknown): void {
  if (!diskFault(error)) throw error;
}

/**
 * `size` is the expected length of the log. A longer log ends in a line that was only partly written; a shorter one is
 * damaged.
 */
async function appendLine(opened: () => Promise<FileHandle>, line: string, size: number): Promise<void> {
  const handle = await opened();
  try {
    const found = (await handle.stat()).size;
    if (found < size) throw new RangeError('the log has become shorter');
    if (found > size) await handle.truncate(size);
    await handle.appendFile(`${line}\n`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
