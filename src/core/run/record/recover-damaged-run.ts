/**
 * Recovers a run with a damaged log, or without the key of its log. A person chooses whether to resume after the last
 * intact event, to resume with a new key, or only to keep the last sealed result as a branch. Nothing is deleted; the
 * earlier log stays next to the new one.
 */
import { link, mkdir, rename, utimes } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DureError, dureError } from '../../../errors.ts';
import { chainWith, FIRST_CHAIN, formatEvent } from '../../../formats/events/event-log-lines.ts';
import type { EventOf, RunEvent } from '../../../formats/events/events.ts';
import { exists, namesIn } from '../../../formats/file-system/path-status.ts';
import { claimFile } from '../../../formats/launch.ts';
import { type ProjectFiles, type RunFiles, runBranch, runIdOf } from '../../../formats/layout.ts';
import { readText, readValue, replace, replaceJson } from '../../../formats/read-and-write-files.ts';
import { feedbackFile } from '../../../formats/requests-and-feedback.ts';
import type { RunState } from '../../../formats/state.ts';
import { isAlive, signalProcess } from '../../../process/identity.ts';
import { killMarked } from '../../../process/kill.ts';
import { type LastSeal, lastSealedResult } from '../../../workspace/seal/last-sealed-result.ts';
import { releaseWorktree } from '../../../workspace/worktree.ts';
import { fold } from '../../policy/evolve.ts';
import { acquireDriverLock } from '../driver-lock.ts';
import { decider, decisionHash } from '../requests/decision-proof.ts';
import { readVcrs } from '../requests/read-requests-and-answers.ts';
import { newRunKey } from './hmac-key.ts';
import { recordedOrOwnRepository } from './open-recorded-repository.ts';
import { EMPTY_LOG, LOG_LIMIT, logCorrupt, readLog, savedState } from './read-run-record.ts';

/** How long (ms) a driver may take to leave the run. */
const DRIVER_EXIT_MS = 60_000;

export interface Recoverable {
  /** Number of events before the damage, and the type of the last one. */
  readonly intact: number;
  readonly last: string | null;
  /**
   * Number of events that state.json counts but the intact part of the log lacks; null if there are none, or if
   * state.json cannot be read.
   */
  readonly lost: number | null;
  readonly sealed: LastSeal | null;
}

/** Determines what is left of a run with a damaged log. */
export async function recoverableOf(project: ProjectFiles, files: RunFiles): Promise<Recoverable> {
  const [{ events }, saved] = await Promise.all([readLog(files.events), savedState(files)]);
  const intact = events.length;
  return {
    intact,
    last: intact > 0 ? events[intact - 1]!.type : null,
    lost: saved.state && saved.state.seq > intact ? saved.state.seq - intact : null,
    sealed: await lastSealedResult(
      await recordedOrOwnRepository(project, files),
      runIdOf(files),
      files.sealed,
    ),
  };
}

/** Keeps the last sealed result as the branch of the run, and returns both. Throws `E_NO_RESULT`. */
export async function keepSealedAsBranch(
  project: ProjectFiles,
  files: RunFiles,
): Promise<LastSeal & { readonly branch: string }> {
  const run = runIdOf(files);
  const repo = await recordedOrOwnRepository(project, files);
  const sealed = await lastSealedResult(repo, run, files.sealed);
  if (!sealed) throw dureError('E_NO_RESULT', { run });
  const branch = runBranch(run);
  await releaseWorktree(repo, files.worktree, branch, sealed.commit);
  return { ...sealed, branch };
}

/**
 * Truncates the log after the last intact event at which nothing was running, so that the run can be resumed
 * there. The old log, and what later launches and people left, are moved to `damaged-<n>/`, because launch
 * numbers are reused and a person has to approve again. Throws `E_DRIVER_ALIVE`, and `E_LOG_CORRUPT` if the
 * first event is damaged.
 */
export async function rewindLog(files: RunFiles): Promise<void> {
  const run = runIdOf(files);
  const release = await acquireDriverLock(files, run);
  try {
    const log = await readLog(files.events);
    const events = eventsUntilIdle(log.events);
    if (events.length === 0) throw logCorrupt(files.events, log.damage ?? EMPTY_LOG);
    const state = fold(events);
    const lines = ((await readText(files.events, LOG_LIMIT)) ?? '').split('\n').slice(0, events.length);
    const damaged = await keepLog(files);
    await endLaunches(files, state.launch);
    for (const path of await laterFiles(files, state)) {
      const aside = join(damaged, relative(files.dir, path));
      await mkdir(dirname(aside), { recursive: true });
      await rename(path, aside);
    }
    await replace(files.events, `${lines.join('\n')}\n`);
    await replaceJson(files.state, state);
    await replaceJson(files.delivered, { seq: events.length });
  } finally {
    await release();
  }
}

/** Links the log into a new folder `damaged-<n>/`, and returns the folder. */
async function keepLog(files: RunFiles): Promise<string> {
  let n = 1;
  while (await exists(files.damaged(n))) n += 1;
  await mkdir(files.damaged(n));
  await link(files.events, join(files.damaged(n), basename(files.events)));
  return files.damaged(n);
}

/**
 * Rewrites the log with the key of this machine, and adds an event that states what could not be checked.
 * Requests and answers that have not been recorded yet no longer have a valid proof. Throws `E_DRIVER_ALIVE`.
 */
export async function replaceKey(project: ProjectFiles, files: RunFiles): Promise<void> {
  const release = await acquireLockFromDriver(files);
  try {
    const { events } = await readLog(files.events);
    const state = fold(events);
    const key = await newRunKey(project.root);
    const key_replaced = {
      events: events.length,
      before: state.key,
      decisions: await recordedDecisions(files, state, events),
    };
    const replaced: RunEvent = {
      at: new Date().toISOString(),
      type: 'key.replaced',
      events: events.length,
      by: await decider(files, 'terminal'),
    };
    let chain = FIRST_CHAIN;
    const lines = [...events, replaced].map((event, n) => {
      const keyed = event.type === 'run.started' ? withKey(event, { key_replaced, key: key.id }) : event;
      const { line, chain: next } = formatEvent(keyed, n + 1, chain, chainWith(key));
      chain = next;
      return `${line}\n`;
    });
    await keepLog(files);
    await replace(files.events, lines.join(''));
  } finally {
    await release();
  }
}

/** Acquires the lock, if necessary after making a live driver notice the missing key and leave the run. */
async function acquireLockFromDriver(files: RunFiles): Promise<() => Promise<void>> {
  for (const until = performance.now() + DRIVER_EXIT_MS; ; await pause(200)) {
    const now = new Date();
    await utimes(files.requests, now, now);
    try {
      return await acquireDriverLock(files, runIdOf(files));
    } catch (error) {
      const drives = error instanceof DureError && error.code === 'E_DRIVER_ALIVE';
      if (!drives || performance.now() > until) throw error;
    }
  }
}

/** Puts the key at the end of the line, where code that reads only this line looks for it. */
const withKey = (
  { key: _, ...first }: EventOf<'run.started'>,
  keys: Pick<EventOf<'run.started'>, 'key' | 'key_replaced'>,
): RunEvent => ({ ...first, ...keys });

/** Returns the hashes of the answers that match the log, and of the feedback that the current iteration acts on. */
async function recordedDecisions(
  files: RunFiles,
  state: RunState,
  events: readonly RunEvent[],
): Promise<string[]> {
  const answers = (await readVcrs(files)).filter(({ vcr }) =>
    events.some(
      e =>
        e.type === 'vcr.created' &&
        (['vcr_id', 'crp_id', 'decision', 'rationale'] as const).every(name => e[name] === vcr[name]),
    ),
  );
  const feedback = await readValue(feedbackFile, files.feedbackOf(state.feedbacks));
  return [
    ...answers.map(({ vcr }) => decisionHash(state, 'answer', vcr)),
    ...(feedback ? [decisionHash(state, 'feedback', feedback)] : []),
  ];
}

/** Returns the events from the start of the log up to the last one after which no launch is open. */
function eventsUntilIdle(events: readonly RunEvent[]): readonly RunEvent[] {
  for (let n = events.length; n > 1; n -= 1) {
    const { open, since } = fold(events.slice(0, n));
    if (open.length === 0 && since === null) return events.slice(0, n);
  }
  return events.slice(0, 1);
}

/** Kills the remaining processes of launch `first` and of later launches. */
async function endLaunches(files: RunFiles, first: number): Promise<void> {
  for (const launch of (await numbered(files.launches, first)).map(({ n }) => n)) {
    const claim = await readValue(claimFile, files.claim(launch));
    if (claim && isAlive(claim.runner)) signalProcess(claim.runner, 'SIGKILL');
    killMarked(files.dir, launch);
  }
}

/** Lists all requests, the files of later launches, and the questions and answers that are not in the log. */
async function laterFiles(files: RunFiles, state: RunState): Promise<string[]> {
  const folders = [files.launches, files.logs, files.prompts, files.sealed];
  const ofLaunches = await Promise.all(folders.map(folder => numbered(folder, state.launch)));
  const named = async (folder: string, isKnown: (id: string) => boolean) =>
    (await namesIn(folder))
      .filter(name => name.endsWith('.json') && !isKnown(name.slice(0, -'.json'.length)))
      .map(name => join(folder, name));
  return [
    ...ofLaunches.flat().map(({ path }) => path),
    ...(await named(files.crps, id => id in state.known)),
    ...(await named(files.vcrs, id => state.decisions.includes(id))),
    ...(await named(files.requests, () => false)),
  ];
}

/** Finds files with a launch number of `first` or higher in their names: `3.json`, `builder.3.md`, `build.3.bundle`. */
async function numbered(folder: string, first: number): Promise<{ n: number; path: string }[]> {
  return (await namesIn(folder)).flatMap(name => {
    const n = Number(/(?:^|\.)(\d+)\./.exec(name)?.[1] ?? Number.NaN);
    return n >= first ? [{ n, path: join(folder, name) }] : [];
  });
}
