/** A search by phase skips runs that are listed as over in another phase, and reads all others. */
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runStatus } from '../../src/core/run/run-store.ts';
import { runFiles } from '../../src/formats/layout.ts';
import { replaceJson } from '../../src/formats/read-and-write-files.ts';
import { historyRows } from '../../src/terminal/runs/list-recent-runs.ts';
import { COMPLETED, FAILED, prepareRun, READY } from '../commands/prepared-runs.ts';
import { type TestProject, testProject } from '../helpers/test-project.ts';

vi.mock(import('../../src/core/run/run-store.ts'), { spy: true });

const RUNS = 130;
let project: TestProject;
const idOf = (n: number) => `run-20260131-${String(100_000 + n)}`;

beforeAll(async () => {
  project = await testProject();
  const { state: completed } = await prepareRun(project, idOf(0), COMPLETED);
  const { state: failed } = await prepareRun(project, idOf(1), FAILED);
  for (let n = 2; n < RUNS; n += 1) {
    const state = n % 10 === 1 ? failed : completed;
    await replaceJson(runFiles(project.files.run(idOf(n))).state, { ...state, run_id: idOf(n) });
  }
});
afterAll(() => project.remove());

const inPhase = async (phase: string, limit = 100) =>
  (await historyRows(project.files, limit, phase)).map(run => run.run_id);
const failures = Array.from({ length: 13 }, (_, i) => idOf(121 - i * 10));

it('a search lists the newest runs first and stops at the limit', async () => {
  expect(await inPhase('failed')).toEqual(failures);
  expect(await inPhase('failed', 2)).toEqual(failures.slice(0, 2));
  expect((await historyRows(project.files, 3, null)).map(run => run.run_id)).toEqual(
    [129, 128, 127].map(idOf),
  );
});

it('runs that are listed as having ended in another phase are not read', async () => {
  vi.mocked(runStatus).mockClear();
  await inPhase('failed');
  const read = vi.mocked(runStatus).mock.calls.map(([{ dir }]) => basename(dir));
  expect(new Set(read)).toEqual(new Set(failures));
});

it('the phase of a run that is not over comes from its log', async () => {
  const { files, state } = await prepareRun(project, idOf(500), READY);
  await replaceJson(files.state, { ...state, phase: 'build' });
  expect(await inPhase('ready_for_merge')).toEqual([idOf(500)]);
});

it('a run does not match if only its damaged state.json says that it is over', async () => {
  const { files } = await prepareRun(project, idOf(501), READY);
  await writeFile(files.state, '{\n  "phase": "failed",\n');
  expect(await inPhase('failed')).toEqual(failures);
});
