import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  identityOf,
  isAlive,
  isAliveOnMachine,
  ownIdentity,
  signalProcess,
} from '../../src/process/identity.ts';
import { until } from '../agents/launchers/launch-folder.ts';

function sleeper(): ChildProcess {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

test('the current process is recognized as alive by its identity', () => {
  const own = ownIdentity();
  expect(own.pid).toBe(process.pid);
  expect(own).toEqual(identityOf(process.pid));
  expect(isAlive(own)).toBe(true);
});

test('an invalid pid has no identity', () => {
  for (const pid of [0, -1, 1.5, Number.NaN, 2 ** 40]) expect(identityOf(pid)).toBeNull();
});

test('two processes with the same pid have different identities', async () => {
  const child = sleeper();
  await once(child, 'spawn');
  const identity = identityOf(child.pid!)!;
  expect(isAlive(identity)).toBe(true);
  const recycled = { ...identity, started: `${Number(identity.started) - 1}` };
  const beforeReboot = { ...identity, boot: '00000000-0000-0000-0000-000000000000' };
  for (const stranger of [recycled, beforeReboot]) {
    expect(isAlive(stranger)).toBe(false);
    expect(signalProcess(stranger, 'SIGKILL')).toBe(false);
  }
  expect(isAlive(identity)).toBe(true);
});

test('a signal reaches only the identified process, and is not sent after its death', async () => {
  const child = sleeper();
  await once(child, 'spawn');
  const identity = identityOf(child.pid!)!;
  const ended = once(child, 'exit');
  expect(signalProcess(identity, 'SIGTERM')).toBe(true);
  expect((await ended)[1]).toBe('SIGTERM');
  expect(isAlive(identity)).toBe(false);
  expect(signalProcess(identity, 'SIGTERM')).toBe(false);
});

test('a zombie counts as dead', async () => {
  // The shell becomes a sleep that never waits for its child, so the child remains a zombie.
  const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => {
    parent.kill('SIGKILL');
  });
  const [printed] = await once(parent.stdout, 'data');
  const pid = Number(String(printed));
  const isZombie = () =>
    spawnSync('ps', ['-o', 'stat=', '-p', String(pid)])
      .stdout.toString()
      .startsWith('Z');
  await until(isZombie);
  expect(identityOf(pid)).toBeNull();
});

test('a process with spaces and parentheses in its name has an identity', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dure-identity-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  const odd = join(folder, 'a) Z (b');
  const real = spawnSync('sh', ['-c', 'command -v sleep']).stdout.toString().trim();
  await copyFile(real, odd).catch(() => symlink(real, odd));
  const child = spawn(odd, ['600'], { stdio: 'ignore' });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await once(child, 'spawn');
  const plain = sleeper();
  await once(plain, 'spawn');
  const [started, later] = [child, plain].map(c => identityOf(c.pid!)?.started);
  expect(started).toMatch(/\d/);
  if (process.platform === 'linux') expect(Number(later) - Number(started)).toBeLessThan(60_000);
  expect(isAlive(identityOf(child.pid!)!)).toBe(true);
});

const UNSHARE = [
  '--pid',
  '--fork',
  '--mount-proc',
  ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']),
];
const hasNamespaces = spawnSync('unshare', [...UNSHARE, 'true']).status === 0;

test.skipIf(!hasNamespaces)(
  'a process in a container counts as alive on this machine until it ends',
  async () => {
    const script =
      "console.log(require('fs').readFileSync('/proc/self/stat', 'latin1')); process.stdin.resume()";
    const container = spawn('unshare', [...UNSHARE, process.execPath, '-e', script]);
    onTestFinished(() => void container.kill('SIGKILL'));
    const [stat] = (await once(container.stdout, 'data')) as [Buffer];
    const fields = String(stat).trim().split(' ');
    const inside = { ...ownIdentity(), pid: Number(fields[0]), started: fields[21]! };
    expect(inside.pid).toBeLessThan(10);
    expect(isAliveOnMachine(inside)).toBe(true);
    expect(isAliveOnMachine({ ...inside, pid: inside.pid + 1 })).toBe(false);
    const ended = once(container, 'exit');
    container.stdin.end();
    await ended;
    expect(isAliveOnMachine(inside)).toBe(false);
  },
);
