import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { load } from '../../../src/formats/file.ts';
import { testOutputFile } from '../../../src/formats/tests.ts';
import { project } from '../../proof/sealed.ts';
import { stage } from './stage.ts';

async function proving(test_command: string) {
  const at = await stage();
  const { job } = await project({});
  mkdirSync(at.files.verifier, { recursive: true });
  at.ask('', { argv: ['prove'], stream: 'proof', role: 'verifier', step: 'execute' });
  const of = await job({}, {}, test_command);
  writeFileSync(at.files.proofJob(1), JSON.stringify(of.job));
  return { ...at, job: of.job };
}

test('tests are a launch like any other: claimed, shown, recorded', async () => {
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

test('tests that fail were run well', async () => {
  const at = await proving(`printf 'TAP version 13\\nnot ok 1 - adds\\n1..1\\n'; exit 1`);
  expect((await at.run()).exit).toMatchObject({ outcome: 'ok' });
  expect(await load(testOutputFile, at.files.testOutput)).toMatchObject({ machine: 'fail', exit_code: 1 });
});

test('tests that are told to stop are stopped, and leave nothing running', async () => {
  const began = join(tmpdir(), `dure-began-${process.pid}`);
  onTestFinished(() => rmSync(began, { force: true }));
  const at = await proving(`touch ${began}; sleep 7777`);
  const stop = new AbortController();
  const running = at.run(stop.signal);
  await vi.waitFor(() => expect(existsSync(began)).toBe(true), {
    timeout: 60_000,
    interval: 20,
  });
  stop.abort();
  expect((await running).exit).toMatchObject({ outcome: 'stopped' });
});

test('a proof without a job is an error of the launch', async () => {
  const at = await stage();
  at.ask('', { argv: ['prove'], stream: 'proof' });
  expect((await at.run()).exit).toMatchObject({ outcome: 'error', kind: 'crash' });
});
