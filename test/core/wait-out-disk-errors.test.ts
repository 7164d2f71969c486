import { expect, test } from 'vitest';
import { evolve } from '../../src/core/policy/evolve.ts';
import { waitOutDiskErrors } from '../../src/core/run/wait-out-disk-errors.ts';
import type { RunEvent } from '../../src/formats/events.ts';
import { statusView } from '../../src/terminal/status-view.ts';
import { sampleState } from '../helpers/sample-values.ts';

test.each([
  ['a run', [], ['run.delayed', 'run.continued']],
  ['a run that is over', ['run.stopped'], []],
] as const)('a disk error in %s: after %j, %j is recorded', async (_, before, expected) => {
  const at = '2026-01-31T14:23:00.000Z';
  let state = before.reduce((s, type) => evolve(s, { at, type, reason: 'enough' }), sampleState());
  const told: string[] = [];
  const journal = {
    get state() {
      return state;
    },
    append: async (event: RunEvent) => {
      state = evolve(state, event);
      return state;
    },
    save: async () => {},
  };
  const untilDiskWorks = waitOutDiskErrors({
    journal,
    folder: '/',
    signal: new AbortController().signal,
    notify: ({ type }) => void told.push(type),
  });
  let failures = 2;
  await untilDiskWorks(async () => {
    failures -= 1;
    if (failures >= 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
  });
  expect(told).toEqual(expected);
});

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
