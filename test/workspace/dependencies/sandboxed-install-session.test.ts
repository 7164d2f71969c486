import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { killMarked, marksOf } from '../../../src/process/kill.ts';
import { moduleEnvironment } from '../../../src/workspace/dependencies/install-environment.ts';
import { withInstallSession } from '../../../src/workspace/dependencies/sandboxed-install-session.ts';
import { writeFiles } from '../../helpers/git-repositories.ts';

test.runIf(process.platform === 'linux')(
  'after its runner was killed, a set-up command without a sandbox is found by the marks of its launch',
  async () => {
    const top = await mkdtemp(join(tmpdir(), 'dure-session-'));
    const stop = new AbortController();
    onTestFinished(() => rm(top, { recursive: true, force: true, maxRetries: 20 }));
    const runDir = join(top, 'run-1');
    let killed: number | null = null;
    const ended = await withInstallSession(
      {
        checkout: top,
        directory: '.',
        command: '',
        env: { PATH: process.env['PATH'], HOME: top, ...marksOf(runDir, 3) },
        sandbox: { kind: 'none', why: 'a test' },
        stateFolder: join(top, 'state'),
        onOutput() {
          killed = killMarked(runDir, 3);
          if (killed === 0) stop.abort(new Error('no process was found'));
        },
        signal: stop.signal,
      },
      session => session.run('echo started; exec sleep 600', top),
    );
    expect({ ended, killed }).toEqual({ ended: 'killed by SIGKILL', killed: 1 });
  },
);

test("Cargo's configuration in the cache is removed when the user no longer has one", async () => {
  const top = await mkdtemp(join(tmpdir(), 'dure-install-'));
  onTestFinished(() => rm(top, { recursive: true, force: true }));
  const stateFolder = join(top, 'state');
  const isConfigured = () =>
    withInstallSession(
      {
        checkout: top,
        directory: '.',
        command: 'cargo fetch',
        env: { HOME: top },
        sandbox: { kind: 'none', why: 'a test' },
        stateFolder,
        onOutput() {},
        signal: new AbortController().signal,
      },
      async () => existsSync(join(moduleEnvironment(stateFolder)['CARGO_HOME']!, 'config.toml')),
    );
  await writeFiles(top, { '.cargo/config.toml': '[net]\nretry = 1\n' });
  expect(await isConfigured()).toBe(true);
  await rm(join(top, '.cargo'), { recursive: true });
  expect(await isConfigured()).toBe(false);
});
