/** What `dure start` says about the run before it follows it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testProject } from '../helpers/test-project.ts';

test('if nothing limits the cost of a run, dure start says so, unless the agents cost nothing', async () => {
  const project = await testProject();
  onTestFinished(() => project.remove());
  expect((await project.dure(['init', '--yes', '--backend', 'claude'])).code).toBe(0);
  const bin = join(project.parentFolder, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'claude'), '#!/bin/sh\nsleep 600\n', { mode: 0o755 });
  const env = { IS_SANDBOX: '1', PATH: `${bin}:${process.env['PATH']}` };
  const start = async (...args: string[]) => {
    const all = ['start', 'x', '--detach', '--no-browser', '--launcher', 'process', ...args];
    const { stdout, stderr } = await project.dure(all, { env });
    expect((await project.dure(['stop'])).code, stderr).toBe(0);
    return stdout;
  };
  expect(await start()).toContain('Nothing limits the cost of this run.');
  expect(await start('--budget', '5')).not.toContain('Nothing limits');
  expect(await start('--backend', 'rehearsal', '--cassette', 'demo')).not.toContain('Nothing limits');
  await project.dure(['config', 'set', 'budget_usd', '5']);
  expect(await start()).not.toContain('Nothing limits');
});
