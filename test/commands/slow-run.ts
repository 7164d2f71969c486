import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Cassette } from '../../src/formats/cassette.ts';
import { refines } from '../e2e/agent-moves.ts';
import type { TestProject } from '../helpers/test-project.ts';

const SLOW: Cassette = { title: 'slow', parts: { refiner: [refines], builder: [[{ wait: 3_600_000 }]] } };

/** Starts a run whose Builder works for an hour. Returns its id. */
export async function slowRun(project: TestProject): Promise<string> {
  const tape = join(project.parentFolder, 'slow.json');
  await writeFile(tape, JSON.stringify(SLOW));
  const started = await project.dureJson([
    ...['start', 'be slow', '--detach', '--no-browser', '--launcher', 'process'],
    ...['--backend', 'rehearsal', '--cassette', tape],
  ]);
  const id = String(started.json['run_id']);
  await expect
    .poll(async () => (await project.dureJson(['status', id])).json, { interval: 300 })
    .toMatchObject({ step: 'build', since: expect.any(String) });
  return id;
}
