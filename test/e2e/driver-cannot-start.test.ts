/** An error before the loop of a driver delays or interrupts the run like any other, and is recorded. */
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hasTmux, socketOf } from '../../src/agents/launchers/tmux-client.ts';
import { openQuestion } from '../../src/core/run/requests/write-answer.ts';
import { driveRun } from '../../src/daemon/drive-run.ts';
import type { RunEvent } from '../../src/formats/events/events.ts';
import { statusView } from '../../src/terminal/views/status-view.ts';
import { cassette } from './agent-moves.ts';
import { driverUp } from './driver-processes.ts';
import { type ScratchProject, scratchProject, type TestRun } from './scratch-project.ts';

const driveWith = (
  { project, plugins }: ScratchProject,
  run: TestRun,
  patienceMs: number,
  onEvent: (event: RunEvent) => void,
) =>
  driveRun(project, run.files, plugins, {
    signal: new AbortController().signal,
    untilIdle: true,
    patienceMs,
    onEvent,
  });

test('if the git configuration is invalid when a driver starts, the run is delayed until someone repairs the configuration', async () => {
  const set = await scratchProject();
  const run = await set.start(cassette());
  const config = join(set.root, '.git/config');
  const intact = readFileSync(config);
  appendFileSync(config, '[broken\n');
  let repaired = Promise.resolve();
  const state = await driveWith(set, run, 60_000, event => {
    if (event.type === 'run.delayed') repaired = pause(500).then(() => writeFileSync(config, intact));
  });
  await repaired;
  expect(state.phase).toBe('ready_for_merge');
  expect((await run.eventTypes()).slice(0, 3)).toEqual(['run.started', 'run.delayed', 'run.continued']);
});

test('an error that keeps a driver from starting interrupts the run, and the status shows the error', async () => {
  const set = await scratchProject();
  const run = await set.start(cassette());
  appendFileSync(join(set.root, '.git/config'), '[broken\n');
  await expect(driveWith(set, run, 1500, () => {})).rejects.toThrow('bad config line');
  const interrupted = (await run.events()).findLast(({ type }) => type === 'run.interrupted');
  expect(interrupted).toMatchObject({ reason: expect.stringContaining('bad config line') });
  const shown = statusView({ state: await run.state(), damage: null }, '', Date.now(), 400);
  expect(shown).toContain('bad config line');
  expect(shown).not.toContain('keeps retrying');
});

test.skipIf(!hasTmux())(
  'if tmux does not start when a run is first driven, the run leads to a question',
  async () => {
    const { root, start } = await scratchProject();
    const run = await start(cassette(), { launcher: 'tmux' });
    onTestFinished(() => rmSync(socketOf(root), { force: true }));
    const bin = join(root, '..', 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'tmux'), '#!/bin/sh\necho out of order >&2\nexit 1\n', { mode: 0o755 });
    const path = process.env['PATH'];
    process.env['PATH'] = `${bin}:${path}`;
    onTestFinished(() => {
      process.env['PATH'] = path;
    });
    expect(await run.drive()).toMatchObject({ phase: 'waiting_human' });
    const asked = await openQuestion(run.files, await run.state());
    expect(JSON.stringify(asked)).toMatch(/tmux failed: out of order.*--launcher process/);
  },
);

// The limit is below the time that a driver has to start.
test('a driver that exits at once is reported at once, with what it printed', {
  timeout: 50_000,
}, async () => {
  const there = await scratchProject();
  const run = await there.start(cassette());
  vi.stubEnv('NODE_OPTIONS', '--require /nowhere/preload.cjs');
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(driverUp(there, run)).rejects.toMatchObject({
    code: 'E_NO_DRIVER',
    message: expect.stringContaining('/nowhere/preload.cjs'),
  });
});
