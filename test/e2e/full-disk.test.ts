/** A run whose disk fills up, on its own small file system. Mounting it needs root. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { driverOf } from '../../src/core/run/run-store.ts';
import { drivenRuns } from '../../src/daemon/driven-runs.ts';
import { startRun } from '../../src/daemon/start-run.ts';
import type { RunEvent } from '../../src/formats/events/events.ts';
import { diskFault } from '../../src/formats/file-system/temporary-disk-errors.ts';
import { git } from '../helpers/git-repositories.ts';
import { builds, cassette, refines } from './agent-moves.ts';
import { scratchProject } from './scratch-project.ts';

const disk = mkdtempSync(join(tmpdir(), 'dure-disk-'));
const isMounted = (() => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'dure-test', disk], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
const filler = join(disk, 'filler');

/** Leaves no free block. */
function fill(): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(filler, Buffer.alloc(bavail * bsize));
}
const free = () => rmSync(filler, { force: true });

const before = process.env['TMPDIR'];
beforeAll(() => {
  process.env['TMPDIR'] = disk;
});
afterAll(async () => {
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  for (let tries = 0; isMounted && tries < 50; tries += 1)
    try {
      execFileSync('umount', [disk], { stdio: 'ignore' });
      break;
    } catch {
      await pause(200);
    }
  rmSync(disk, { recursive: true, force: true });
});

const slowly = <T>(moves: T[]): (T | { wait: number })[] => moves.flatMap(move => [{ wait: 150 }, move]);

describe.skipIf(!isMounted)(`a full disk${isMounted ? '' : ' (skipped: mounting needs root)'}`, () => {
  test('prevents a run from starting, and none of its files are left behind', async () => {
    const { project, plugins } = await scratchProject();
    // Git's temporary files are on another disk, so that the disk is full only for the files of the run.
    process.env['TMPDIR'] = '/tmp';
    fill();
    const starting = startRun(
      project,
      {
        briefing: 'Write greeting.txt.',
        backend: 'rehearsal',
        launcher: 'process',
        takeRecommendations: false,
        includeChanges: false,
        shell: process.env,
      },
      plugins,
    );
    expect(diskFault(await starting.catch((error: unknown) => error))?.why).toBe('the disk is full');
    free();
    process.env['TMPDIR'] = disk;
    expect(await readdir(project.runs)).toEqual([]);
  });

  test('delays the start of a driver until there is space, and the delay is reported once', async () => {
    const { project, plugins, start } = await scratchProject();
    const testRun = await start(cassette());
    expect((await testRun.drive()).phase).toBe('ready_for_merge');
    fill();
    const told: RunEvent[] = [];
    const driving = drivenRuns(project, async () => plugins, {
      onEvent: event => void told.push(event),
      onError: (_, error) => {
        throw error;
      },
      onPluginProblem: () => {},
    });
    driving.begin(testRun.runId);
    await expect.poll(() => told.length).toBe(1);
    expect(told[0]).toMatchObject({
      type: 'run.delayed',
      why: 'the disk is full',
      file_system: expect.stringContaining(disk),
    });
    expect(await driverOf(testRun.files)).toBeNull();
    free();
    await expect.poll(() => driverOf(testRun.files)).not.toBeNull();
    await driving.interrupt();
    expect(told).toHaveLength(1);
  });

  test.each(['refine', 'build', 'execute'])(
    'delays a run and is reported, and the run continues without help from a person (filled while %s runs)',
    async step => {
      const { start, root } = await scratchProject();
      const testRun = await start(
        cassette({ refiner: [slowly(refines)], builder: [slowly(builds('hello\n'))] }),
      );
      const told: RunEvent[] = [];
      let filled = false;
      const freed: Promise<void>[] = [];
      const state = await testRun.drive(event => {
        told.push(event);
        if (event.type === 'agent.started' && event.step === step && !filled) {
          filled = true;
          fill();
        }
        if (event.type === 'run.delayed') freed.push(pause(2500).then(free));
      });
      // No timer may free the disk during another test.
      await Promise.all(freed);
      const story = await testRun.eventTypes();
      expect(state, story.join(', ')).toMatchObject({ phase: 'ready_for_merge' });
      expect(story).not.toContain('crp.created');
      // The disk is to blame, not the agent.
      expect(story).not.toContain('agent.failed');
      const delayed = told.filter(event => event.type === 'run.delayed');
      expect(delayed.length).toBeGreaterThan(0);
      expect(delayed[0]).toMatchObject({
        why: 'the disk is full',
        file_system: expect.stringContaining(disk),
      });
      expect((await testRun.approve()).phase).toBe('completed');
      expect(git(root, 'show', 'HEAD:greeting.txt')).toBe('hello');
    },
  );
});
