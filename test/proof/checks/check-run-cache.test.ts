import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type CheckRunsOf, keepCheckRuns, readCheckRuns } from '../../../src/proof/checks/check-run-cache.ts';

async function base(version = '1.0.0'): Promise<CheckRunsOf> {
  const state = await mkdtemp(join(tmpdir(), 'dure-check-runs-'));
  onTestFinished(() => rm(state, { recursive: true, force: true }));
  const repository = { gitDir: '', commonDir: '', workTree: '', prefix: '', shadow: false };
  return {
    side: 'base',
    tree: 'a'.repeat(40),
    tools: ['/usr/bin'],
    version,
    check: { name: 'test', command: 'npm test', timeout_ms: 1000 },
    workspace: { project: '', repository, state, setup: null, directory: '.', copy: [], network: false },
  };
}
type Status = 'passed' | 'failed';

const ran = (...statuses: Status[]) => ({
  machine: statuses.length > 0 && !statuses.includes('failed') ? ('pass' as const) : ('fail' as const),
  problem: null,
  doubtful: false,
  counts: null,
  log: '',
  duration_ms: 1,
  tests: statuses.map((status, n) => ({ name: `test ${n}`, status })),
});

test('a check that failed twice on base is cached if it names no tests or if the same tests passed both times', async () => {
  for (const run of [ran(), ran('passed', 'failed')]) {
    const of = await base();
    await keepCheckRuns(of, [run, run]);
    expect(await readCheckRuns(of)).toEqual([run, run]);
  }
});

test('a check that failed only once on base is not cached, because it may pass the next time', async () => {
  const [pass, fail] = [ran('passed', 'passed'), ran('passed', 'failed')];
  for (const runs of [[fail], [ran()], [fail, pass], [pass, fail], [fail, ran('failed', 'passed')]]) {
    const of = await base();
    await keepCheckRuns(of, runs);
    expect(await readCheckRuns(of)).toEqual([]);
  }
});

test('a check that failed on the result is cached, because the checks step repeats it', async () => {
  const of = { ...(await base()), side: 'result' as const };
  await keepCheckRuns(of, [ran('passed', 'failed')]);
  expect(await readCheckRuns(of)).toEqual([ran('passed', 'failed')]);
});

test('a check in which no test passed is not cached', async () => {
  const of = await base();
  await keepCheckRuns(of, [ran('failed', 'failed'), ran('failed', 'failed')]);
  expect(await readCheckRuns(of)).toEqual([]);
});

test('results cached by another version of Dure are not used', async () => {
  const of = await base();
  await keepCheckRuns(of, [ran('passed')]);
  expect(await readCheckRuns({ ...of, version: '1.0.1' })).toEqual([]);
});
