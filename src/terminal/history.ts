/** Runs of a project as a list, newest first. */
import { isOver } from '../core/evolve.ts';
import { runIndex } from '../core/run-index.ts';
import { newestIds, runIds, standing } from '../core/run-store.ts';
import { isCostComplete, spentUsd } from '../core/usage-tracker.ts';
import { type ProjectFiles, runFiles } from '../formats/layout.ts';
import { readTextNow } from '../formats/read-text.ts';
import { readOrigin } from '../predecessor/origin.ts';
import { words } from '../words/cli/words.ts';
import { paint } from './paint.ts';
import { oneLine, table } from './text.ts';
import { cost, duration, moment, phaseWord } from './words.ts';

export interface Listed {
  run_id: string;
  phase: string;
  iteration: number | null;
  started_at: string | null;
  updated_at: string | null;
  duration_ms: number | null;
  cost: string;
  cost_usd: number | null;
  cost_complete: boolean;
  briefing: string;
  /** Folder of the predecessor's run that this one was brought over from. */
  origin: string | null;
  /** Why the run could not be read; others are listed all the same. */
  problem: string | null;
}

export const LISTED = 20;

/** At most `limit` of them; `phase` null is any. */
export async function history(project: ProjectFiles, limit: number, phase: string | null): Promise<Listed[]> {
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
  const index = runIndex(project);
  const found: string[] = [];
  for (let at = 0; at < ids.length && found.length < limit; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    const phases = await Promise.all(some.map(index.phaseOf));
    found.push(...some.filter((_, i) => phases[i] === phase));
  }
  index.keep();
  return found.slice(0, limit);
}

/** What cannot be read is not worth an error in a list. */
export function textOf(file: string): string {
  try {
    return readTextNow(file) ?? '';
  } catch {
    return '';
  }
}

async function listed(project: ProjectFiles, id: string): Promise<Listed> {
  const files = runFiles(project.run(id));
  const nothing = {
    iteration: null,
    started_at: null,
    updated_at: null,
    duration_ms: null,
    cost: '',
    cost_usd: null,
    cost_complete: false,
    origin: null,
  };
  const briefing =
    textOf(files.raw)
      .split('\n')
      .find(line => /\w|[^\x00-\x7f]/.test(line)) ?? '';
  const said = oneLine(briefing.replace(/^#+\s*/, ''));
  try {
    const stands = await standing(files);
    if (!stands) return { run_id: id, phase: 'starting', ...nothing, briefing: said, problem: null };
    const { state: s } = stands;
    const end = isOver(s) ? Date.parse(s.updated_at) : Date.now();
    return {
      run_id: id,
      phase: s.phase,
      iteration: s.iteration,
      started_at: s.started_at,
      updated_at: s.updated_at,
      duration_ms: end - Date.parse(s.started_at),
      cost: cost(s),
      cost_usd: spentUsd(s),
      cost_complete: isCostComplete(s),
      briefing: said,
      origin: (await readOrigin(files))?.from ?? null,
      problem: null,
    };
  } catch (error) {
    return { run_id: id, phase: 'unreadable', ...nothing, briefing: said, problem: (error as Error).message };
  }
}

/** On a narrow terminal what can be found elsewhere is left out. */
export function historyView(runs: readonly Listed[], width: number): string {
  if (runs.length === 0) return words().noRuns;
  const wide = width >= 76;
  const wider = width >= 110;
  const rows = runs.map(run => [
    run.run_id,
    phaseWord(run.phase),
    ...(wider
      ? [
          run.started_at ? moment(run.started_at) : '',
          run.duration_ms === null ? '' : duration(run.duration_ms),
        ]
      : []),
    ...(wide ? [run.cost] : []),
    run.problem ? oneLine(run.problem) : `${run.origin ? '(Orchestral) ' : ''}${run.briefing}`,
  ]);
  return table(rows, width)
    .split('\n')
    .map((line, i) =>
      ['waiting_human', 'ready_for_merge', 'interrupted'].includes(runs[i]!.phase)
        ? paint('yellow', line)
        : line,
    )
    .join('\n');
}
