/** Whole runs with each launcher, driven by a separate process. */
import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasTmux, socketOf } from '../../src/agents/launchers/tmux-client.ts';
import { requestApproval } from '../../src/core/run/requests/write-requests.ts';
import { driverOf } from '../../src/core/run/run-store.ts';
import { claimFile } from '../../src/formats/launch.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import { isAlive } from '../../src/process/identity.ts';
import { git } from '../helpers/git-repositories.ts';
import { killDriver } from '../helpers/kill-driver.ts';
import { testProject } from '../helpers/test-project.ts';
import { asks, builds, cassette, refines } from './agent-moves.ts';
import { driverUp, LAUNCHERS, reached } from './driver-processes.ts';
import { scratchProject, type TestRun } from './scratch-project.ts';

const tmux = (socket: string, ...args: string[]): string =>
  execFileSync('tmux', ['-S', socket, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

const greeting = (run: TestRun) => readFile(join(run.files.mrpCode, 'greeting.txt'), 'utf8');

async function approved(run: TestRun): Promise<void> {
  await requestApproval(run.files, await reached(run, 'ready_for_merge'), { how: 'merge' });
  await reached(run, 'completed');
}

const waitsFor = (run: TestRun, crp: string) =>
  expect.poll(async () => (await run.state()).pending_crp, { interval: 50 }).toBe(crp);

async function everyPrompt(run: TestRun): Promise<string> {
  const names = await readdir(run.files.prompts);
  return (await Promise.all(names.map(name => readFile(join(run.files.prompts, name), 'utf8')))).join('\n');
}

for (const { launcher, where, missing } of LAUNCHERS) {
  describe.skipIf(missing)(`with agents ${where}`, () => {
    test('a run goes from its briefing to the merge in a project whose path has spaces, quotes and $(…)', async () => {
      const there = await scratchProject({ name: `it's a "project" $(touch owned); #{x}` });
      const run = await there.start(cassette(), { launcher });
      await driverUp(there, run);
      const ready = await reached(run, 'ready_for_merge');
      expect(git(there.root, 'status', '--porcelain', '--', '.', ':!.dure')).toBe('');
      if (launcher === 'tmux') {
        const marks = ['list-panes', '-a', '-F', '#{@dure_role} #{@dure_launch}'];
        expect(tmux(socketOf(there.root), ...marks).split('\n')).toEqual(
          expect.arrayContaining(['refiner 1', 'builder 2', 'verifier 5', 'gatekeeper 6', 'server ']),
        );
      }
      await approved(run);
      expect(git(there.root, 'rev-parse', 'HEAD^{tree}')).toBe(ready.mrp!.tree);
      for (const folder of [there.root, join(there.root, '..')])
        expect(await readdir(folder)).not.toContain('owned');
    });

    test('a question can be answered with or without a running driver', async () => {
      const there = await scratchProject();
      const asked = cassette({
        refiner: [[asks('crp-001', 'refiner')], refines],
        builder: [[asks('crp-002', 'builder')], builds('hello\n')],
      });
      const run = await there.start(asked, { launcher });
      const pid = await driverUp(there, run);
      await waitsFor(run, 'crp-001');
      await run.answer('B', 'more polite');
      await waitsFor(run, 'crp-002');
      expect(await driverOf(run.files)).toEqual({ pid, suspended: false });

      await killDriver(run.files);
      await run.answer('A', 'as short as can be');
      expect(await driverOf(run.files)).toBeNull();
      expect(await driverUp(there, run)).not.toBe(pid);
      await reached(run, 'ready_for_merge');
      const prompts = await everyPrompt(run);
      expect(prompts).toContain('more polite');
      expect(prompts).toContain('as short as can be');
    });

    test('an agent that exceeds its time limit is stopped and restarted', async () => {
      const timeouts = { refiner: 300_000, builder: 15_000, verifier: 300_000, gatekeeper: 300_000 };
      // Long enough for the second Builder on a busy machine.
      const there = await scratchProject({ config: { global: { timeouts, timeout_action: 'retry' } } });
      const run = await there.start(cassette({ builder: [[{ wait: 600_000 }], builds('hello\n')] }), {
        launcher,
      });
      await driverUp(there, run);
      await reached(run, 'ready_for_merge');
      expect(await run.eventTypes('agent.timeout')).toHaveLength(1);
      const hung = (await load(claimFile, run.files.claim(2)))!;
      expect(isAlive(hung.runner)).toBe(false);
      expect(await greeting(run)).toBe('hello\n');
    });

    test('two simultaneous runs in one project do not affect each other', async () => {
      const there = await scratchProject();
      const runs = await Promise.all([
        there.start(cassette(), { launcher }),
        there.start(cassette({ builder: [builds('hello two\n')] }), { launcher }),
      ]);
      await Promise.all(runs.map(run => driverUp(there, run)));
      for (const run of runs) await reached(run, 'ready_for_merge');
      expect(await Promise.all(runs.map(greeting))).toEqual(['hello\n', 'hello two\n']);
    });
  });
}

test.skipIf(!hasTmux())(
  "without --launcher, agents run in tmux if it is installed, on the project's socket",
  async () => {
    const project = await testProject();
    const socket = socketOf(project.root);
    try {
      await project.dure(['init', '--yes', '--backend', 'rehearsal']);
      const { json } = await project.dureJson(['start', 'Leave a note', '--detach', '--no-browser']);
      expect(tmux(socket, 'list-sessions', '-F', '#{session_name}').trim()).toBe(`dure-${json['run_id']}`);
    } finally {
      await project.remove();
    }
    expect(() => tmux(socket, 'list-sessions'), 'the server outlives its test').toThrow();
  },
);
