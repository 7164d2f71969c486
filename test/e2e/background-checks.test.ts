/** The project's checks run while the Verifier works: their results are used, and no check outlives its agent. */
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { requestStop } from '../../src/core/run/requests/write-requests.ts';
import { claimFile } from '../../src/formats/launch.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import { findSandbox } from '../../src/process/sandbox/find-sandbox.ts';
import { findCheckouts } from '../../src/workspace/checkout.ts';
import { stateFolder } from '../../src/workspace/user-state-folder.ts';
import { cassette, generates } from './agent-moves.ts';
import { driverUp, reached } from './driver-processes.ts';
import { scratchProject, type TestRun } from './scratch-project.ts';

const soon = { interval: 50 };
const sandbox = await findSandbox(process.env);
const checked = (command: string) =>
  scratchProject({ config: { global: { checks: [{ name: 'test', command, timeout_ms: 600_000 }] } } });
const logOf = (run: TestRun) => readFile(run.files.checksLog, 'utf8');

/** A sandbox has its own process ids; from outside, a process is identified by its command line. */
async function isRunning(...argv: string[]): Promise<boolean> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.includes(`${argv.join('\0')}\0`);
}
/** Number of seconds to sleep, which identifies the process. */
const unique = () => String(70_000 + Math.floor(Math.random() * 1_000_000));

describe.skipIf(sandbox.kind === 'none')(`in a sandbox (${sandbox.why ?? 'bubblewrap'})`, () => {
  test('the checks step reuses the results of checks that ran while the Verifier worked', async () => {
    const mark = randomUUID();
    const there = await checked(`echo "${mark} in launch $DURE_LAUNCH"`);
    const kept = join(await stateFolder(there.root), 'check-runs');
    const waits = { sh: `until grep -rqs ${mark} '${kept}'; do sleep 0.1; done` };
    const run = await there.start(cassette({ 'verifier:generate': [[waits, ...generates]] }));
    const end = await run.drive();
    expect(end.phase).toBe('ready_for_merge');
    expect(end.checks?.checks).toMatchObject([{ name: 'test', status: 'pass' }]);
    const verifier = (await run.events()).find(e => e.type === 'agent.started' && e.step === 'generate');
    const log = await logOf(run);
    expect(log).toContain(`${mark} in launch ${(verifier as { launch: number }).launch}\n`);
    expect(log).toContain('(executed earlier)');
  });

  test("checks that were killed with the agent's runner leave no process behind, and run again in their step", async () => {
    const seconds = unique();
    const there = await checked(
      `case $DURE_LAUNCH in 3|4) sleep ${seconds};; esac; echo ran in launch $DURE_LAUNCH`,
    );
    const hangs = [{ wait: 600_000 }];
    const run = await there.start(cassette({ 'verifier:generate': [hangs, generates] }));
    await driverUp(there, run);
    await expect.poll(() => isRunning('sleep', seconds), soon).toBe(true);
    process.kill((await load(claimFile, run.files.claim(3)))!.runner.pid, 'SIGKILL');
    const end = await reached(run, 'ready_for_merge');
    expect(await run.eventTypes('agent.failed')).toEqual(['agent.failed generate']);
    expect(end.checks?.checks).toMatchObject([{ status: 'pass' }]);
    const log = await logOf(run);
    expect(log).toMatch(/ran in launch [56]\n/);
    expect(log).not.toContain('(executed earlier)');
    await expect.poll(() => isRunning('sleep', seconds), soon).toBe(false);
  });

  test('stopping a run kills the checks that are running alongside the Verifier', async () => {
    const seconds = unique();
    const there = await checked(`sleep ${seconds}`);
    const run = await there.start(cassette({ 'verifier:generate': [[{ wait: 600_000 }]] }));
    await driverUp(there, run);
    await expect.poll(() => isRunning('sleep', seconds), soon).toBe(true);
    await requestStop(run.files, await run.state(), 'enough');
    await reached(run, 'stopped');
    await expect.poll(() => isRunning('sleep', seconds), soon).toBe(false);
    const state = await stateFolder(there.root);
    await expect.poll(() => findCheckouts(state, run.files.dir), soon).toEqual([]);
  });
});

test('without a sandbox, no check runs while an agent works', async () => {
  const there = await checked('echo "ran in launch $DURE_LAUNCH" >> "$PWD.ran"; cat "$PWD.ran"');
  const run = await there.start(cassette({ 'verifier:generate': [[{ wait: 3000 }, ...generates]] }), {
    shell: { ...process.env, DURE_SANDBOX: 'none' },
  });
  expect((await run.drive()).phase).toBe('ready_for_merge');
  const step = (await run.events()).find(e => e.type === 'checks.executed');
  expect((await logOf(run)).match(/ran in launch \d+/g)).toEqual([
    `ran in launch ${(step as { launch: number }).launch}`,
  ]);
  expect(await logOf(run)).not.toContain('(executed earlier)');
});
