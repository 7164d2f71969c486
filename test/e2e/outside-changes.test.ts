/** An agent runs with the permissions of the user. Its changes outside the run are reported, but not prevented. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builds, cassette } from './agent-moves.ts';
import { scratchProject } from './scratch-project.ts';

const HEADING = '## Changed outside the run';

test("the pack lists changes that were made to the user's working tree and to Dure's settings while an agent was running", async () => {
  const { start, root } = await scratchProject();
  const strays =
    'echo more >> ../../../README.md; echo x > ../../../stray.txt; echo "{}" > ../../config/zzz.json; echo "{}" > ../../decisions/a.json';
  const run = await start(
    cassette({ builder: [[{ sh: `mkdir -p ../../decisions; ${strays}` }, ...builds('hello\n')]] }),
  );
  // Uncommitted work from before the run is not reported.
  await writeFile(join(root, 'mine.txt'), 'mine\n');
  expect((await run.drive()).phase).toBe('ready_for_merge');
  const summary = await readFile(run.files.summary, 'utf8');
  expect(summary).toContain(HEADING);
  expect(summary).toContain(
    '- build (launch 2): `.dure/config/zzz.json`, `.dure/decisions/a.json`, `README.md`, `stray.txt`\n',
  );
  expect(summary).not.toContain('mine.txt');
});

test("a run without changes to the user's working tree or to Dure's settings reports none", async () => {
  const { start } = await scratchProject();
  const run = await start(cassette());
  expect((await run.drive()).phase).toBe('ready_for_merge');
  expect(await readFile(run.files.summary, 'utf8')).not.toContain(HEADING);
});
