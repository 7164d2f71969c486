import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identityOf, isAlive } from '../../src/agents/identity.ts';
import { runSetup } from '../../src/workspace/setup.ts';
import { folder } from './projects.ts';

test('runs in the worktree with sh, and what it says is in the log', async () => {
  const dir = await folder();
  const log = join(await folder(), 'setup.log');
  expect(await runSetup('pwd > here; echo out; echo err >&2', dir, log, 60_000)).toEqual({
    ok: true,
    code: 0,
    tail: 'out\nerr\n',
  });
  expect(await readFile(join(dir, 'here'), 'utf8')).toBe(`${dir}\n`);
  expect(await readFile(log, 'utf8')).toBe('out\nerr\n');
});

test('says how a command failed, with the end of what it printed', async () => {
  const dir = await folder();
  const result = await runSetup('seq 1 5000; echo the reason; exit 7', dir, join(dir, 'log'), 60_000);
  expect(result).toMatchObject({ ok: false, code: 7 });
  expect(result.tail).toMatch(/\nthe reason\n$/);
  expect(result.tail.length).toBeLessThanOrEqual(4000);
});

test('ends everything it started when time is up', async () => {
  const dir = await folder();
  const command = 'sleep 600 & echo $! > child; echo begun; wait';
  expect(await runSetup(command, dir, join(dir, 'log'), 2000)).toEqual({
    ok: false,
    code: null,
    tail: 'begun\n',
  });
  const pid = Number(await readFile(join(dir, 'child'), 'utf8'));
  const child = identityOf(pid);
  await expect.poll(() => child !== null && isAlive(child), { timeout: 30_000 }).toBe(false);
});

test('leaves nothing running behind a command that ended well', async () => {
  const dir = await folder();
  expect(await runSetup('sleep 600 & echo $! > child', dir, join(dir, 'log'), 60_000)).toMatchObject({
    ok: true,
  });
  expect(existsSync(join(dir, 'child'))).toBe(true);
  const pid = Number(await readFile(join(dir, 'child'), 'utf8'));
  await expect.poll(() => identityOf(pid), { timeout: 30_000 }).toBeNull();
});
