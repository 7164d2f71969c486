/** Whole runs with each launcher, driven by a separate process. */
import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasTmux, socketOf } from '../../src/agents/launchers/tmux-client.ts';
import { driverOf } from '../../src/core/run/run-store.ts';
import { requestApproval } from '../../src/core/run/write-requests.ts';
import { load } from '../../src/formats/file.ts';
import { claimFile } from '../../src/formats/launch.ts';
import { isAlive } from '../../src/process/identity.ts';
import { git } from '../helpers/git-repositories.ts';
import { killDriver } from '../helpers/kill-driver.ts';
import { testProject } from '../helpers/test-project.ts';
import { asks, builds, cassette, refines } from './agent-moves.ts';
import { driverUp, LAUNCHERS, reached } from './driver-processes.ts';
import { type Play, stage } from './scratch-project.ts';

const tmux = (socket: string, ...args: string[]): string =>
  execFileSync('tmux', ['-S', socket, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

const greeting = (play: Play) => readFile(join(play.files.mrpCode, 'greeting.txt'), 'utf8');

async function approved(play: Play): Promise<void> {
  await requestApproval(play.files, await reached(play, 'ready_for_merge'), { how: 'merge' });
  await reached(play, 'completed');
}

const waitsFor = (play: Play, crp: string) =>
  expect.poll(async () => (await play.state()).pending_crp, { interval: 50 }).toBe(crp);

async function everyPrompt(play: Play): Promise<string> {
  const names = await readdir(play.files.prompts);
  return (await Promise.all(names.map(name => readFile(join(play.files.prompts, name), 'utf8')))).join('\n');
}

for (const { launcher, where, missing } of LAUNCHERS) {
  describe.skipIf(missing)(`with agents ${where}`, () => {
    test('a run goes from its briefing to the merge, in a path with spaces, quotes and $(…)', async () => {
      const there = await stage({ name: `it's a "project" $(touch owned); #{x}` });
      const play = await there.start(cassette(), { launcher });
      await driverUp(there, play);
      const ready = await reached(play, 'ready_for_merge');
      expect(git(there.root, 'status', '--porcelain', '--', '.', ':!.dure')).toBe('');
      if (launcher === 'tmux') {
        const marks = ['list-panes', '-a', '-F', '#{@dure_role} #{@dure_launch}'];
        expect(tmux(socketOf(there.root), ...marks).split('\n')).toEqual(
          expect.arrayContaining(['refiner 1', 'builder 2', 'verifier 5', 'gatekeeper 6', 'server ']),
        );
      }
      await approved(play);
      expect(git(there.root, 'rev-parse', 'HEAD^{tree}')).toBe(ready.mrp!.tree);
      for (const folder of [there.root, join(there.root, '..')])
        expect(await readdir(folder)).not.toContain('owned');
    });

    test('a question can be answered with or without a running driver', async () => {
      const there = await stage();
      const asked = cassette({
        refiner: [[asks('crp-001', 'refiner')], refines],
        builder: [[asks('crp-002', 'builder')], builds('hello\n')],
      });
      const play = await there.start(asked, { launcher });
      const pid = await driverUp(there, play);
      await waitsFor(play, 'crp-001');
      await play.answer('B', 'more polite');
      await waitsFor(play, 'crp-002');
      expect(await driverOf(play.files)).toEqual({ pid });

      await killDriver(play.files);
      await play.answer('A', 'as short as can be');
      expect(await driverOf(play.files)).toBeNull();
      expect(await driverUp(there, play)).not.toBe(pid);
      await reached(play, 'ready_for_merge');
      const prompts = await everyPrompt(play);
      expect(prompts).toContain('more polite');
      expect(prompts).toContain('as short as can be');
    });

    test('an agent that exceeds its time limit is stopped and restarted', async () => {
      const timeouts = { refiner: 300_000, builder: 15_000, verifier: 300_000, gatekeeper: 300_000 };
      // Long enough for the second Builder on a busy machine.
      const there = await stage({ config: { global: { timeouts, timeout_action: 'retry' } } });
      const play = await there.start(cassette({ builder: [[{ wait: 600_000 }], builds('hello\n')] }), {
        launcher,
      });
      await driverUp(there, play);
      await reached(play, 'ready_for_merge');
      expect(await play.story('agent.timeout')).toHaveLength(1);
      const hung = (await load(claimFile, play.files.claim(2)))!;
      expect(isAlive(hung.runner)).toBe(false);
      expect(await greeting(play)).toBe('hello\n');
    });

    test('two simultaneous runs in one project do not affect each other', async () => {
      const there = await stage();
      const plays = await Promise.all([
        there.start(cassette(), { launcher }),
        there.start(cassette({ builder: [builds('hello two\n')] }), { launcher }),
      ]);
      await Promise.all(plays.map(play => driverUp(there, play)));
      for (const play of plays) await reached(play, 'ready_for_merge');
      expect(await Promise.all(plays.map(greeting))).toEqual(['hello\n', 'hello two\n']);
    });
  });
}

test.skipIf(!hasTmux())(
  "without --launcher, agents run in tmux if it is installed, with the project's socket",
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
