/** Collects what `dure clean` needs to know about the folders under `.dure/runs`. Read-only. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chainOf, FIRST_CHAIN } from '../../formats/events/event-log-lines.ts';
import { parseEvent } from '../../formats/events/parse-event-log.ts';
import { isFolder, namesIn } from '../../formats/file-system/path-status.ts';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { claimFile } from '../../formats/launch.ts';
import { isRunEntry, type ProjectFiles, type RunFiles, runFiles } from '../../formats/layout.ts';
import { loadOrigin } from '../../formats/load-run-files-fast.ts';
import { readValue } from '../../formats/read-and-write-files.ts';
import { readStartOrEnd } from '../../formats/read-part-of-file.ts';
import type { RunState } from '../../formats/state.ts';
import { isAlive } from '../../process/identity.ts';
import { isInHead } from '../../workspace/git/commit-ancestry-and-damage.ts';
import type { Repository } from '../../workspace/git/run-git.ts';
import { actualPhase, isOver } from '../policy/state/phase.ts';
import { privateKeys } from '../run/record/hmac-key.ts';
import { readRecord } from '../run/record/read-run-record.ts';
import { driverOf, readEvents, runIds } from '../run/run-store.ts';
import { spelledOut } from '../text/markdown-quote.ts';
import type { CleanCandidate } from './plan.ts';

/** Returns every run, oldest first, or only the named one. */
export async function survey(
  project: ProjectFiles,
  repo: Repository,
  only: string | null,
): Promise<CleanCandidate[]> {
  const ids = only === null ? (await runIds(project)).reverse() : [only];
  const found: CleanCandidate[] = [];
  for (const id of ids) found.push(await inspectRun(runFiles(project.run(id)), id, repo));
  return found;
}

async function inspectRun(files: RunFiles, id: string, repo: Repository): Promise<CleanCandidate> {
  const isThere = await isFolder(files.dir);
  const { state, damage } = isThere
    ? await readRecord(files).catch(unlessDiskFails({ state: null, damage: null }))
    : { state: null, damage: null };
  const named = state?.run_id === id;
  const isRun = isThere && (named || (await isNamedInLog(files, id)));
  const isActive = isThere && (await staysActive(files, state));
  const names = isRun ? [] : (await namesIn(files.dir)).sort();
  const unexpected = names.find(name => !isRunEntry(name));
  const origin = isRun ? await loadOrigin(files.origin) : null;
  return {
    run_id: id,
    phase: state && named && !damage ? actualPhase(state.phase, isActive) : null,
    updated_at: state?.updated_at ?? null,
    isRun,
    unexpected: unexpected === undefined ? null : spelledOut(unexpected),
    isActive,
    isUnmerged: state?.phase === 'completed' && origin === null && !(await isMerged(files, repo)),
    isImported: origin !== null,
  };
}

async function isNamedInLog(files: RunFiles, id: string): Promise<boolean> {
  const { text } = await readStartOrEnd(files.events, 'start', 65_536);
  const [line = ''] = text.split('\n');
  try {
    const { event } = parseEvent(line, FIRST_CHAIN, chainOf(line, privateKeys()));
    return event.type === 'run.started' && event.run_id === id;
  } catch {
    return false;
  }
}

const EXIT_MS = 5000;
const POLL_MS = 100;

/** Whether the run is still active. Waits briefly if it is over, because its driver is then about to exit. */
async function staysActive(files: RunFiles, state: RunState | null): Promise<boolean> {
  const until = performance.now() + (state && isOver(state) ? EXIT_MS : 0);
  while (await isActiveRun(files, state)) {
    if (performance.now() >= until) return true;
    await sleep(POLL_MS);
  }
  return false;
}

/**
 * A dead driver may have left agents running. Checks the runners in the log, because an agent can remove its claim, and
 * those in claims, because they may not be in the log yet. A process that cannot be identified counts as alive.
 */
async function isActiveRun(files: RunFiles, state: RunState | null): Promise<boolean> {
  if (await driverOf(files).catch(unlessDiskFails({}))) return true;
  if (state?.open.some(({ runner }) => runner && isAlive(runner))) return true;
  const names = await namesIn(files.launches);
  const claims = await Promise.all(
    names
      .filter(name => name.endsWith('.claim.json'))
      .map(name => readValue(claimFile, join(files.launches, name))),
  );
  return claims.some(claim => claim !== null && isAlive(claim.runner));
}

/** Whether the log records the merge or the current branch contains the result. */
async function isMerged(files: RunFiles, repo: Repository): Promise<boolean> {
  const events = await readEvents(files).catch(unlessDiskFails([]));
  const end = events.flatMap(event => (event.type === 'run.completed' ? [event] : [])).at(-1);
  return end !== undefined && (end.merged || (await isInHead(repo, end.commit)));
}
