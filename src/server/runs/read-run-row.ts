/** Reads the list entry of a run from its folder: some keys of state.json, and the start of the briefing. */

import { z } from 'zod';
import { fold } from '../../core/policy/evolve.ts';
import { actualPhase, isWorkedOn, needsPerson } from '../../core/policy/state/phase.ts';
import { privateKeys } from '../../core/run/record/hmac-key.ts';
import { LOG_LIMIT, startFault } from '../../core/run/record/read-run-record.ts';
import { titleOf } from '../../core/text/run-title.ts';
import { isCostComplete, spentUsd } from '../../core/usage-tracker.ts';
import { driverFile } from '../../formats/driver.ts';
import { parseLog } from '../../formats/events/parse-event-log.ts';
import type { Identity } from '../../formats/launch.ts';
import { type RunFiles, runFiles, runIdOf } from '../../formats/layout.ts';
import { parseFormat } from '../../formats/read-and-write-files.ts';
import { readPrefix } from '../../formats/read-prefix.ts';
import { type RunState, stateFile } from '../../formats/state.ts';
import { isAlive } from '../../process/identity.ts';
import { elapsedSince } from '../../process/timestamp-age.ts';
import type { RunRow, Want } from '../http-protocol.ts';

const STATE_LIMIT = 4_000_000;
const BRIEFING_START = 500;
/** A new run gets its driver within this time. Until then, it is not shown as interrupted. */
const STARTING_MS = 5000;

/** Keeps only these keys, because thousands of whole states would use too much memory. */
const s = stateFile.shape.shape;
const kept = z.object({
  run_id: s.run_id,
  phase: s.phase,
  step: s.step,
  iteration: s.iteration,
  max_iterations: s.max_iterations,
  started_at: s.started_at,
  updated_at: s.updated_at,
  pending_crp: s.pending_crp,
  interrupted_from: s.interrupted_from,
  timeout_noticed: s.timeout_noticed,
  seq: s.seq,
  open: z.array(z.unknown()),
  verdict: z.object({ verdict: z.string() }).nullable(),
  usage: z.record(z.string(), z.object({ cost_usd: z.number(), complete: z.boolean() })),
});

export interface RunRowSource {
  readonly row: RunRow;
  readonly seq: number;
  readonly timeout_noticed: boolean;
  /** The text that is searched, in lower case. */
  readonly searchText: string;
  readonly costByRole: Readonly<Record<string, number>>;
  /** The recorded phase. It may still be an active phase although the driver of the run has died. */
  readonly recorded: string;
  readonly driver: Identity | null;
}

/** What the run needs from the user, even while it is interrupted. */
export function attentionOf(
  state: Pick<RunState, 'phase' | 'interrupted_from' | 'pending_crp'>,
): Want | null {
  const phase = state.phase === 'interrupted' ? state.interrupted_from : state.phase;
  if (phase === 'ready_for_merge') return 'review';
  return phase === 'waiting_human' && state.pending_crp ? 'answer' : null;
}

/** Whether a listed run is active. The list shows `unreadable` in place of a phase that cannot be read. */
export const isWorking = (phase: string): boolean => phase !== 'unreadable' && isWorkedOn(phase);

/** Returns null while the run is being created. */
export function readRunRow(runId: string, dir: string): RunRowSource | null {
  const files = runFiles(dir);
  const found = listedState(files);
  if (found === null) return null;
  const briefing = readPrefix(files.raw, BRIEFING_START) ?? '';
  const title = titleOf(briefing) || runId;
  const searchText = `${runId} ${briefing}`.toLowerCase();
  const { state, damage } = found;
  if (state === null) return unreadable(runId, title, searchText, damage);
  const driver = isWorking(state.phase) ? driverIn(files) : null;
  const { phase, step, iteration, max_iterations, started_at, updated_at, pending_crp } = state;
  const { seq, timeout_noticed } = state;
  const row: RunRow = {
    run_id: runId,
    title,
    phase: damage === null ? shownPhase(phase, driver, started_at) : 'interrupted',
    step,
    iteration,
    max_iterations,
    started_at,
    updated_at,
    wants: damage === null ? attentionOf(state) : null,
    pending_crp,
    verdict: state.verdict?.verdict ?? null,
    cost_usd: spentUsd(state),
    cost_complete: isCostComplete(state),
    problem: damage,
  };
  const costByRole = Object.fromEntries(
    Object.entries(state.usage).map(([role, { cost_usd }]) => [role, cost_usd]),
  );
  return { row, seq, timeout_noticed, searchText, costByRole, recorded: phase, driver };
}

/** Checks the driver of an entry again, because a process may die without changing a file. */
export function refreshRunRow(listed: RunRowSource): RunRowSource {
  const phase = shownPhase(listed.recorded, listed.driver, listed.row.started_at);
  return phase === listed.row.phase || listed.row.problem !== null
    ? listed
    : { ...listed, row: { ...listed.row, phase } };
}

const shownPhase = (recorded: string, driver: Identity | null, startedAt: string): string => {
  const isStarting = driver === null && elapsedSince(Date.parse(startedAt)) < STARTING_MS;
  const isDriven = isStarting || (driver !== null && isAlive(driver));
  return isWorking(recorded) ? actualPhase(recorded, isDriven) : recorded;
};

type ListedState = z.infer<typeof kept>;

/**
 * The content of state.json, or the fold of the log if state.json is not valid or the run waits for a person:
 * a page must not offer a decision on anything that the log does not contain.
 */
function listedState(files: RunFiles): { state: ListedState | null; damage: string | null } | null {
  const text = readPrefix(files.state, STATE_LIMIT);
  const saved = text === null ? null : parsed(text, runIdOf(files));
  if (saved && !needsPerson(saved.phase)) return { state: saved, damage: null };
  const log = readPrefix(files.events, LOG_LIMIT);
  if (text === null && log === null) return null;
  const { events, broken } = parseLog(log ?? '', privateKeys());
  const lost = saved !== null && saved.seq > events.length;
  const another = startFault(events[0], runIdOf(files)) !== null;
  if (!broken && !lost && !another) return { state: fold(events), damage: null };
  const line = another ? 1 : (broken?.line ?? events.length + 1);
  return {
    state: saved,
    damage: `events.log is damaged at line ${line}; dure recover shows what is left of the run`,
  };
}

/** Null if the text is not a valid state or belongs to another run. */
function parsed(text: string, run: string): ListedState | null {
  try {
    const { data } = kept.safeParse(JSON.parse(text));
    return data?.run_id === run ? data : null;
  } catch {
    return null;
  }
}

function driverIn(files: RunFiles): Identity | null {
  const read = parseFormat(driverFile, readPrefix(files.driver, 10_000) ?? '');
  return read.is === 'value' ? read.value.process : null;
}

function unreadable(runId: string, title: string, searchText: string, damage: string | null): RunRowSource {
  const [, y, mo, d, h, mi, se] = /^run-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)/.exec(runId)!;
  const at = `${y}-${mo}-${d}T${h}:${mi}:${se}Z`;
  const row: RunRow = {
    run_id: runId,
    title,
    phase: 'unreadable',
    step: null,
    iteration: 1,
    max_iterations: 1,
    started_at: at,
    updated_at: at,
    wants: null,
    pending_crp: null,
    verdict: null,
    cost_usd: 0,
    cost_complete: false,
    problem: damage,
  };
  return {
    row,
    seq: 0,
    timeout_noticed: false,
    searchText,
    costByRole: {},
    recorded: 'unreadable',
    driver: null,
  };
}
