import { expect, test } from 'vitest';
import { evolve } from '../../src/core/policy/evolve.ts';
import { waitOutErrors } from '../../src/core/run/wait-out-errors.ts';
import { dureError } from '../../src/errors.ts';
import type { RunEvent } from '../../src/formats/events/events.ts';
import { runFiles } from '../../src/formats/layout.ts';
import type { RunState } from '../../src/formats/state.ts';
import { statusView } from '../../src/terminal/views/status-view.ts';
import { sampleState } from '../helpers/sample-values.ts';

test.each([
  ['a run', [], ['run.delayed', 'run.continued']],
  ['a run that is over', ['run.stopped'], []],
] as const)(
  'a disk error in %s: after the events %j, the events %j are recorded',
  async (_, before, expected) => {
    const at = '2026-01-31T14:23:00.000Z';
    const state = before.reduce((s, type) => evolve(s, { at, type, reason: 'enough' }), sampleState());
    const { told, untilItWorks } = waiting({}, state);
    let failures = 2;
    await untilItWorks(async () => {
      failures -= 1;
      if (failures >= 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    });
    expect(told).toEqual(expected);
  },
);

test('the reason why an approval was refused stays visible during and after a disk error', () => {
  const at = '2026-01-31T14:23:00.000Z';
  const refused = evolve(sampleState(), {
    at,
    type: 'approval.refused',
    reason: 'git could not sign the commit',
    asked_at: at,
  });
  const delayed = evolve(refused, {
    at,
    type: 'run.delayed',
    file: '/a',
    why: 'the disk is full',
    file_system: null,
    free_bytes: null,
  });
  const shown = (state: typeof refused) => statusView({ state, damage: null }, '', Date.parse(at), 200);
  expect(shown(delayed)).toMatch(/the disk is full/);
  expect(shown(delayed)).toMatch(/git could not sign the commit/);
  const continued = evolve(delayed, { at, type: 'run.continued' });
  expect(continued.reason).toBe('git could not sign the commit');
  expect(shown(continued)).not.toMatch(/the disk is full/);
});

function waiting(
  { patienceMs, folder = '/' }: { patienceMs?: number; folder?: string } = {},
  initial: RunState = { ...sampleState(), phase: 'build', waiting: null },
) {
  let state = initial;
  const recorded: RunEvent[] = [];
  const told: string[] = [];
  const journal = {
    get state() {
      return state;
    },
    append: async (event: RunEvent) => {
      state = evolve(state, event);
      recorded.push(event);
      return state;
    },
    save: async () => {},
  };
  const notify = ({ type }: RunEvent) => void told.push(type);
  const { signal } = new AbortController();
  const untilItWorks = waitOutErrors({
    journal: () => journal,
    files: { ...runFiles('/run'), dir: folder },
    signal,
    notify,
    ...(patienceMs !== undefined && { patienceMs }),
  });
  return { recorded, told, untilItWorks };
}

const broken = () => dureError('E_GIT', { command: 'rev-list', stderr: 'fatal: bad config line 9' });

test('a git error is recorded, and the work is retried until it succeeds', async () => {
  const { recorded, untilItWorks } = waiting();
  let failures = 2;
  const done = await untilItWorks(async () => {
    failures -= 1;
    if (failures >= 0) throw broken();
    return 'done';
  });
  expect(done).toBe('done');
  expect(recorded).toMatchObject([
    { type: 'run.delayed', message: expect.stringContaining('bad config line 9') },
    { type: 'run.continued' },
  ]);
});

test('an error that persists interrupts the run, and its message becomes the reason', async () => {
  const { recorded, untilItWorks } = waiting({ patienceMs: 1500 });
  const failing = untilItWorks(async () => {
    throw new TypeError('a bug');
  });
  await expect(failing).rejects.toThrow('a bug');
  expect(recorded.map(({ type }) => type)).toEqual(['run.delayed', 'run.interrupted']);
  expect(recorded[1]).toMatchObject({ phase: 'build', reason: 'a bug' });
});

test('the work is not retried if the log is damaged or the run folder was removed', async () => {
  const damaged = dureError('E_LOG_CORRUPT', { file: 'events.log', line: 3, why: 'it is invalid' } as never);
  for (const [error, folder] of [
    [damaged, '/'],
    [broken(), '/no/such/folder'],
  ] as const) {
    const { recorded, untilItWorks } = waiting({ folder });
    await expect(untilItWorks(() => Promise.reject(error))).rejects.toBe(error);
    expect(recorded).toEqual([]);
  }
});
