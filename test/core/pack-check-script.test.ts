/** `check.sh`, run by a program: its standard output is a socket or a file, not a terminal. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkScript } from '../../src/core/run/pack/rerun-tests-script.ts';
import type { Evidence } from '../../src/formats/evidence.ts';

let top: string;
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'dure-check-'));
});
afterEach(() => rm(top, { recursive: true, force: true, maxRetries: 20 }));

async function checked(test_command: string) {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', top, ...args], { encoding: 'utf8' }).trim();
  git('init', '--quiet');
  await writeFile(join(top, 'a.txt'), 'a\n');
  git('add', 'a.txt');
  const tree = git('write-tree');
  const script = checkScript({
    evidence: { run_id: 'run-20260131-142233', tree, tests_tree: tree, test_command } as Evidence,
    gitDir: join(top, '.git'),
    setup: null,
    tools: '',
    directory: '',
  });
  await writeFile(join(top, 'check.sh'), script);
  const TMPDIR = join(top, 'temporary');
  await mkdir(TMPDIR);
  const ended = spawnSync('sh', [join(top, 'check.sh'), join(top, 'empty')], {
    encoding: 'utf8',
    env: { ...process.env, TMPDIR },
  });
  return { ...ended, left: await readdir(TMPDIR) };
}

it('a command can open its standard output as /dev/stdout', async () => {
  const { status, stdout, stderr } = await checked('echo before; echo report > /dev/stdout; echo after');
  expect(stdout, stderr).toMatch(/before\nreport\nafter\n$/);
  expect(status).toBe(0);
});

it("the script exits with the command's exit code, and leaves no temporary files", async () => {
  expect(await checked('exit 3')).toMatchObject({ status: 3, left: [] });
});
