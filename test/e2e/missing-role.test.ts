/** A role that is not available is reported wherever the result is shown. */
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runFiles } from '../../src/formats/layout.ts';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';
import { type TestProject, testProject } from '../helpers/test-project.ts';

const MISSING = "Cannot find package 'zod'";
let project: TestProject;
beforeAll(async () => {
  project = await testProject();
  await project.dure(['init', '--yes', '--backend', 'rehearsal']);
  const root = join(project.parentFolder, 'dure-role-security');
  await cp(join(packageRoot, 'examples/role-security'), root, { recursive: true });
  await project.dure(['plugins', 'link', '--no-install', root]);
});
afterAll(() => project?.remove());

it('a role whose plugin cannot be loaded is named in the pack, in the review and in the status', async () => {
  const { json, stdout } = await project.dureJson([
    'start',
    'Leave a note',
    ...['--launcher', 'process', '--no-browser'],
  ]);
  expect(json, stdout).toMatchObject({ ok: true, phase: 'ready_for_merge' });
  const { summary } = runFiles(project.files.run(String(json['run_id'])));
  const [, plugins = ''] = /## Plugins\n([\s\S]*?)\n## /.exec(await readFile(summary, 'utf8')) ?? [];
  expect(plugins).toContain(`- \`dure-role-security\`: \`${MISSING}`);

  // The missing role is recorded, so it is reported even when the plugin is uninstalled.
  await project.dure(['plugins', 'uninstall', 'dure-role-security']);
  for (const command of ['review', 'status']) {
    const { json } = await project.dureJson([command]);
    expect(json['warnings'], command).toMatchObject([
      { code: 'E_PLUGIN', message: expect.stringContaining(`Plugin dure-role-security: ${MISSING}`) },
    ]);
  }
  const review = await project.dure(['review', '--full']);
  expect(review.stderr).toContain('Plugin dure-role-security');
  expect(review.stdout).toContain('dure-role-security');
});
