/** The list entry of a run. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runFiles } from '../../src/formats/layout.ts';
import type { RunState } from '../../src/formats/state.ts';
import { readRunRow } from '../../src/server/runs/read-run-row.ts';
import { RUN_ID, sampleState } from '../helpers/sample-values.ts';

/** Writes the state of a run, and returns its list entry. */
async function rowOf(change: Partial<RunState>) {
  const root = await mkdtemp(join(tmpdir(), 'dure-row-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const files = runFiles(join(root, RUN_ID));
  await mkdir(files.dir);
  await writeFile(files.state, JSON.stringify(sampleState(undefined, change)));
  return readRunRow(RUN_ID, files.dir)!.row;
}

const spend = (cost_usd: number) => ({
  cost_usd,
  complete: true,
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
});

it('the cost in the list entry of a run is the same amount as in the view of the run', async () => {
  const usage = { refiner: spend(0.1), builder: spend(0.2) };
  expect(await rowOf({ phase: 'completed', usage })).toMatchObject({ cost_usd: 0.3, cost_complete: true });
});
