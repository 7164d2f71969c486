/** Each limit of a run pauses it with a question, whatever is running, and the answer takes effect. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Move } from '../../src/formats/cassette.ts';
import type { RunState } from '../../src/formats/state.ts';
import { killDriver } from '../helpers/kill-driver.ts';
import { builds, cassette } from './agent-moves.ts';
import { driverUp, reached } from './driver-processes.ts';
import { clock } from './fake-clock.ts';
import { type ScratchProject, scratchProject, type TestRun } from './scratch-project.ts';

const limited = (limits: Record<string, number>): Promise<ScratchProject> =>
  scratchProject({ config: { global: { limits } } });

/** Writes part of the result, and works until it is stopped. */
const endless = (...moves: Move[]): Move[] => [
  { write: 'builder/output/part.txt', text: 'half\n' },
  ...moves,
  { sh: 'while :; do echo still here; sleep 0.2; done' },
];
const twice = (first: Move[]) => cassette({ builder: [first, builds('hello\n')] });

async function existing(file: string): Promise<void> {
  while (!existsSync(file)) await pause(20);
}

/** Answers the same question with `decision` until the run does something else. */
async function untilPast(run: TestRun, why: string, decision: string): Promise<RunState> {
  for (let n = 0; n < 20; n += 1) {
    const state = await run.drive();
    if (state.waiting?.why !== why) return state;
    await run.answer(decision);
  }
  throw new Error(`asked ${why} twenty times`);
}

/** The files of the interrupted agent are still there, and the next agent is told so. */
async function expectKept(run: TestRun): Promise<void> {
  expect(existsSync(join(run.files.worktree, 'part.txt'))).toBe(true);
  expect(await run.prompt('builder')).toContain('What you wrote is still there');
}

test('limits.launches leads to a question before the next launch; the answer raises the limit or stops the run', async () => {
  const { start } = await limited({ launches: 2 });
  const run = await start(cassette());
  const asked = await run.drive();
  expect(asked.waiting).toMatchObject({ why: 'limit', limit: { name: 'launches', used: 3 } });
  expect(await run.eventTypes('agent.started')).toEqual(['agent.started refine', 'agent.started build']);
  await run.answer('raise-limit');
  const again = await run.drive();
  expect(again.waiting?.why).toBe('limit');
  expect(await run.eventTypes('agent.started')).toHaveLength(4);
  expect((await untilPast(run, 'limit', 'raise-limit')).phase).toBe('ready_for_merge');

  const other = await start(cassette());
  await other.drive();
  await other.answer('stop');
  expect((await other.drive()).phase).toBe('stopped');
});

test('limits.work_hours stops an agent that never finishes', async () => {
  const pass = clock();
  const { start } = await limited({ work_hours: 400 / 3600 });
  const run = await start(twice(endless()));
  const asked = await run.drive(async event => {
    if (event.type !== 'agent.started' || event.step !== 'build') return;
    await existing(join(run.files.worktree, 'part.txt'));
    pass(401_000);
  });
  expect(asked.waiting).toMatchObject({ why: 'limit', limit: { name: 'work_ms' } });
  expect(asked.worked_ms).toBeGreaterThanOrEqual(400_000);
  expect(asked.open).toEqual([]);
  await run.answer('raise-limit');
  expect((await run.drive()).phase).toBe('ready_for_merge');
  await expectKept(run);
});

test.each(['its driver was killed', 'the machine slept'])(
  'time during which no process drove the run is not working time: %s',
  async how => {
    const weekend = 64 * 3_600_000;
    const { start, ...set } = await limited({ work_hours: 24 });
    // The Builder works until the time has passed.
    const until = join(dirname(set.root), 'monday');
    const wait: Move = { sh: `while [ ! -e '${until}' ]; do sleep 0.2; done` };
    // Renamed, because the times of files do not move with the clock of the test: to Dure, a file looks complete at once.
    const verdict: Move[] = [
      { json: 'gatekeeper/new.json', value: { verdict: 'PASS', reason: 'It is a PASS' } },
      { sh: 'mv gatekeeper/new.json gatekeeper/verdict.json' },
    ];
    const run = await start(cassette({ builder: [[wait, ...builds('hello\n')]], gatekeeper: [verdict] }));
    onTestFinished(() => void vi.useRealTimers());
    const sleep = () => {
      vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: Date.now() + weekend });
      writeFileSync(until, '');
    };
    if (how === 'its driver was killed') {
      await driverUp({ ...set, start }, run);
      await reached(run, 'build');
      await killDriver(run.files);
      sleep();
    }
    const state = await run.drive(event => {
      if (how === 'the machine slept' && event.type === 'agent.started' && event.step === 'build') sleep();
    });
    const story = await run.eventTypes();
    expect(state.phase, JSON.stringify(await run.events())).toBe('ready_for_merge');
    expect(story).not.toContain('crp.created');
    expect(story).toEqual(expect.arrayContaining(['run.interrupted', 'run.resumed']));
    expect(state.worked_ms).toBeLessThan(weekend / 2);
  },
);

test('limits.silence_minutes stops an agent that prints nothing; one that prints continues', async () => {
  const { start } = await limited({ silence_minutes: 12 / 60 });
  // Prints for longer than the raised limit. The output of an `sh` move would be printed only at its end.
  const talks = Array.from({ length: 13 }, (): Move[] => [{ print: 'working\n' }, { wait: 2000 }]).flat();
  const quiet: Move[] = [{ write: 'builder/output/part.txt', text: 'half\n' }, { sh: 'exec sleep 600' }];
  const run = await start(cassette({ builder: [quiet, [...talks, ...builds('hello\n')]] }));
  const asked = await run.drive();
  expect(asked.waiting).toMatchObject({ why: 'silence', limit: { name: 'silence_ms', used: 12_000 } });
  expect((await run.events()).findLast(e => e.type === 'agent.exited')).toMatchObject({ outcome: 'silent' });
  await run.answer('raise-limit');
  const end = await run.drive();
  expect(end).toMatchObject({ phase: 'ready_for_merge', limits: { silence_ms: 24_000 } });
  await expectKept(run);
});

test('limits.run_gb stops an agent that uses too much disk space; the run continues once the space is freed', async () => {
  const { start } = await limited({ run_gb: 0.03 });
  const fills = endless({ sh: 'head -c 60000000 /dev/urandom > builder/output/big.bin' });
  const run = await start(twice(fills));
  const asked = await run.drive();
  expect(asked.waiting).toMatchObject({ why: 'disk', limit: { name: 'run_bytes' } });
  expect(asked.waiting!.limit!.used).toBeGreaterThan(30_000_000);
  await rm(join(run.files.worktree, 'big.bin'));
  await run.answer('check');
  expect((await run.drive()).phase).toBe('ready_for_merge');
  await expectKept(run);
});

test("limits.project_gb limits the disk space of all the project's runs together", async () => {
  const { start, project } = await limited({ project_gb: 0.03 });
  const run = await start(twice(endless()));
  const asked = await run.drive(event => {
    if (event.type !== 'agent.started' || event.step !== 'build') return;
    const earlier = project.run('run-20200101-000000');
    mkdirSync(earlier, { recursive: true });
    writeFileSync(join(earlier, 'big.bin'), Buffer.alloc(60_000_000, 'x'));
  });
  expect(asked.waiting).toMatchObject({ why: 'disk', limit: { name: 'project_bytes' } });
  await run.answer('raise-limit');
  expect((await run.drive()).phase).toBe('ready_for_merge');
  await expectKept(run);
});
