/** A run loses its window because its tmux server hangs or tmux has been uninstalled. */
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hasTmux, socketOf } from '../../src/agents/launchers/tmux-client.ts';
import { openQuestion } from '../../src/core/run/requests/write-answer.ts';
import { driverOf } from '../../src/core/run/run-store.ts';
import { asks, builds, cassette } from './agent-moves.ts';
import { scratchProject } from './scratch-project.ts';

test.skipIf(!hasTmux())(
  'a tmux failure during a run leads to a question and does not end the driver',
  async () => {
    const { root, start } = await scratchProject();
    const socket = socketOf(root);
    const run = await start(cassette({ builder: [[asks('crp-001', 'builder')], builds('hello\n')] }), {
      launcher: 'tmux',
    });
    const endSession = () => execFileSync('sh', ['-c', 'tmux -S "$0" kill-server 2>&1 || true', socket]);
    onTestFinished(async () => {
      endSession();
      await rm(socket, { force: true });
    });
    expect(await run.drive()).toMatchObject({ phase: 'waiting_human' });
    // The server in a pane of the session would drive the run, because nobody else does.
    endSession();
    await expect.poll(() => driverOf(run.files)).toBeNull();
    await run.answer('B');
    const bin = join(root, '..', 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'tmux'), '#!/bin/sh\necho out of order >&2\nexit 1\n', { mode: 0o755 });
    const path = process.env['PATH'];
    process.env['PATH'] = `${bin}:${path}`;
    try {
      expect(await run.drive()).toMatchObject({ phase: 'waiting_human' });
    } finally {
      process.env['PATH'] = path;
    }
    const asked = await openQuestion(run.files, await run.state());
    expect(JSON.stringify(asked)).toMatch(/tmux failed: out of order.*--launcher process/);
    await run.answer('retry');
    expect(await run.drive()).toMatchObject({ phase: 'ready_for_merge' });
  },
);
