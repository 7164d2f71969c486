/** The run index is only a cache: a search returns the same results without an index and with a wrong one. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runFiles } from '../../src/formats/layout.ts';
import { replaceJson } from '../../src/formats/read-and-write-files.ts';
import { historyRows } from '../../src/terminal/history-view.ts';
import { COMPLETED, FAILED, prepareRun } from '../commands/prepared-runs.ts';
import { type TestProject, testProject } from '../helpers/test-project.ts';

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

const failures = async () => (await historyRows(project.files, 100, 'failed')).map(run => run.run_id);
const expected = Array.from({ length: 13 }, (_, i) => idOf(121 - i * 10));

it('a search returns the same results with and without the index', async () => {
  expect(await failures()).toEqual(expected);
  expect(JSON.parse(await readFile(project.files.runIndex, 'utf8'))[idOf(1)][1]).toBe('failed');
  expect(await failures()).toEqual(expected);
  await rm(project.files.runIndex);
  expect(await failures()).toEqual(expected);
});

it("a search prefers the run's own file to the index", async () => {
  const files = runFiles(project.files.run(idOf(0)));
  await replaceJson(files.state, { ...JSON.parse(await readFile(files.state, 'utf8')), phase: 'failed' });
  expect(await failures()).toEqual([...expected, idOf(0)]);
});

it.each(['', '{', '[]', 'null', '{"run-20260131-100002":7}', '{"run-20260131-100002":["x","failed"]}'])(
  'an index that contains %j has no effect',
  async text => {
    const before = await failures();
    await writeFile(project.files.runIndex, text);
    expect(await failures()).toEqual(before);
  },
);

it('a search stops at the limit, newest first', async () => {
  expect((await historyRows(project.files, 2, 'failed')).map(run => run.run_id)).toEqual(
    expected.slice(0, 2),
  );
  expect((await historyRows(project.files, 3, null)).map(run => run.run_id)).toEqual(
    [129, 128, 127].map(idOf),
  );
});
