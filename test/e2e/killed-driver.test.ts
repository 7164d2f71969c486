import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { fold } from '../../src/core/policy/evolve.ts';
import { parseLog } from '../../src/formats/events/parse-event-log.ts';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';
import { killDriver } from '../helpers/kill-driver.ts';
import { analyses, asks, builds, cassette, generates, refines, rules } from './agent-moves.ts';
import { driverUp, LAUNCHERS } from './driver-processes.ts';
import { type ScratchProject, scratchProject, type TestRun } from './scratch-project.ts';

const slowly = <T>(moves: T[]): (T | { wait: number })[] => moves.flatMap(move => [{ wait: 60 }, move]);

/** A question, a failing build that is fixed, and a second iteration: every stage at which a driver may be killed. */
const eventful = () =>
  cassette({
    refiner: [slowly([asks('crp-001', 'refiner')]), slowly(refines)],
    builder: [slowly(builds('nothing\n')), slowly(builds('hello\n')), slowly(builds('hello again\n'))],
    'verifier:generate': [slowly(generates)],
    'verifier:analyse': [slowly(analyses)],
    gatekeeper: [slowly(rules('PASS')), slowly(rules('FAIL')), slowly(rules('PASS'))],
  });

/** Kills the driver repeatedly, each time a little later, until the pack exists. */
async function driveThrough(there: ScratchProject, run: TestRun, delays: () => number): Promise<number> {
  for (let kills = 0; kills < 200; kills += 1) {
    await driverUp(there, run);
    const until = Date.now() + delays() + kills * 15;
    while (Date.now() < until && !(await isReady(run))) await pause(20);
    await killDriver(run.files);
    if (await isReady(run)) return kills;
  }
  throw new Error(`not ready after 200 kills: ${await run.eventTypes()}`);
}

const isReady = async (run: TestRun) => (await run.state()).phase === 'ready_for_merge';

const facts = async (run: TestRun) =>
  (await run.events())
    .filter(e => e.type !== 'agent.exited')
    .map(e =>
      [e.type, 'step' in e ? e.step : '', 'launch' in e ? e.launch : '', 'crp_id' in e ? e.crp_id : ''].join(
        ' ',
      ),
    );

async function undisturbed(): Promise<string[]> {
  const { start } = await scratchProject();
  const run = await start(eventful(), { takeRecommendations: true });
  await run.drive();
  return facts(run);
}

/** The number of agents that each launch started, by the name of its log. */
async function agentsStarted(run: TestRun): Promise<Map<string, number>> {
  const started = new Map<string, number>();
  for (const name of (await readdir(run.files.logs)).filter(f => f.endsWith('.jsonl'))) {
    const text = await readFile(join(run.files.logs, name), 'utf8');
    started.set(name, text.split('\n').filter(line => line.includes('"subtype":"init"')).length);
  }
  return started;
}

async function checkAfter(run: TestRun, expected: string[]): Promise<void> {
  expect(await facts(run)).toEqual(expected);
  const log = parseLog(await readFile(run.files.events, 'utf8'));
  expect(log.broken).toBeNull();
  expect(fold(log.events)).toEqual(await run.state());
  for (const [launch, times] of await agentsStarted(run))
    expect({ launch, times }).toEqual({ launch, times: 1 });
}

describe.each(LAUNCHERS)('agents $where', ({ launcher, missing }) => {
  test.skipIf(missing)('are not disturbed by kill -9 of the driver at random moments', async () => {
    const expected = await undisturbed();
    const there = await scratchProject();
    const run = await there.start(eventful(), { takeRecommendations: true, launcher });
    let seed = 7;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return 250 + (seed % 900);
    };
    const kills = await driveThrough(there, run, random);
    expect(kills).toBeGreaterThan(2);
    await checkAfter(run, expected);
  });
});

test('a driver that is told to exit records in the log that the run is interrupted, and the next one adopts its agents', async () => {
  const there = await scratchProject();
  // The Builder works until the first driver has ended.
  const held = { sh: 'until [ -e builder/go ]; do sleep 0.1; done' };
  const run = await there.start(cassette({ builder: [[held, ...builds('hello\n')]] }));
  const one = spawn(process.execPath, [join(packageRoot, 'bin/run.js'), 'serve', run.runId, '--no-browser'], {
    cwd: there.root,
    stdio: 'ignore',
  });
  const gone = new Promise(resolve => one.once('close', resolve));
  while ((await run.state()).agents['builder']?.status !== 'running') await pause(50);
  one.kill('SIGTERM');
  await gone;
  expect((await run.state()).phase).toBe('interrupted');
  await writeFile(join(run.files.builder, 'go'), '');
  const state = await run.drive();
  expect(state.phase).toBe('ready_for_merge');
  expect(await run.eventTypes('run.interrupted', 'run.resumed', 'agent.failed')).toEqual([
    'run.interrupted',
    'run.resumed',
  ]);
  expect((await agentsStarted(run)).get('builder.2.jsonl')).toBe(1);
});

test('locks left behind by a killed git process do not block the next driver', async () => {
  const there = await scratchProject();
  const run = await there.start(cassette({ builder: [builds('hello\n')] }));
  const refs = join(there.root, '.git/refs');
  const locks = [
    join(refs, 'heads/dure', `${run.runId}.lock`),
    join(refs, 'dure', run.runId, 'build.2.lock'),
    join(refs, 'dure/packs', `${run.runId}.lock`),
    `${run.files.sealBundle('build', 2)}.lock`,
  ];
  for (const lock of locks) {
    await mkdir(dirname(lock), { recursive: true });
    await writeFile(lock, '');
  }
  expect((await run.drive()).phase).toBe('ready_for_merge');
});
