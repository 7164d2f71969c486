/** The leader exits when all its runs are idle and no page is open, and the next command starts one again. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { driverOf, readState } from '../../src/core/run/run-store.ts';
import { leaderOf } from '../../src/daemon/leader-election.ts';
import { type RunFiles, runFiles } from '../../src/formats/layout.ts';
import { type TestProject, testProject } from '../helpers/test-project.ts';
import { LAUNCHERS } from './driver-processes.ts';

const WAIT = { interval: 100 };

async function scene(idle_minutes: number): Promise<TestProject> {
  const project = await testProject();
  onTestFinished(() => project.remove());
  await project.dure(['init', '--yes', '--backend', 'rehearsal']);
  await project.write(
    '.dure/config/global.json',
    JSON.stringify({ backend: 'rehearsal', server: { idle_minutes } }),
  );
  return project;
}

async function ready(project: TestProject, launcher: string): Promise<RunFiles> {
  const args = ['start', 'Leave a note', '--yes', '--detach', '--no-browser', '--launcher', launcher];
  const { json } = await project.dureJson(args);
  const files = runFiles(project.files.run(String(json['run_id'])));
  await expect.poll(async () => (await readState(files))?.phase, WAIT).toBe('ready_for_merge');
  return files;
}

for (const { launcher, where, missing } of LAUNCHERS)
  test.skipIf(missing)(
    `with agents ${where}, every process exits when all runs are idle, and a new one processes an approval`,
    async () => {
      const project = await scene(0.05);
      const runs = [await ready(project, launcher), await ready(project, launcher)];
      await expect.poll(() => leaderOf(project.files), WAIT).toBeNull();
      // A standby process would take over within a second.
      await pause(2000);
      expect(await leaderOf(project.files)).toBeNull();
      for (const files of runs) {
        expect(await driverOf(files)).toBeNull();
        expect((await readState(files))!.phase).toBe('ready_for_merge');
      }
      const id = (await readState(runs[0]!))!.run_id;
      expect(await project.dure(['approve', id])).toMatchObject({ code: 0 });
      expect((await readState(runs[0]!))!.phase).toBe('completed');
    },
  );

test('if idle_minutes is 0, the leader keeps running', async () => {
  const project = await scene(0);
  const files = await ready(project, 'process');
  const driver = await driverOf(files);
  expect(driver).not.toBeNull();
  await pause(6000);
  expect(await driverOf(files)).toEqual(driver);
});

test('an approval that arrives while the leader is exiting takes effect', async () => {
  const project = await scene(0.02);
  for (let n = 0; n < 4; n += 1) {
    const files = await ready(project, 'process');
    // Resolves at about the time when the leader has been idle for long enough.
    await pause(600 + n * 350);
    const { run_id } = (await readState(files))!;
    expect(await project.dure(['approve', run_id, '--how', 'branch'])).toMatchObject({ code: 0 });
  }
});
