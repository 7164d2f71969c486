import { expect, test } from 'vitest';
import type { Notice } from '../../src/index.ts';
import { cassette, refines } from './players.ts';
import { stage } from './stage.ts';

test('a channel that wants the start of a run hears of it once, however often the run is driven', async () => {
  const heard: Notice['event']['type'][] = [];
  const channel = {
    name: 'ear',
    on: ['run.started', 'crp.created'],
    notify: ({ event }: Notice) => void heard.push(event.type),
  };
  const { start } = await stage({
    plugins: [{ plugin: 'dure-ear', load: async () => ({ name: 'ear', channels: [channel] }) }],
  });
  const asks = [refines, refines];
  const play = await start(cassette({ refiner: asks, builder: [[{ say: 'I cannot.' }, { exit: 1 }]] }));
  await play.drive();
  await play.drive();
  expect(heard.filter(type => type === 'run.started')).toEqual(['run.started']);
});
