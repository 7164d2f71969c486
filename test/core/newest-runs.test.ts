/** The order of run ids: by second, then by number; and their abbreviations. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findNamedRun, findRun, newestIds, runIds } from '../../src/core/run/run-store.ts';
import { projectFiles, runIdOf } from '../../src/formats/layout.ts';

const NEWEST_FIRST = [
  'run-20260201-000000',
  'run-20260131-142201-100',
  'run-20260131-142201-12',
  'run-20260131-142201-10',
  'run-20260131-142201-9',
  'run-20260131-142201-2',
  'run-20260131-142201',
  'run-20260131-142200-3',
  'run-20260131-142200',
  'run-20251231-235959',
];

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'dure-ids-'));
  const shuffled = [...NEWEST_FIRST].sort((a, b) => (a.slice(-1) < b.slice(-1) ? -1 : 1));
  for (const name of [...shuffled, 'index.json', 'run-x', 'run-20260131-142201-1000'])
    await mkdir(projectFiles(root).run(name), { recursive: true });
});
afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 20 }));

it('runIds lists all runs, newest first, and nothing else', async () => {
  expect(await runIds(projectFiles(root))).toEqual(NEWEST_FIRST);
});

it.each([1, 2, 5, 9, 10, 11])('newestIds returns the newest %i runs, newest first', limit => {
  expect(newestIds(projectFiles(root), limit)).toEqual(NEWEST_FIRST.slice(0, limit));
});

it('findRun returns the newest run by default', async () => {
  expect((await findRun(projectFiles(root))).dir).toBe(projectFiles(root).run(NEWEST_FIRST[0]!));
  await expect(findRun(projectFiles(join(root, 'elsewhere')))).rejects.toMatchObject({ code: 'E_NO_RUNS' });
});

const named = async (name: string) => runIdOf(await findNamedRun(projectFiles(root), name));

it.each([
  ['run-20260131-142201', 'run-20260131-142201'],
  ['20260131-142201', 'run-20260131-142201'],
  ['run-202602', 'run-20260201-000000'],
  ['2025', 'run-20251231-235959'],
  ['2359', 'run-20251231-235959'],
  ['142201-9', 'run-20260131-142201-9'],
  ['20260131-142200-', 'run-20260131-142200-3'],
])(
  'a person can name a run by its id, or by a unique beginning of its id, date or time: %s',
  async (name, id) => {
    expect(await named(name)).toBe(id);
  },
);

it.each([
  ['142200', { code: 'E_RUN_AMBIGUOUS', context: { runs: 'run-20260131-142200-3, run-20260131-142200' } }],
  [
    '1422',
    { code: 'E_RUN_AMBIGUOUS', context: { runs: expect.stringMatching(/^run-20260131-142201-100, /) } },
  ],
  ['9999', { code: 'E_RUN_NOT_FOUND' }],
  // Its files are gone; `run-20260131-142201-100` is another run.
  ['run-20260131-142201-1', { code: 'E_RUN_NOT_FOUND' }],
  ['202', { code: 'E_RUN_ID' }],
  ['run-', { code: 'E_RUN_ID' }],
  ['../2026', { code: 'E_RUN_ID' }],
])('%s names no run', async (name, error) => {
  await expect(named(name)).rejects.toMatchObject(error);
});

it('programs name a run only by its complete id', async () => {
  await expect(findRun(projectFiles(root), '2359')).rejects.toMatchObject({ code: 'E_RUN_ID' });
});
