/** Reads the runs that `dure history` lists. */

import { OVER_PHASES } from '../../core/policy/state/phase.ts';
import { listedPhase, newestIds, runIds, runStatus } from '../../core/run/run-store.ts';
import { titleOf } from '../../core/text/run-title.ts';
import { isCostComplete, spentUsd } from '../../core/usage-tracker.ts';
import { type ProjectFiles, type RunFiles, runFiles } from '../../formats/layout.ts';
import { loadOrigin } from '../../formats/load-run-files-fast.ts';
import type { ListedRun } from '../../formats/output/common.ts';
import { readTextOrEmpty } from '../../formats/read-untrusted-files.ts';
import { costText, elapsedMs } from '../format-times-and-costs.ts';

export const HISTORY_LIMIT = 20;

/** Returns at most `limit` runs. If `phase` is null, runs in any phase match. */
export async function historyRows(
  project: ProjectFiles,
  limit: number,
  phase: string | null,
): Promise<ListedRun[]> {
  const wanted =
    phase === null ? newestIds(project, limit) : await inPhase(project, await runIds(project), phase, limit);
  return Promise.all(wanted.map(id => listed(project, id)));
}

const AT_ONCE = 64;

async function inPhase(
  project: ProjectFiles,
  ids: readonly string[],
  phase: string,
  limit: number,
): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < ids.length && found.length < limit; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    const phases = await Promise.all(some.map(id => phaseOf(runFiles(project.run(id)), phase)));
    found.push(...some.filter((_, i) => phases[i] === phase));
  }
  return found.slice(0, limit);
}

/** Null if the run cannot be read. If it is listed with a final phase other than `wanted`, it is not read at all. */
async function phaseOf(files: RunFiles, wanted: string): Promise<string | null> {
  const phase = listedPhase(files);
  if (phase !== null && phase !== wanted && OVER_PHASES.includes(phase)) return phase;
  return (await runStatus(files).catch(() => null))?.state.phase ?? null;
}

async function listed(project: ProjectFiles, id: string): Promise<ListedRun> {
  const files = runFiles(project.run(id));
  const row: ListedRun = {
    run_id: id,
    phase: 'starting',
    iteration: null,
    started_at: null,
    updated_at: null,
    duration_ms: null,
    cost: '',
    cost_usd: null,
    cost_complete: false,
    briefing: titleOf(readTextOrEmpty(files.raw)),
    origin: null,
    problem: null,
  };
  try {
    const status = await runStatus(files);
    if (!status) return row;
    const { state: s } = status;
    return {
      ...row,
      phase: s.phase,
      iteration: s.iteration,
      started_at: s.started_at,
      updated_at: s.updated_at,
      duration_ms: elapsedMs(s, Date.now()),
      cost: costText(s),
      cost_usd: spentUsd(s),
      cost_complete: isCostComplete(s),
      origin: (await loadOrigin(files.origin))?.from ?? null,
    };
  } catch (error) {
    return { ...row, phase: 'unreadable', problem: (error as Error).message };
  }
}
