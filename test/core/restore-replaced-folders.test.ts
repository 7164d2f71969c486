/** Folders of a run that an agent replaces while Dure restores them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { restoreFolders } from '../../src/core/run/effects/restore-replaced-folders.ts';
import { runFiles } from '../../src/formats/layout.ts';
import { sampleState } from '../helpers/sample-values.ts';

const ROUNDS = 200;

/** Replaces the folder with a file, waits until the file is removed, and creates the folder again. */
const REPLACE = `i=0
while [ $i -lt ${ROUNDS} ]; do
  # Dure may create the folder between the two commands.
  until rmdir builder && true > builder; do true; done
  while [ -f builder ]; do true; done
  mkdir -p builder
  i=$((i + 1))
done`;

test('a replaced folder is reported even if the agent creates it again while Dure restores it', async ({
  expect,
  onTestFinished,
}) => {
  const dir = await mkdtemp(join(tmpdir(), 'dure-folders-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const state = sampleState();
  await mkdir(join(dir, 'builder'));
  const agent = spawn('sh', ['-c', REPLACE], { cwd: dir, stdio: 'ignore' });
  const exited = once(agent, 'exit');
  let restored = 0;
  while (agent.exitCode === null) restored += (await restoreFolders(runFiles(dir), state)).length;
  expect(await exited).toEqual([0, null]);
  expect(restored).toBe(ROUNDS);
});
