/** Finds, lists and reads runs on disk. For the driver, also appends to the log and saves the state. */
import { readdirSync } from 'node:fs';
import { type FileHandle, mkdir, truncate } from 'node:fs/promises';
import { dureError } from '../../errors.ts';
import type { RunEvent } from '../../formats/events.ts';
import { loadDriver, loadState, parseFast } from '../../formats/fast-read.ts';
import { type ProjectFiles, RUN_ID, type RunFiles, runFiles } from '../../formats/layout.ts';
import { FIRST_CHAIN, formatEvent } from '../../formats/log-lines.ts';
import { readText } from '../../formats/read-text.ts';
import type { RunOptions } from '../../formats/run-options.ts';
import type { RunState } from '../../formats/state.ts';
import { isAlive } from '../../process/identity.ts';
import { evolve, fold } from '../policy/evolve.ts';
import { initialState } from '../policy/initial-state.ts';
import { actualState } from '../policy/phase.ts';

/** Maximum size of events.log in bytes; a run usually writes a few hundred lines. */
export const LOG_LIMIT = 64_000_000;

/** Ids of all runs, newest first. Other folders are skipped. */
export const runIds = async (project: ProjectFiles): Promise<string[]> => idsOf(project).sort(newestFirst);

/** The newest `limit` ids, without sorting the others, of which there may be tens of thousands. */
export function newestIds(project: ProjectFiles, limit: number): string[] {
  let newest: string[] = [];
  let floor = '';
  // Node usually returns names in order, so reading from the end quickly shows that the rest is older.
  for (const name of namesOf(project).reverse()) {
    // Runs that began within the same second need a full comparison.
    if (name < floor || !RUN_ID.test(name)) continue;
    newest.push(name);
    if (newest.length < 2 * limit) continue;
    newest = newest.sort(newestFirst).slice(0, limit);
    floor = newest[limit - 1]!.slice(0, SECOND);
  }
  return newest.sort(newestFirst).slice(0, limit);
}

const idsOf = (project: ProjectFiles): string[] => namesOf(project).filter(name => RUN_ID.test(name));

/** Synchronous, which is faster for a single folder. */
function namesOf(project: ProjectFiles): string[] {
  try {
    return readdirSync(project.runs);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

const SECOND = 'run-20260131-142201'.length;
function newestFirst(a: string, b: string): number {
  if (a.length === b.length) return a < b ? 1 : -1;
  const [secondA, secondB] = [a.slice(0, SECOND), b.slice(0, SECOND)];
  return secondA === secondB ? b.length - a.length : secondA < secondB ? 1 : -1;
}

/** The files of the run with this id, or of the newest run. Throws `E_RUN_ID`, `E_RUN_NOT_FOUND`, `E_NO_RUNS`. */
export async function findRun(project: ProjectFiles, id?: string): Promise<RunFiles> {
  if (id === undefined) {
    const [newest] = newestIds(project, 1);
    if (newest === undefined) throw dureError('E_NO_RUNS');
    return runFiles(project.run(newest));
  }
  if (!RUN_ID.test(id)) throw dureError('E_RUN_ID', { run: id });
  if (!idsOf(project).includes(id)) throw dureError('E_RUN_NOT_FOUND', { run: id });
  return runFiles(project.run(id));
}

/** Creates the folder of a new run; its id contains the start time in seconds. */
export async function newRun(project: ProjectFiles, now: Date): Promise<{ id: string; files: RunFiles }> {
  await mkdir(project.runs, { recursive: true });
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  for (let n = 1; ; n += 1) {
    const id = n === 1 ? `run-${stamp}` : `run-${stamp}-${n}`;
    const made = await mkdir(project.run(id)).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        throw error;
      },
    );
    if (made) return { id, files: runFiles(project.run(id)) };
  }
}

/**
 * The saved state or, if it is missing or invalid, the fold of the log. Null while the run is being created.
 * Throws `E_FILE_INVALID` for an invalid state without a log.
 */
export async function readState(files: RunFiles): Promise<RunState | null> {
  let problem: unknown = null;
  const saved = await loadState(files.state).catch(error => {
    problem = error;
    return null;
  });
  if (saved) return saved;
  const events = await readEvents(files);
  if (events.length > 0) return fold(events);
  if (problem !== null) throw problem;
  return null;
}

export async function readOptions(files: RunFiles): Promise<RunOptions | null> {
  const [{ load }, { optionsFile }] = await Promise.all([
    import('../../formats/file.ts'),
    import('../../formats/run-options.ts'),
  ]);
  return load(optionsFile, files.options);
}

/**
 * The live driver of this run, if there is one. A damaged record counts as missing, as it does when a driver starts.
 */
export async function driverOf(files: RunFiles): Promise<{ pid: number } | null> {
  const driver = await loadDriver(files.driver).catch(() => null);
  return driver && isAlive(driver.process) ? { pid: driver.process.pid } : null;
}

export interface RunStatus {
  readonly state: RunState;
  readonly driven: boolean;
}

/**
 * The actual state: a run without a driver is interrupted, whatever state.json says, unless it is over, waits for the
 * user, or is ready to merge.
 */
export async function runStatus(files: RunFiles): Promise<RunStatus | null> {
  const state = await readState(files);
  if (!state) return null;
  const driven = (await driverOf(files)) !== null;
  return { state: actualState(state, driven), driven };
}

/** Events of a run. Throws `E_LOG_CORRUPT` for a damaged log. */
export async function readEvents(files: RunFiles): Promise<RunEvent[]> {
  const log = await parseFast(await logText(files.events));
  if (log.broken) throw dureError('E_LOG_CORRUPT', { file: files.events, ...log.broken });
  return log.events;
}

const logText = async (file: string): Promise<string> =>
  (await readText(file, LOG_LIMIT).catch(missingLog(file))) ?? '';

/** A link, a pipe or a file that is too large counts as a damaged log. */
export const missingLog =
  (file: string) =>
  (error: unknown): never => {
    throw error instanceof TypeError
      ? dureError('E_LOG_CORRUPT', { file, line: null, why: error.message })
      : error;
  };

/** The event log, opened by the driver of the run. */
export interface Journal {
  readonly state: RunState | null;
  /** Appends with fsync, then saves the state. The log is authoritative; `state.json` is derived from it. */
  append(event: RunEvent): Promise<RunState>;
}

export async function openJournal(files: RunFiles): Promise<Journal> {
  const text = await logText(files.events);
  const log = await parseFast(text);
  if (log.broken) throw dureError('E_LOG_CORRUPT', { file: files.events, ...log.broken });
  if (Buffer.byteLength(text) > log.whole) await truncate(files.events, log.whole);
  let state = log.events.length > 0 ? fold(log.events) : null;
  const [{ guarded, replaceJson }, { openLog, reopenLog }] = await Promise.all([
    import('../../formats/file.ts'),
    import('../../formats/open-log.ts'),
  ]);
  const saved = await loadState(files.state).catch(() => null);
  // The log reaches the disk before the state, so a log with fewer events has lost lines.
  if (saved && saved.seq > log.events.length) {
    const why = `the log ends here, but state.json knows ${saved.seq} events`;
    throw dureError('E_LOG_CORRUPT', { file: files.events, line: log.events.length + 1, why });
  }
  let chain = log.events.length > 0 ? log.chain : FIRST_CHAIN;
  if (state) await replaceJson(files.state, state);
  return {
    get state() {
      return state;
    },
    async append(event) {
      const next = state ? evolve(state, event) : event.type === 'run.started' ? initialState(event) : null;
      if (!next) throw new RangeError('a log begins with run.started');
      const { line, chain: link } = formatEvent(event, next.seq, chain);
      // An existing log is not created again: if it is missing, the run is lost.
      const opened = () => (state ? reopenLog(files.events) : openLog(files.events, 0o644));
      await guarded(files.events, () => appendLine(opened, line));
      chain = link;
      state = next;
      await replaceJson(files.state, state);
      return state;
    },
  };
}

async function appendLine(opened: () => Promise<FileHandle>, line: string): Promise<void> {
  const handle = await opened();
  try {
    await handle.appendFile(`${line}\n`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
