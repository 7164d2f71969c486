import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { load } from '../../../src/formats/read-and-write-files.ts';
import { testCasesFile } from '../../../src/formats/test-cases.ts';
import { testOutputFile } from '../../../src/formats/test-config-and-results.ts';
import { killMarked } from '../../../src/process/kill.ts';
import { project } from '../../proof/sealed-project.ts';
import { runnerFolder } from './runner-folder.ts';

async function proving(test_command: string) {
  const at = await runnerFolder();
  const { job } = await project({});
  mkdirSync(at.files.verifier, { recursive: true });
  at.writeLaunch('', { argv: ['prove'], stream: 'proof', role: 'verifier', step: 'execute' });
  const of = await job({}, {}, test_command);
  writeFileSync(at.files.proofJob(1), JSON.stringify(of.job));
  return { ...at, job: of.job };
}

test('the tests run in a launch that is claimed, shown and recorded', async () => {
  const at = await proving(`printf 'TAP version 13\\nok 1 - adds\\n1..1\\n'`);
  const { code, screen, exit } = await at.run();
  expect(code).toBe(0);
  expect(exit).toMatchObject({ outcome: 'ok', kind: null, session: null, usage: null });
  expect(existsSync(at.files.claim(1))).toBe(true);
  expect(screen).toContain('ok 1 - adds');
  expect(await load(testOutputFile, at.files.testOutput)).toMatchObject({
    machine: 'pass',
    tree: at.job.tree,
  });
});

test('a launch counts as successful even if its tests fail', async () => {
  const at = await proving(`printf 'TAP version 13\\nnot ok 1 - adds\\n1..1\\n'; exit 1`);
  expect((await at.run()).exit).toMatchObject({ outcome: 'ok' });
  expect(await load(testOutputFile, at.files.testOutput)).toMatchObject({ machine: 'fail', exit_code: 1 });
  expect(await load(testCasesFile, at.files.testCases)).toEqual({
    tree: at.job.tree,
    tests_tree: at.job.tests_tree,
    side: 'head',
    machine: 'fail',
    ended: true,
    cases: [{ id: 'adds', outcome: 'fail', failure: 'error' }],
  });
});

const eventually = { timeout: 60_000, interval: 20 };

/** Number of `sleep` processes with this argument on this machine, in a sandbox or not. */
const sleeping = (argument: string): number =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `sleep\0${argument}\0`;
      } catch {
        return false;
      }
    }).length;

test('stopping a proof kills all its processes', async () => {
  const long = `7777.${process.pid}`;
  const at = await proving(`sleep ${long}`);
  const stop = new AbortController();
  const running = at.run(stop.signal);
  await vi.waitFor(() => expect(sleeping(long)).toBe(1), eventually);
  stop.abort();
  expect((await running).exit).toMatchObject({ outcome: 'stopped' });
  // A killed process remains visible until the kernel has ended it.
  await vi.waitFor(() => expect(sleeping(long)).toBe(0), eventually);
});

test('killMarked also kills test processes in a separate session', async () => {
  const long = `8888.${process.pid}`;
  const at = await proving(`setsid sleep ${long} & sleep ${long}`);
  const running = at.run();
  await vi.waitFor(() => expect(sleeping(long)).toBe(2), eventually);
  expect(killMarked(at.files.dir, 1)).toBeGreaterThan(1);
  expect((await running).code).toBe(0);
  await vi.waitFor(() => expect(sleeping(long)).toBe(0), eventually);
});

test('a proof launch without its job file fails', async () => {
  const at = await runnerFolder();
  at.writeLaunch('', { argv: ['prove'], stream: 'proof' });
  expect((await at.run()).exit).toMatchObject({ outcome: 'error', kind: 'crash' });
});
