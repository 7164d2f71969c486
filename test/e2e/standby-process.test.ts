/** A process that was started for one run stands by only while that run may need it. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { builds, cassette, refines } from './agent-moves.ts';
import { served } from './serve-processes.ts';

const held = cassette({ refiner: [refines], builder: [[{ wait: 3_600_000 }, ...builds('hello\n')]] });

test('a standby process of a run exits when the run is over, and the leader keeps running', async () => {
  const project = await served(held);
  const leader = await project.serve();
  const start = ['start', 'Greet', '--launcher', 'process', '--detach', '--no-browser'];
  const id = String((await project.dureJson(start)).json['run_id']);
  const standing = await project.serve(id, '--port', '0');
  expect(standing.entry).toBeNull();

  // The run is active, so the process may still be needed.
  await pause(5000);
  expect(standing.child.exitCode).toBeNull();

  expect((await project.dureJson(['stop', id])).json).toMatchObject({ phase: 'stopped' });
  await expect.poll(() => standing.child.exitCode, { interval: 100 }).toBe(0);
  expect(leader.child.exitCode).toBeNull();
});

test('a process that is started for a run exits if the run is over', async () => {
  const project = await served(held);
  const leader = await project.serve();
  const start = ['start', 'Greet', '--launcher', 'process', '--detach', '--no-browser'];
  const id = String((await project.dureJson(start)).json['run_id']);
  await project.dureJson(['stop', id]);
  const standing = await project.serve(id, '--port', '0');
  await expect.poll(() => standing.child.exitCode, { interval: 100 }).toBe(0);
  expect(leader.child.exitCode).toBeNull();
});
