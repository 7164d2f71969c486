/** A run as lists show it, read from its folder in one go: what is needed of state.json, and the briefing's beginning. */
import { z } from 'zod';
import { isAlive } from '../agents/identity.ts';
import { isWorkedOn } from '../core/evolve.ts';
import { titleOf } from '../core/title.ts';
import { driverFile } from '../formats/driver.ts';
import { parseFormat } from '../formats/file.ts';
import type { Identity } from '../formats/launch.ts';
import { type RunFiles, runFiles } from '../formats/layout.ts';
import { type RunState, stateFile } from '../formats/state.ts';
import { peek } from './peek.ts';
import type { RunRow, Want } from './protocol.ts';

const STATE_LIMIT = 4_000_000;
const BRIEFING_START = 500;

/** Only these keys: thousands of whole states would not fit the memory a list may take. */
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
  seq: s.seq,
  open: z.array(z.unknown()),
  verdict: z.object({ verdict: z.string() }).nullable(),
  usage: z.record(z.string(), z.object({ cost_usd: z.number(), complete: z.boolean() })),
});

export interface Listed {
  readonly row: RunRow;
  readonly seq: number;
  /** What a search looks at, in lower case. */
  readonly hay: string;
  readonly costByRole: Readonly<Record<string, number>>;
  /** The phase of state.json, which says work even when nobody is there to do it. */
  readonly recorded: string;
  readonly driver: Identity | null;
}

/** What the run wants of a person, even while it is interrupted. */
export function wantOf(state: Pick<RunState, 'phase' | 'interrupted_from' | 'pending_crp'>): Want | null {
  const phase = state.phase === 'interrupted' ? state.interrupted_from : state.phase;
  if (phase === 'ready_for_merge') return 'review';
  return phase === 'waiting_human' && state.pending_crp ? 'answer' : null;
}

/** Of a run as it is listed, which may be one whose state cannot be read. */
export const isWorking = (phase: string): boolean => phase !== 'unreadable' && isWorkedOn(phase);

/** Null while the run is being made: there is no state.json yet. */
export function readListed(runId: string, dir: string): Listed | null {
  const files = runFiles(dir);
  const text = peek(files.state, STATE_LIMIT);
  if (text === null) return null;
  const briefing = peek(files.raw, BRIEFING_START) ?? '';
  const title = titleOf(briefing) || runId;
  const hay = `${runId} ${briefing}`.toLowerCase();
  const state = parsed(text);
  if (state === null || state.run_id !== runId) return unreadable(runId, title, hay);
  const costs = Object.entries(state.usage);
  const driver = isWorking(state.phase) ? driverIn(files) : null;
  const { phase, step, iteration, max_iterations, started_at, updated_at, pending_crp } = state;
  const row: RunRow = {
    run_id: runId,
    title,
    phase: shownPhase(phase, driver),
    step,
    iteration,
    max_iterations,
    started_at,
    updated_at,
    wants: wantOf(state),
    pending_crp,
    verdict: state.verdict?.verdict ?? null,
    cost_usd: costs.reduce((sum, [, { cost_usd }]) => sum + cost_usd, 0),
    cost_complete: state.open.length === 0 && costs.every(([, { complete }]) => complete),
    problem: null,
  };
  const costByRole = Object.fromEntries(costs.map(([role, { cost_usd }]) => [role, cost_usd]));
  return { row, seq: state.seq, hay, costByRole, recorded: phase, driver };
}

/** The same entry after another look at its driver: a process may die without touching a file. */
export function relisted(listed: Listed): Listed {
  const phase = shownPhase(listed.recorded, listed.driver);
  return phase === listed.row.phase || listed.row.problem !== null
    ? listed
    : { ...listed, row: { ...listed.row, phase } };
}

const shownPhase = (recorded: string, driver: Identity | null): string =>
  isWorking(recorded) && !(driver && isAlive(driver)) ? 'interrupted' : recorded;

function parsed(text: string): z.infer<typeof kept> | null {
  try {
    return kept.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function driverIn(files: RunFiles): Identity | null {
  const read = parseFormat(driverFile, peek(files.driver, 10_000) ?? '');
  return read.is === 'value' ? read.value.process : null;
}

function unreadable(runId: string, title: string, hay: string): Listed {
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
    problem: 'state.json is not valid; events.log is the record of this run',
  };
  return { row, seq: 0, hay, costByRole: {}, recorded: 'unreadable', driver: null };
}
