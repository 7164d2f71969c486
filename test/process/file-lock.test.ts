/** Locks whose holders die, while other processes wait for them. */
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { locked } from '../../src/process/file-lock.ts';
import { identityOf } from '../../src/process/identity.ts';
import { programOf } from '../helpers/bundle-program.ts';

const PROCESSES = 12;

/** Acquires the lock, records the time in which it was held, and exits without releasing it. */
const CODE = `
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { locked } from './src/process/file-lock.ts';
import { acquireDriverLock } from './src/core/run/driver-lock.ts';
import { runFiles } from './src/formats/layout.ts';
const [, , dir, kind] = process.argv;
const record = what => appendFileSync(dir + '/' + kind + '.txt', what + ' ' + process.pid + '\\n');
async function holdAndDie() {
  record('enter');
  await pause(5);
  record('leave');
  process.exit();
}
const untilAcquired = () => acquireDriverLock(runFiles(dir), 'run').catch(() => pause(5).then(untilAcquired));
if (kind === 'file') await locked(dir + '/file.lock', holdAndDie);
else await untilAcquired().then(holdAndDie);
`;

const dir = mkdtempSync(join(tmpdir(), 'dure-lock-'));
let program: string;
beforeAll(async () => {
  program = await programOf(dir, CODE);
});
afterAll(() => rmSync(dir, { recursive: true }));

test.each(['file', 'driver'])(
  'only one process at a time holds the lock of a %s, even if each holder dies without releasing it',
  async kind => {
    const started = Array.from({ length: PROCESSES }, () =>
      promisify(execFile)(process.execPath, [program, dir, kind]),
    );
    await Promise.all(started);
    const records = readFileSync(join(dir, `${kind}.txt`), 'utf8')
      .trim()
      .split('\n')
      .map(line => line.split(' '));
    expect(records).toHaveLength(2 * PROCESSES);
    const holders = records.filter(([what]) => what === 'enter').map(([, pid]) => pid);
    expect(records).toEqual(
      holders.flatMap(pid => [
        ['enter', pid],
        ['leave', pid],
      ]),
    );
  },
);

test('a caller that waits a long time for a lock is told who holds it, and can abort the wait with its signal', async () => {
  const file = join(dir, 'held.lock');
  const holder = spawn('sleep', ['600']);
  onTestFinished(() => void holder.kill());
  writeFileSync(file, JSON.stringify(identityOf(holder.pid!)));
  const controller = new AbortController();
  const told: number[] = [];
  const waiting = locked(file, async () => 'acquired', {
    signal: controller.signal,
    onSlow: pid => {
      told.push(pid);
      controller.abort(new Error('stopped'));
    },
  });
  await expect(waiting).rejects.toThrow('stopped');
  expect(told).toEqual([holder.pid]);
  expect(existsSync(file)).toBe(true);
  holder.kill();
  await expect(locked(file, async () => 'acquired')).resolves.toBe('acquired');
});
