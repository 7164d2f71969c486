/** Runs with a separate driver process, in pane 5 or detached, as in normal use. */
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { hasTmux } from '../../src/agents/launchers/tmux-client.ts';
import { driverOf } from '../../src/core/run/run-store.ts';
import { ensureDriver } from '../../src/daemon/ensure-driver-and-pages.ts';
import type { RunState } from '../../src/formats/state.ts';
import type { ScratchProject, TestRun } from './scratch-project.ts';

/** Where agents may run, for titles. If a launcher cannot be tested here, the title says why. */
export const LAUNCHERS: readonly { launcher: 'process' | 'tmux'; where: string; missing: boolean }[] = [
  { launcher: 'process', where: 'as plain processes', missing: false },
  {
    launcher: 'tmux',
    where: `in tmux${hasTmux() ? '' : ' (skipped: tmux is not installed)'}`,
    missing: !hasTmux(),
  },
];

/** Starts a driver for the run and returns its process. */
export async function driverUp({ project, plugins }: ScratchProject, run: TestRun): Promise<number> {
  await ensureDriver(project, run.files, plugins, { noBrowser: true });
  for (let i = 0; i < 6000; i += 1) {
    const driver = await driverOf(run.files);
    if (driver) return driver.pid;
    await pause(20);
  }
  throw new Error(`no driver came up: ${await readFile(run.files.driverLog, 'utf8').catch(() => '')}`);
}

/** The state once the run is in `phase`. */
export async function reached(run: TestRun, phase: string): Promise<RunState> {
  // Does not use `Date`, which a test may set.
  for (const until = performance.now() + 300_000; performance.now() < until; await pause(50)) {
    const state = await run.state();
    if (state.phase === phase) return state;
  }
  throw new Error(`not ${phase} within five minutes: ${(await run.eventTypes()).join(', ')}`);
}
