/** The fault injection itself: the same seed gives the same faults, and losses are detected. */
import { expect, test } from 'vitest';

const script = new URL('../../scripts/torture/torture-run.mjs', import.meta.url).href;
const { planOf, doubleLaunches } = (await import(script)) as {
  planOf(seed: number, n: number, means: object): { launcher: string; faults: { name: string }[] };
  doubleLaunches(ledger: string): string[];
};
const EVERYTHING = { disk: true, failing: '/lib/failing.so', clock: '/lib/clock.so', tmux: true };
const plans = (seed: number, means: object) =>
  Array.from({ length: 200 }, (_, n) => planOf(seed, n + 1, means));
const kinds = (means: object) => new Set(plans(5, means).flatMap(({ faults }) => faults.map(f => f.name)));

test('the seed and the run number determine the faults of a run', () => {
  expect(plans(5, EVERYTHING)).toEqual(plans(5, EVERYTHING));
  expect(plans(6, EVERYTHING)).not.toEqual(plans(5, EVERYTHING));
});

test('every kind of fault occurs, except for those that this machine cannot inject', () => {
  expect(kinds(EVERYTHING).size).toBe(14);
  const none = kinds({ disk: false, failing: null, clock: null, tmux: false });
  for (const skipped of ['disk full', 'write errors', 'read errors', 'clock stepped', 'tmux killed'])
    expect(none).not.toContain(skipped);
  expect(none.size).toBe(8);
});

test('a launch that two processes entered in the ledger counts as a double launch', () => {
  const dir = '/p/.dure/runs/run-20260131-142207';
  expect(doubleLaunches(`${dir} 1 100-5\n${dir} 2 101-6\n${dir}-2 1 102-7\n`)).toEqual([]);
  expect(doubleLaunches(`${dir} 1 100-5\n${dir} 1 100-9\n`)).toEqual(['launch 1 twice']);
});
