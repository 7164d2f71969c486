/** Runs on disk: found, listed, read; and, for the one who drives a run, its log appended and its state saved. */
import { mkdir, open, readdir, truncate } from 'node:fs/promises';
import { isAlive } from '../agents/identity.ts';
import { dureError } from '../errors.ts';
import { runId } from '../formats/define.ts';
import { driverFile } from '../formats/driver.ts';
import { FIRST_CHAIN, formatEvent, parseLog } from '../formats/event-log.ts';
import type { RunEvent } from '../formats/events.ts';
import { load, readText, replaceJson } from '../formats/file.ts';
import { type ProjectFiles, type RunFiles, runFiles } from '../formats/layout.ts';
import { optionsFile, type RunOptions } from '../formats/run-options.ts';
import { type RunState, stateFile } from '../formats/state.ts';
import { begin, evolve, fold, isOver } from './evolve.ts';

/** Bytes an events.log may have; a run writes some hundred lines. */
const LOG_LIMIT = 64_000_000;

/** Ids of all runs, newest first. Folders that are no runs are left out. */
export async function runIds(project: ProjectFiles): Promise<string[]> {
  const names = await readdir(project.runs).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] as string[];
    throw error;
  });
  return names.filter(name => runId.safeParse(name).success).sort(newestFirst);
}

const parts = (id: string): [string, number] => {
  const [, stamp = '', again = '1'] = /^run-(\d{8}-\d{6})(?:-(\d+))?$/.exec(id) ?? [];
  return [stamp, Number(again)];
};
function newestFirst(a: string, b: string): number {
  const [stampA, againA] = parts(a);
  const [stampB, againB] = parts(b);
  return stampA === stampB ? againB - againA : stampA < stampB ? 1 : -1;
}

/** The files of a run, by its id or, without one, of the newest. Throws `E_RUN_ID`, `E_RUN_NOT_FOUND`, `E_NO_RUNS`. */
export async function findRun(project: ProjectFiles, id?: string): Promise<RunFiles> {
  const ids = await runIds(project);
  if (id === undefined) {
    if (!ids[0]) throw dureError('E_NO_RUNS');
    return runFiles(project.run(ids[0]));
  }
  if (!runId.safeParse(id).success) throw dureError('E_RUN_ID', { run: id });
  if (!ids.includes(id)) throw dureError('E_RUN_NOT_FOUND', { run: id });
  return runFiles(project.run(id));
}

/** Makes the folder of a new run; the id tells the second it began. */
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

/** The state as saved. Null while the run is being made. */
export const readState = (files: RunFiles): Promise<RunState | null> => load(stateFile, files.state);

export const readOptions = (files: RunFiles): Promise<RunOptions | null> => load(optionsFile, files.options);

/** Whether somebody drives this run now, by the identity of the process that said so. */
export async function driverOf(files: RunFiles): Promise<{ pid: number } | null> {
  const driver = await load(driverFile, files.driver);
  return driver && isAlive(driver.process) ? { pid: driver.process.pid } : null;
}

/**
 * The state as it is true: a run that nobody drives is interrupted, whatever state.json says,
 * unless it rests (over, waiting for a person, or ready).
 */
export async function standing(files: RunFiles): Promise<{ state: RunState; driven: boolean } | null> {
  const state = await readState(files);
  if (!state) return null;
  const driven = (await driverOf(files)) !== null;
  const rests = isOver(state) || ['waiting_human', 'ready_for_merge', 'interrupted'].includes(state.phase);
  return {
    state: driven || rests ? state : { ...state, phase: 'interrupted', interrupted_from: state.phase },
    driven,
  };
}

/** Events of a run; a damaged log is `E_LOG_CORRUPT`. */
export async function readEvents(files: RunFiles): Promise<RunEvent[]> {
  const log = parseLog((await readText(files.events, LOG_LIMIT)) ?? '');
  if (log.broken) throw dureError('E_LOG_CORRUPT', { file: files.events, ...log.broken });
  return log.events;
}

/** The log of record, opened by the one process that drives the run. */
export interface Journal {
  readonly state: RunState | null;
  /** Appends with fsync, then saves the state; the log is the truth, `state.json` a view of it. */
  append(event: RunEvent): Promise<RunState>;
}

export async function openJournal(files: RunFiles): Promise<Journal> {
  const text = (await readText(files.events, LOG_LIMIT)) ?? '';
  const log = parseLog(text);
  if (log.broken) throw dureError('E_LOG_CORRUPT', { file: files.events, ...log.broken });
  if (Buffer.byteLength(text) > log.whole) await truncate(files.events, log.whole);
  let state = log.events.length > 0 ? fold(log.events) : null;
  let chain = log.events.length > 0 ? log.chain : FIRST_CHAIN;
  if (state) await replaceJson(files.state, state);
  return {
    get state() {
      return state;
    },
    async append(event) {
      const next = state ? evolve(state, event) : event.type === 'run.started' ? begin(event) : null;
      if (!next) throw new RangeError('a log begins with run.started');
      const { line, chain: link } = formatEvent(event, next.seq, chain);
      const handle = await open(files.events, 'a');
      try {
        await handle.appendFile(`${line}\n`);
        await handle.datasync();
      } finally {
        await handle.close();
      }
      chain = link;
      state = next;
      await replaceJson(files.state, state);
      return state;
    },
  };
}
