/** A slow plugin delays only its own run: other runs continue, and the web UI is served. */
import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readState } from '../../src/core/run/run-store.ts';
import { runFiles } from '../../src/formats/layout.ts';
import { replaceJson } from '../../src/formats/read-and-write-files.ts';
import { distFile } from '../../src/process/package-paths-and-version.ts';
import { serverOf } from '../../src/server/server-files.ts';
import { bin, testProject } from '../helpers/test-project.ts';

/** A rehearsal backend whose `start` waits until the test lets it continue. */
const SOURCE = `
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
const at = name => join(import.meta.dirname, name);
export default async () => ({ name: 'patient', backends: [{
  name: 'patient', stream: 'claude', needsConsent: false,
  async start({ runDir, role, mode, part }) {
    writeFileSync(at('asked'), '');
    while (!existsSync(at('go-on'))) await pause(20);
    return { session: 's', argv: [process.execPath, ${JSON.stringify(distFile('rehearse.cjs'))},
      '--run-dir', runDir, '--role', role, '--mode', mode, '--part', String(part), '--session', 's'] };
  } }] });
`;

it('a backend that waits in `start` blocks neither another run nor the server', async () => {
  const project = await testProject();
  onTestFinished(() => project.remove());
  const root = join(project.parentFolder, 'dure-patient');
  await mkdir(root);
  const oclif = { hooks: { dure: './index.js' } };
  await replaceJson(join(root, 'package.json'), {
    name: 'dure-patient',
    version: '1.0.0',
    type: 'module',
    oclif,
  });
  await writeFile(join(root, 'index.js'), SOURCE);
  await project.dure(['init', '--yes', '--backend', 'rehearsal']);
  expect(await project.dure(['plugins', 'link', '--no-install', root])).toMatchObject({ code: 0 });

  const start = ['--launcher', 'process', '--no-browser'];
  const { json } = await project.dureJson(['start', 'one', ...start]);
  expect(json).toMatchObject({ phase: 'ready_for_merge' });
  const run = String(json['run_id']);
  const files = runFiles(project.files.run(run));
  const { mrp } = (await readState(files))!;
  const server = (await serverOf(project.files))!;

  const slow = spawn(process.execPath, [bin, 'start', 'two', ...start, '--backend', 'patient'], {
    cwd: project.root,
    env: project.env as NodeJS.ProcessEnv,
    stdio: 'ignore',
  });
  onTestFinished(() => {
    slow.kill('SIGKILL');
  });
  await expect.poll(() => there(join(root, 'asked')), { interval: 20 }).toBe(true);
  // The backend of the slow run waits until `go-on` exists.
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
  const approved = await fetch(`${server.url}/api/runs/${run}/approve`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ tree: mrp!.tree, how: 'branch' }),
  });
  expect(await approved.text()).toContain('completed');
  // The log may be newer than state.json for a moment.
  await expect.poll(async () => (await readState(files))?.phase).toBe('completed');

  await writeFile(join(root, 'go-on'), '');
  const ended = new Promise<number | null>(resolve => slow.once('exit', resolve));
  expect(await ended).toBe(0);
});

const there = (file: string): Promise<boolean> =>
  readFile(file).then(
    () => true,
    () => false,
  );
