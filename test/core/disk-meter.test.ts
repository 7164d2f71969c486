import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { diskMeter } from '../../src/core/run/disk-meter.ts';
import { RunInFolder, removeTemplate } from '../helpers/run-in-folder.ts';
import { setupWith } from '../helpers/sample-setup.ts';

afterAll(removeTemplate);

test('a failed measurement is repeated', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const run = await RunInFolder.begin(setupWith({}));
  vi.useRealTimers();
  onTestFinished(() => run.remove());
  let workTree = join(run.root, 'moved');
  const repo = {
    ...run.context.repo,
    get workTree() {
      return workTree;
    },
  };
  const disk = diskMeter({ ...run.context, repo });
  expect(disk()).toEqual({});
  workTree = run.root;
  await expect.poll(() => disk().disk?.run_bytes).toBeGreaterThan(0);
});
