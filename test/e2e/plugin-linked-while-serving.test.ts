import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';
import { serverOf } from '../../src/server/server-files.ts';
import { testProject } from '../helpers/test-project.ts';

test('a plugin that is linked while a process leads the project is notified of the next run', async () => {
  const project = await testProject();
  try {
    const start = ['start', 'a note', '--no-browser', '--launcher', 'process'];
    await project.dure(['init', '--yes', '--backend', 'rehearsal']);
    expect((await project.dure(start)).code).toBe(0);
    const leader = await serverOf(project.files);
    expect((await project.dure(['plugins', 'link', join(packageRoot, 'examples/notify-file')])).code).toBe(0);
    const { json } = await project.dureJson(start);
    expect(await serverOf(project.files)).toEqual(leader);
    await expect
      .poll(() => readFile(join(project.files.server, 'notifications.log'), 'utf8').catch(() => ''))
      .toContain(String(json['run_id']));
  } finally {
    await project.remove();
  }
});
