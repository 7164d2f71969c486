import { readFile, writeFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { readState } from '../../src/core/run/run-store.ts';
import { FIRST_CHAIN, formatEvent } from '../../src/formats/event-log-lines.ts';
import type { RunEvent } from '../../src/formats/events.ts';
import { replaceJson } from '../../src/formats/read-and-write-files.ts';
import type { Notice } from '../../src/index.ts';
import { asks, cassette, refines } from './agent-moves.ts';
import { scratchProject } from './scratch-project.ts';

test('a channel is notified of the start of a run once, however often the run is driven', async () => {
  const heard: Notice['event']['type'][] = [];
  const channel = {
    name: 'ear',
    on: ['run.started', 'crp.created'],
    notify: ({ event }: Notice) => void heard.push(event.type),
  };
  const { start } = await scratchProject({
    plugins: [{ plugin: 'dure-ear', load: async () => ({ name: 'ear', channels: [channel] }) }],
  });
  const asks = [refines, refines];
  const run = await start(cassette({ refiner: asks, builder: [[{ say: 'I cannot.' }, { exit: 1 }]] }));
  await run.drive();
  await run.drive();
  expect(heard.filter(type => type === 'run.started')).toEqual(['run.started']);
});

test('a run that was started by an earlier version is read and continued', async () => {
  const { start } = await scratchProject();
  // At this time, the key that this version creates did not exist yet.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-31T14:22:00Z') });
  const run = await start(cassette()).finally(() => vi.useRealTimers());
  const [first] = (await run.events()) as unknown as [Record<string, unknown>];
  const { checkout: _1, checks: _2, decisions: _3, ...setup } = first['setup'] as Record<string, unknown>;
  const { briefing: _4, key: _5, ...earlier } = { ...first, setup } as Record<string, unknown>;
  const { line } = formatEvent(earlier as RunEvent, 1, FIRST_CHAIN);
  await writeFile(run.files.events, `${line}\n`);
  const { key: _6, ...state } = JSON.parse(await readFile(run.files.state, 'utf8'));
  await writeFile(run.files.state, `${JSON.stringify({ ...state, setup, unrunnable: 0 }, null, 2)}\n`);
  expect((await readState(run.files))?.setup).toMatchObject({
    checkout: { directory: '.', copy: [], network: false },
    checks: [],
    decisions: {},
  });
  expect((await run.drive()).phase).toBe('ready_for_merge');
  expect(await readFile(run.files.summary, 'utf8')).toContain('Write greeting.txt that greets.');
});

test('the next driver sends, exactly once, a notice that a killed driver recorded but did not send', async () => {
  const heard: string[] = [];
  const channel = { name: 'ear', notify: ({ event }: Notice) => void heard.push(event.type) };
  const { start } = await scratchProject({
    plugins: [{ plugin: 'dure-ear', load: async () => ({ name: 'ear', channels: [channel] }) }],
  });
  const run = await start(cassette({ refiner: [[asks('crp-001', 'refiner')]] }));
  await run.drive();
  expect(heard).toEqual(['crp.created']);
  // Reproduces the state after a kill between the record and the notice.
  const types = (await run.events()).map(({ type }) => type);
  await replaceJson(run.files.delivered, { seq: types.indexOf('crp.created') });
  await run.drive();
  await run.drive();
  expect(heard).toEqual(['crp.created', 'crp.created']);
});
