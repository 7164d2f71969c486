import { expect, test } from 'vitest';
import { replaceJson } from '../../src/formats/read-and-write-files.ts';
import type { Notification } from '../../src/index.ts';
import { asks, cassette, refines } from './agent-moves.ts';
import { scratchProject } from './scratch-project.ts';

test('a channel is notified of the start of a run once, however often the run is driven', async () => {
  const heard: Notification['event']['type'][] = [];
  const channel = {
    name: 'ear',
    on: ['run.started', 'crp.created'],
    notify: ({ event }: Notification) => void heard.push(event.type),
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

test('the next driver sends, exactly once, a notice that a killed driver recorded but did not send', async () => {
  const heard: string[] = [];
  const channel = { name: 'ear', notify: ({ event }: Notification) => void heard.push(event.type) };
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
