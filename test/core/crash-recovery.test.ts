/**
 * The specification of crash recovery. For any script of agents, tests, verdicts and decisions, and any schedule of
 * interruptions, of power failures during writes and of full disks: the run ends, its state is the fold of its log, no
 * launch is started twice, and the same events occur as in an undisturbed run.
 */

import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drive } from '../../src/core/orchestrator.ts';
import { desired } from '../../src/core/policy/desired-launch.ts';
import { evolve, fold } from '../../src/core/policy/evolve.ts';
import { isOver, isWaiting } from '../../src/core/policy/state/phase.ts';
import type { RunEvent } from '../../src/formats/events/events.ts';
import { parseLog } from '../../src/formats/events/parse-event-log.ts';
import { diskFault } from '../../src/formats/file-system/temporary-disk-errors.ts';
import type { RunState, Setup } from '../../src/formats/state.ts';
import {
  AGENTS,
  EXAMS,
  type FakeActors,
  fakeActors,
  REVIEWS,
  type Script,
  TESTS,
  TIMEOUT_REACTIONS,
  VERDICTS,
} from '../helpers/fake-agents.ts';
import fc from '../helpers/fast-check-seed.ts';
import { PowerCut, withFullDisk, withPowerCut } from '../helpers/power-cut.ts';
import { RunInFolder, removeTemplate } from '../helpers/run-in-folder.ts';
import { setupWith } from '../helpers/sample-setup.ts';

vi.mock(import('../../src/formats/read-and-write-files.ts'), async original => {
  const { withFailurePoints } = await import('../helpers/power-cut.ts');
  return withFailurePoints(await original());
});
vi.mock(import('../../src/formats/open-file-for-append.ts'), async original => {
  const { logWithFailurePoints } = await import('../helpers/power-cut.ts');
  return logWithFailurePoints(await original());
});
vi.mock(import('../../src/process/identity.ts'), async original => {
  const { withRunners } = await import('../helpers/fake-runners.ts');
  return withRunners(await original());
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());
afterAll(removeTemplate);

interface Disturbance {
  readonly kind: 'power cut' | 'interruption' | 'full disk';
  /** The driver dies after this many points at which the power may fail, or after this many observations. */
  readonly after: number;
  /** What happens while there is no driver. For a full disk: how many times writing fails. */
  readonly downtime: number;
}

/** Drives a run through all disturbances, then to its end without further ones. */
async function live(
  setup: Partial<Setup>,
  script: Script,
  disturbances: readonly Disturbance[],
): Promise<RunInFolder> {
  const run = await RunInFolder.begin(setupWith(setup));
  const cast = fakeActors(run, script);
  for (const disturbance of disturbances) {
    if (await driveUntil(run, cast, disturbance)) return run;
    for (let n = 0; n < disturbance.downtime; n += 1) cast.tick();
  }
  await driveUntil(run, cast, null);
  return run;
}

/** One lifetime of a driver. True if the run is over and every launch has ended. */
async function driveUntil(run: RunInFolder, cast: FakeActors, end: Disturbance | null): Promise<boolean> {
  let looks = 0;
  async function* wakes(): AsyncIterable<void> {
    for (;;) {
      yield;
      looks += 1;
      expectSomeoneToMove(run.state);
      if (end?.kind === 'interruption' && looks >= end.after) return;
      if (!cast.tick()) throw new Error(`nothing moves: ${JSON.stringify(run.state)}`);
    }
  }
  const lives = <T>(work: () => Promise<T>): Promise<T> =>
    end?.kind === 'full disk'
      ? withFullDisk(end.after, end.downtime + 1, work)
      : withPowerCut(end?.kind === 'power cut' ? end.after : Number.POSITIVE_INFINITY, work);
  try {
    return await lives(async () => {
      const driver = await run.driver();
      const state = await drive({ ...driver, wakes: wakes() });
      if (isOver(state) && state.open.length === 0) return true;
      if (isOver(state) || isWaiting(state) || state.phase === 'interrupted') return false;
      await driver.journal.append({
        at: run.now,
        type: 'run.interrupted',
        phase: state.phase,
        reason: 'asked to end',
      });
      return false;
    });
  } catch (error) {
    // A driver that finds the disk full when it starts is started again.
    if (error instanceof PowerCut || diskFault(error)) return false;
    throw error;
  }
}

/** An idle run is always waiting for the user or for something. */
function expectSomeoneToMove(s: RunState): void {
  const moves =
    desired(s) !== null ||
    s.open.length > 0 ||
    isOver(s) ||
    s.waiting !== null ||
    s.phase === 'ready_for_merge';
  if (!moves) throw new Error(`nobody has the next move: ${JSON.stringify(s)}`);
}

/** The events, without launch exits and driver changes. */
const story = (events: readonly RunEvent[]): string[] =>
  events.flatMap(e => {
    switch (e.type) {
      case 'agent.exited':
      case 'run.interrupted':
      case 'run.resumed':
        return [];
      case 'agent.failed':
        return [`${e.type} ${e.step}#${e.launch} ${e.kind}`];
      case 'verdict.given':
        return [`${e.type} ${e.verdict}`];
      case 'crp.created':
        return [`${e.type} ${e.crp_id} ${e.why}`];
      case 'vcr.created':
        return [`${e.type} ${e.crp_id} ${e.effect}`];
      default:
        return ['launch' in e ? `${e.type} ${e.step}#${e.launch}` : e.type];
    }
  });

const places = (events: readonly RunEvent[]): string[] => {
  const visited: string[] = [];
  events.slice(1).reduce<RunState>(
    (before, event) => {
      const s = evolve(before, event);
      const place = `${s.phase} ${s.step} ${s.iteration}`;
      if (s.phase !== 'interrupted' && place !== visited.at(-1)) visited.push(place);
      return s;
    },
    fold(events.slice(0, 1)),
  );
  return visited;
};

const few = <T>(values: readonly T[], maxLength: number) =>
  fc.array(fc.constantFrom(...values), { maxLength });
const scripts: fc.Arbitrary<Script> = fc.record({
  agents: few(AGENTS, 10),
  tests: few(TESTS, 5),
  criteria: fc.boolean(),
  exams: few(EXAMS, 3),
  verdicts: few(VERDICTS, 6),
  answers: fc.array(fc.nat(2), { maxLength: 12 }),
  reviews: few(REVIEWS, 4),
  timeoutReactions: few(TIMEOUT_REACTIONS, 4),
});
const setups: fc.Arbitrary<Partial<Setup>> = fc.record({
  max_iterations: fc.integer({ min: 1, max: 3 }),
  max_minor_fixes: fc.nat(2),
  max_consultations: fc.nat(2),
  timeout_action: fc.constantFrom('warn', 'retry', 'stop'),
  retry: fc.record({ attempts: fc.nat(2), kinds: fc.constant(['crash', 'timeout', 'validation']) }),
  budget_usd: fc.constantFrom(null, null, 2),
  prepare: fc.constantFrom(null, 'npm ci'),
  take_recommendations: fc.boolean(),
});
const disturbances: fc.Arbitrary<Disturbance[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('power cut', 'power cut', 'interruption', 'full disk'),
    after: fc.integer({ min: 1, max: 60 }),
    downtime: fc.nat(4),
  }),
  { maxLength: 6 },
);

/** The result of a run whose folder has already been removed. */
async function lived(...how: Parameters<typeof live>) {
  const run = await live(...how);
  try {
    return { log: run.log, saved: run.saved, events: run.events, taken: run.claimedLaunches };
  } finally {
    run.remove();
  }
}

const SECONDS = Number(process.env['DURE_PROPERTY_SECONDS'] ?? 5);

test(`a run ends the same way with and without disturbances, in as many random histories as fit in ${SECONDS} seconds`, async () => {
  // `Date` and `performance` are fake here.
  const until = process.uptime() + SECONDS;
  let histories = 0;
  const history = async (setup: Partial<Setup>, script: Script, cuts: readonly Disturbance[]) => {
    const { log, saved, events, taken } = await lived(setup, script, cuts);
    expect(parseLog(log).broken).toBeNull();
    const end = fold(events);
    expect(isOver(end)).toBe(true);
    expect(end.open).toEqual([]);
    for (const { status } of Object.values(end.agents))
      expect(['running', 'waiting_human']).not.toContain(status);
    expect(saved).toEqual(end);
    const started = events.flatMap(e => (e.type === 'agent.started' ? [e.launch] : []));
    expect(started).toEqual([...new Set(started)]);
    expect([...taken].sort((a, b) => a - b)).toEqual(started);
    const exited = events.flatMap(e => (e.type === 'agent.exited' ? [e.launch] : []));
    expect(exited.sort((a, b) => a - b)).toEqual(started);

    const undisturbed = await lived(setup, script, []);
    expect(story(events)).toEqual(story(undisturbed.events));
    expect(places(events)).toEqual(places(undisturbed.events));
  };
  await fc.assert(
    fc.asyncProperty(setups, scripts, disturbances, async (...how) => {
      if (process.uptime() > until && histories > 0) return;
      histories += 1;
      await history(...how);
    }),
    // Shrinking takes many more histories: use `endOnFailure: false` with the printed seed and path.
    { numRuns: 10_000, endOnFailure: true },
  );
}, 900_000);
