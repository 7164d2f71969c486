/** Requests to the running agent from another terminal. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { driverOf } from '../../src/core/run/run-store.ts';
import { runFiles } from '../../src/formats/layout.ts';
import { isSuspended } from '../../src/process/proc-table.ts';
import { slowRun } from '../commands/slow-run.ts';
import { type TestProject, testProject } from '../helpers/test-project.ts';

let project: TestProject;
beforeEach(async () => {
  project = await testProject();
  expect((await project.dure(['init', '--yes', '--backend', 'rehearsal'])).code).toBe(0);
});
afterEach(() => project.remove());

const typesOf = async (id: string): Promise<string[]> =>
  ((await project.dureJson(['logs', id])).json['events'] as { type: string }[]).map(({ type }) => type);

describe('a request to the running agent', () => {
  it('extends its time limit or restarts it', async () => {
    const id = await slowRun(project);
    expect(await project.dureJson(['extend', id, '--by', '5m'])).toMatchObject({
      code: 0,
      json: { ok: true, run_id: id, phase: 'build' },
    });
    expect((await project.dureJson(['status', id])).json).toMatchObject({ extra_ms: 300_000, launch: 2 });
    expect((await project.dureJson(['retry', id])).code).toBe(0);
    expect((await project.dureJson(['status', id])).json).toMatchObject({ extra_ms: 0, launch: 3 });
    const types = await typesOf(id);
    expect(types).toContain('agent.extended');
    expect(types).toContain('agent.retried');
    expect((await project.dureJson(['stop', id])).json).toMatchObject({ phase: 'stopped' });
    expect(await project.dureJson(['retry', id])).toMatchObject({
      code: 4,
      json: { error: { code: 'E_RUN_OVER' } },
    });
  });

  it('is rejected for an invalid duration, or if no agent is running', async () => {
    const started = await project.dureJson([
      ...['start', 'ask me', '--no-browser', '--launcher', 'process', '--backend', 'rehearsal'],
      ...['--cassette', 'demo'],
    ]);
    expect(started.code).toBe(3);
    const span = await project.dureJson(['extend', '--by', 'soon']);
    expect(span).toMatchObject({ code: 2, json: { error: { code: 'E_SPAN' } } });
    for (const command of ['extend', 'retry'])
      expect(await project.dureJson([command])).toMatchObject({
        code: 4,
        json: { error: { code: 'E_NOT_AT_WORK' } },
      });
  });

  it.runIf(process.platform === 'linux')(
    'if the driver is suspended, status, wait and stop say how to resume it, and stop says that it is waiting',
    async () => {
      const id = await slowRun(project);
      const { pid } = (await driverOf(runFiles(project.files.run(id))))!;
      process.kill(pid, 'SIGSTOP');
      await expect.poll(() => isSuspended(pid)).toBe(true);
      const advice = `kill -CONT ${pid}`;
      expect((await project.dure(['status', id])).stderr).toContain(advice);
      expect((await project.dure(['wait', id, '--timeout', '1'])).stderr).toContain(advice);
      expect((await project.dureJson(['start', 'another'])).json.error).toMatchObject({
        code: 'E_LEADER_SUSPENDED',
        suggestions: [expect.stringContaining(advice)],
      });
      const stopped = project.spawnDure(['stop', id]);
      setTimeout(() => process.kill(pid, 'SIGCONT'), 12_000);
      const { code, stderr } = await stopped;
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(advice) });
      expect(stderr).toContain(`Waiting for the process that drives ${id}`);
    },
  );
});
