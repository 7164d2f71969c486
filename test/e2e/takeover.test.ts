/** The leader is killed, or asked to stop, while agents work and a page is open. */
import { chmod, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { driverOf, readEvents, readState } from '../../src/core/run/run-store.ts';
import { leaderOf } from '../../src/daemon/leader-election.ts';
import type { RunFiles } from '../../src/formats/layout.ts';
import { serverOf } from '../../src/server/server-files.ts';
import { builds, cassette, flag, refines } from './agent-moves.ts';
import { cannotRun, type Serving, served, visit } from './serve-processes.ts';

if (cannotRun) console.warn(`The browser is not tested: ${cannotRun}.`);

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 180_000; Date.now() < end; await pause(50)) if (await holds()) return;
  throw new Error(`not within three minutes: ${what}`);
}
const drives = async (files: RunFiles, { child }: Serving) => (await driverOf(files))?.pid === child.pid;

/** The Builder works until the test lets it finish. */
const held = cassette({
  refiner: [refines],
  builder: [
    [
      { say: 'I begin.' },
      { sh: 'while [ ! -e builder/go ]; do sleep 0.1; done' },
      { say: 'I was let go.' },
      ...builds('hello\n').slice(0, -1),
      flag('builder/done.flag'),
    ],
  ],
});

test.skipIf(cannotRun)(
  'when the leader is killed, the standby takes over, the run keeps its agent, and an open page is updated',
  async () => {
    const project = await served(held);
    const first = await project.serve();
    const second = await project.serve();
    expect(second.entry).toBeNull();

    const started = await project.dureJson([
      'start',
      'Greet',
      '--launcher',
      'process',
      '--detach',
      '--no-browser',
    ]);
    const id = String(started.json['run_id']);
    const files = project.run(id);
    const { page } = await visit(first.entry!.replace('/#', `/run/${id}#`), 'Greet');
    await page.evaluate('window.untouched = true');
    await page
      .getByRole('log', { name: /Builder/ })
      .getByText('I begin.')
      .waitFor();
    expect(await drives(files, first)).toBe(true);

    await first.kill('SIGKILL');
    const killed = Date.now();
    await until('the standby leads', async () => (await leaderOf(project.files))?.pid === second.child.pid);
    await until('the standby drives the run', () => drives(files, second));
    // It takes less than a second; the rest is a margin for a busy machine.
    expect(Date.now() - killed).toBeLessThan(60_000);

    await page.getByText('Not connected.').waitFor({ state: 'detached' });
    await project.write(`.dure/runs/${id}/builder/go`, '');
    await page
      .getByRole('log', { name: /Builder/ })
      .getByText('I was let go.')
      .waitFor();
    await page.getByText('The result is ready for your review.').waitFor();
    expect(await page.evaluate('window.untouched')).toBe(true);
    expect((await readState(files))?.phase).toBe('ready_for_merge');
    const told = (await readEvents(files)).map(event => event.type);
    expect(told.filter(type => type === 'agent.failed' || type === 'agent.retried')).toEqual([]);
  },
);

test.skipIf(cannotRun)(
  'a leader that is asked to stop hands over to its successor, which later does the same',
  async () => {
    const project = await served(held);
    let leader = await project.serve();
    const { page } = await visit(leader.entry!);
    await page.evaluate('window.untouched = true');
    const started = await project.dureJson([
      'start',
      'Greet',
      '--launcher',
      'process',
      '--detach',
      '--no-browser',
    ]);
    const files = project.run(String(started.json['run_id']));
    await page.getByRole('link', { name: 'Greet' }).waitFor();
    for (const round of [1, 2]) {
      const next = await project.serve();
      const asked = Date.now();
      await leader.kill('SIGTERM');
      // If the machine stalls for longer than the clean-up may take, the leader is ended by the signal.
      if (Date.now() - asked < 5000) expect(leader.child.exitCode, leader.said()).toBe(143);
      await until(`hand-over ${round}`, () => drives(files, next));
      await page.getByText('Not connected.').waitFor({ state: 'detached' });
      leader = next;
    }
    await project.write(`.dure/runs/${started.json['run_id']}/builder/go`, '');
    await page.getByRole('link', { name: 'Review' }).waitFor();
    expect(await page.evaluate('window.untouched')).toBe(true);
  },
);

/** Outside the range of ports that the system hands out, so that no other program gets it first. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const server = createServer();
    const isFree = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise(resolve => server.close(resolve));
    return port;
  }
}

test('the successor serves on the port of its predecessor, even if only the predecessor was started with that port', async () => {
  const project = await served(held);
  const port = await freePort();
  const first = await project.serve('--port', String(port));
  const second = await project.serve('--no-browser');
  expect((await serverOf(project.files))?.port).toBe(port);
  await first.kill('SIGKILL');
  await until(
    'the standby serves',
    async () => (await serverOf(project.files))?.process?.pid === second.child.pid,
  );
  expect((await serverOf(project.files))?.port).toBe(port);
  expect(second.said()).not.toContain('is in use');
});

test('the server exits when asked to stop, even if one of its drivers hangs', async () => {
  const project = await served(held);
  const real = (await project.git('--exec-path')).trim();
  const hung = join(project.parentFolder, 'hung');
  const slowGit = join(project.parentFolder, 'bin', 'git');
  await project.write(
    '../bin/git',
    `#!/bin/sh
case "$*" in *"worktree add"*) echo $$ > '${hung}'; exec sleep 100000 ;; esac
exec '${real}/git' "$@"
`,
  );
  await chmod(slowGit, 0o755);
  const path = project.env['PATH'];
  project.env['PATH'] = `${join(project.parentFolder, 'bin')}:${path}`;
  const leader = await project.serve();
  project.env['PATH'] = path;
  onTestFinished(async () => {
    const pid = Number(await readFile(hung, 'utf8').catch(() => ''));
    if (pid > 0) process.kill(pid, 'SIGKILL');
  });
  await project.dureJson(['start', 'Greet', '--launcher', 'process', '--detach', '--no-browser']);
  await until('git to hang', () =>
    readFile(hung, 'utf8').then(
      text => text.endsWith('\n'),
      () => false,
    ),
  );
  await leader.kill('SIGTERM');
  expect(leader.child.exitCode ?? leader.child.signalCode).toBe('SIGTERM');
  expect(await leaderOf(project.files)).toBeNull();
});
