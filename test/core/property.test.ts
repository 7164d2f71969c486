/**
 * The specification of crash recovery. For any script of agents, tests, verdicts and decisions, and any schedule of
 * power cuts and interruptions between any two awaits: the run ends, its state is the fold of its log, no launch is
 * started twice, and what happened is what would have happened undisturbed.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { desired } from '../../src/core/desired.ts';
import { evolve, fold, isOver } from '../../src/core/evolve.ts';
import { drive } from '../../src/core/orchestrator.ts';
import { rests } from '../../src/core/phase.ts';
import { parseLog } from '../../src/formats/event-log.ts';
import type { RunEvent } from '../../src/formats/events.ts';
import type { RunState, Setup } from '../../src/formats/state.ts';
import {
  AGENTS,
  type Cast,
  castOf,
  IMPATIENCE,
  PEOPLE,
  type Script,
  TESTS,
  VERDICTS,
} from '../helpers/fake-agents.ts';
import {
  type Disk,
  iso,
  newDisk,
  openJournal,
  openWorld,
  PowerCut,
  setupWith,
} from '../helpers/fake-world.ts';

interface Disturbance {
  readonly kind: 'power cut' | 'interruption';
  /** Awaits that the driver lives. */
  readonly after: number;
  /** What happens in the world while nobody drives. */
  readonly downtime: number;
}

/** Drives a run to its end through all disturbances, and past them without any. */
async function live(
  setup: Partial<Setup>,
  script: Script,
  disturbances: readonly Disturbance[],
): Promise<Disk> {
  const disk = newDisk(setupWith(setup));
  const cast = castOf(disk, script);
  for (const disturbance of disturbances) {
    if (await driveUntil(disk, cast, disturbance)) return disk;
    for (let n = 0; n < disturbance.downtime; n += 1) cast.tick();
  }
  await driveUntil(disk, cast, null);
  return disk;
}

/** One life of a driver. True when the run is over and everything is accounted for. */
async function driveUntil(disk: Disk, cast: Cast, end: Disturbance | null): Promise<boolean> {
  let breaths = 0;
  const spent = () => end !== null && breaths >= end.after;
  const breath = async () => {
    breaths += 1;
    if (end?.kind === 'power cut' && spent()) throw new PowerCut();
  };
  async function* wakes(): AsyncIterable<void> {
    for (;;) {
      yield;
      expectSomebodyToMove(disk);
      if (end?.kind === 'interruption' && spent()) return;
      if (!cast.tick()) throw new Error(`nothing moves any more: ${JSON.stringify(disk.truth)}`);
    }
  }
  try {
    const journal = await openJournal(disk, breath);
    const state = await drive({ journal, world: openWorld(disk, breath), wakes: wakes(), publish: breath });
    if (isOver(state) && state.open.length === 0) return true;
    if (isOver(state) || rests(state) || state.phase === 'interrupted') return false;
    await journal.append({
      at: iso(disk),
      type: 'run.interrupted',
      phase: state.phase,
      reason: 'asked to end',
    });
    return false;
  } catch (error) {
    if (error instanceof PowerCut) return false;
    throw error;
  }
}

/** At rest, somebody or something has the next move: never a run that waits for nobody. */
function expectSomebodyToMove({ truth: s }: Disk): void {
  const moves =
    desired(s) !== null ||
    s.open.length > 0 ||
    isOver(s) ||
    s.waiting !== null ||
    s.phase === 'ready_for_merge';
  if (!moves) throw new Error(`nobody has the next move: ${JSON.stringify(s)}`);
}

/** What happened, apart from when launches were accounted for and who drove. */
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
  verdicts: few(VERDICTS, 6),
  answers: fc.array(fc.nat(2), { maxLength: 12 }),
  people: few(PEOPLE, 4),
  impatience: few(IMPATIENCE, 4),
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
    kind: fc.constantFrom('power cut', 'power cut', 'interruption'),
    after: fc.integer({ min: 1, max: 60 }),
    downtime: fc.nat(4),
  }),
  { maxLength: 6 },
);

const RUNS = Number(process.env['DURE_PROPERTY_RUNS'] ?? 3000);

test(`any run ends as if nothing had disturbed it, over ${RUNS} histories of agents and power cuts`, async () => {
  await fc.assert(
    fc.asyncProperty(setups, scripts, disturbances, async (setup, script, cuts) => {
      const disturbed = await live(setup, script, cuts);
      const { events, broken } = parseLog(disturbed.log);
      expect(broken).toBeNull();
      const end = fold(events);
      expect(isOver(end)).toBe(true);
      expect(end.open).toEqual([]);
      for (const { status } of Object.values(end.agents))
        expect(['running', 'waiting_human']).not.toContain(status);
      expect(disturbed.state).toEqual(end);
      const started = events.flatMap(e => (e.type === 'agent.started' ? [e.launch] : []));
      expect(started).toEqual([...new Set(started)]);
      expect([...disturbed.taken].sort((a, b) => a - b)).toEqual(started);
      const exited = events.flatMap(e => (e.type === 'agent.exited' ? [e.launch] : []));
      expect(exited.sort((a, b) => a - b)).toEqual(started);

      const undisturbed = await live(setup, script, []);
      expect(story(events)).toEqual(story(undisturbed.events));
      expect(places(events)).toEqual(places(undisturbed.events));
    }),
    { numRuns: RUNS },
  );
}, 300_000);
