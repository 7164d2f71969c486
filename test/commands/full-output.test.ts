/** Standard output on a full disk, as when a log file is redirected there. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runFiles } from '../../src/formats/layout.ts';
import { killDriver } from '../helpers/kill-driver.ts';
import { bin, type TestProject, testProject } from '../helpers/test-project.ts';
import { slowRun } from './slow-run.ts';

let project: TestProject;
beforeEach(async () => {
  project = await testProject();
  expect((await project.dure(['init', '--yes', '--backend', 'rehearsal'])).code).toBe(0);
});
afterEach(() => project.remove());

const full = existsSync('/dev/full') ? openSync('/dev/full', 'w') : null;

describe.skipIf(full === null)('if standard output is a file on a full disk', () => {
  it.each(['history', 'history --json', 'doctor --json', '--version', '--help'])('dure %s fails', command => {
    const { status, stderr } = spawnSync(process.execPath, [bin, ...command.split(' ')], {
      cwd: project.root,
      env: project.env as NodeJS.ProcessEnv,
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toContain('standard output could not be written');
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('a driver still drives its run', async () => {
    const id = await slowRun(project);
    await killDriver(runFiles(project.files.run(id)));
    const driver = spawn(process.execPath, [bin, 'serve', id, '--no-browser'], {
      cwd: project.root,
      env: project.env as NodeJS.ProcessEnv,
      stdio: ['ignore', full, full],
    });
    onTestFinished(() => void driver.kill('SIGKILL'));
    const status = async () => (await project.dureJson(['status', id])).json;
    await expect.poll(status, { interval: 300 }).toMatchObject({ driven: true });
    expect((await project.dure(['extend', id, '--by', '5m'])).code).toBe(0);
    expect(await status()).toMatchObject({ extra_ms: 300_000 });
    expect(driver.exitCode).toBeNull();
    expect((await project.dureJson(['stop', id])).json).toMatchObject({ phase: 'stopped' });
  });
});
