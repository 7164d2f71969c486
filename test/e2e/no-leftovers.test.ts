/** Nothing remains of a run that is over: no window, process or checkout, however it ended. */
import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasTmux, socketOf, tmuxAt } from '../../src/agents/launchers/tmux-client.ts';
import { sessionsOf } from '../../src/agents/launchers/tmux-sessions.ts';
import { requestApproval, requestStop } from '../../src/core/run/requests/write-requests.ts';
import { claimFile, type Identity } from '../../src/formats/launch.ts';
import { runFiles } from '../../src/formats/layout.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import { identityOf, isAlive } from '../../src/process/identity.ts';
import { findCheckouts } from '../../src/workspace/checkout.ts';
import { stateFolder } from '../../src/workspace/user-state-folder.ts';
import { killDriver } from '../helpers/kill-driver.ts';
import { bin, type TestProject, testProject } from '../helpers/test-project.ts';
import { cassette, config, flag, generates } from './agent-moves.ts';
import { driverUp, LAUNCHERS, reached } from './driver-processes.ts';
import { scratchProject, type TestRun } from './scratch-project.ts';

const soon = { interval: 100 };

/** All processes in the panes of the project, and all runners of the run. */
async function processesOf(root: string, run: Pick<TestRun, 'files'>): Promise<Identity[]> {
  const panes = (await sessionsOf(root)).flatMap(({ pids }) => pids).flatMap(pid => identityOf(pid) ?? []);
  const claims = (await readdir(run.files.launches)).filter(name => name.endsWith('.claim.json'));
  const runners = await Promise.all(
    claims.map(async name => (await load(claimFile, `${run.files.launches}/${name}`))!.runner),
  );
  return [...panes, ...runners];
}

const checkoutsOf = async (root: string, run: Pick<TestRun, 'files'>): Promise<string[]> =>
  findCheckouts(await stateFolder(root), run.files.dir);

async function nothingStays(root: string, processes: readonly Identity[]): Promise<void> {
  expect(processes.length).toBeGreaterThan(0);
  await expect.poll(() => sessionsOf(root), soon).toEqual([]);
  await expect.poll(() => processes.filter(isAlive), soon).toEqual([]);
}

for (const { launcher, where, missing } of LAUNCHERS)
  describe.skipIf(missing)(`with agents ${where}`, () => {
    test('no process or checkout remains after a run is stopped while its tests are running', async () => {
      const there = await scratchProject();
      const hangs = [[...generates.slice(0, 1), config('sleep 600'), flag('verifier/tests-ready.flag')]];
      const run = await there.start(cassette({ 'verifier:generate': hangs }), { launcher });
      await driverUp(there, run);
      await expect.poll(async () => (await checkoutsOf(there.root, run)).length, soon).toBe(1);
      const processes = await processesOf(there.root, run);
      await requestStop(run.files, await run.state(), 'enough');
      await reached(run, 'stopped');
      await nothingStays(there.root, processes);
      await expect.poll(() => checkoutsOf(there.root, run), soon).toEqual([]);
    });

    test('no process or checkout remains after an approval', async () => {
      const there = await scratchProject({
        config: { global: { checks: [{ name: 'list', command: 'ls' }] } },
      });
      const run = await there.start(cassette(), { launcher });
      await driverUp(there, run);
      const ready = await reached(run, 'ready_for_merge');
      const processes = await processesOf(there.root, run);
      await requestApproval(run.files, ready, { how: 'merge' });
      await reached(run, 'completed');
      await nothingStays(there.root, processes);
      await expect.poll(() => checkoutsOf(there.root, run), soon).toEqual([]);
    });
  });

describe.skipIf(!hasTmux())('in tmux (skipped if it is not installed)', () => {
  test('no session, shell or process of a run remains after the run is stopped while an agent is working', async () => {
    const there = await scratchProject();
    const testRun = await there.start(cassette({ builder: [[{ wait: 600_000 }]] }), { launcher: 'tmux' });
    await driverUp(there, testRun);
    await expect.poll(async () => (await testRun.state()).agents['builder']?.status, soon).toBe('running');
    const processes = await processesOf(there.root, testRun);
    await requestStop(testRun.files, await testRun.state(), 'enough');
    await reached(testRun, 'stopped');
    await nothingStays(there.root, processes);
  });

  test('a run that ends while another one is active ends only its own session', async () => {
    const there = await scratchProject();
    const testRuns = [];
    for (const _ of [1, 2]) testRuns.push(await there.start(cassette(), { launcher: 'tmux' }));
    const [first, second] = testRuns as [TestRun, TestRun];
    await driverUp(there, first);
    await driverUp(there, second);
    await reached(first, 'ready_for_merge');
    await reached(second, 'ready_for_merge');
    // The first leads and stays for the second run; the second has no reason to stay.
    await requestStop(second.files, await second.state(), 'enough');
    await reached(second, 'stopped');
    const runs = async () => (await sessionsOf(there.root)).map(({ run }) => run);
    await expect.poll(runs, soon).toEqual([first.runId]);
    await requestStop(first.files, await first.state(), 'enough');
    await expect.poll(runs, soon).toEqual([]);
  });

  test('a run without a driver leaves no session when it is removed', async () => {
    const project: TestProject = await testProject();
    try {
      await project.dure(['init', '--yes', '--backend', 'rehearsal']);
      const start = ['start', 'Leave a note', '--launcher', 'tmux', '--no-browser'];
      const { json } = await project.dureJson(start);
      expect(json['phase'], JSON.stringify(json)).toBe('ready_for_merge');
      const [session] = await sessionsOf(project.root);
      const processes = session!.pids.flatMap(pid => identityOf(pid) ?? []);
      await killDriver(runFiles(project.files.run(String(json['run_id']))));
      const cleaned = await project.dureJson(['clean', String(json['run_id']), '--force', '--yes']);
      expect(cleaned.json, cleaned.stdout).toMatchObject({ removed: [json['run_id']] });
      await nothingStays(project.root, processes);
      expect((await project.git('worktree', 'list')).trim().split('\n')).toHaveLength(1);
    } finally {
      await project.remove();
    }
  });

  test("dure attach shows a run's session, even inside another tmux session", async () => {
    const project: TestProject = await testProject();
    try {
      await project.dure(['init', '--yes', '--backend', 'rehearsal']);
      const started = await project.dure(['start', 'Leave a note', '--launcher', 'tmux', '--no-browser']);
      const run = /run-\d{8}-\d{6}/.exec(started.stdout)![0];
      expect(started.stdout).toContain(`dure attach ${run}`);
      const { json } = await project.dureJson(['attach', run]);
      expect(json).toMatchObject({ ok: true, run_id: run, session: `dure-${run}` });
      const said = (await project.dure(['attach'])).stdout.trim();
      expect(said).toBe(json['command']);
      const theirs = (...argv: string[]) =>
        execFileSync('tmux', ['-S', join(project.parentFolder, 'theirs'), '-f', '/dev/null', ...argv]);
      const calling = ['-c', project.root, 'node', bin, 'attach', run];
      theirs('new-session', '-d', '-x', '160', '-y', '40', ...calling);
      const ours = tmuxAt(socketOf(project.root), project.parentFolder);
      await expect
        .poll(() => ours.run(['list-clients', '-F', '#{session_name}']), soon)
        .toBe(`dure-${run}\n`);
      theirs('kill-server');
      expect(said).toMatch(/^env -u TMUX tmux -S \/tmp\/dure-\d+\/[0-9a-f]+ attach -t '=dure-run-/);
    } finally {
      await project.remove();
    }
  });
});
