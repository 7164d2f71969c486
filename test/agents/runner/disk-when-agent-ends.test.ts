/** An agent that cannot write its output often ends as if nothing had happened. */
import { expect, test, vi } from 'vitest';
import { expectRoom } from '../../../src/formats/file-system/free-space.ts';
import { asDiskError } from '../../../src/formats/file-system/temporary-disk-errors.ts';
import { runnerFolder } from './runner-folder.ts';

vi.mock(import('../../../src/formats/file-system/free-space.ts'), async original => ({
  ...(await original()),
  expectRoom: vi.fn(async () => {}),
}));

test.each([
  ['ENOSPC', 'console.log("done")', 'when the agent ended: the disk is full'],
  ['EROFS', 'process.exitCode = 3', 'when the agent ended: the disk is read-only'],
])("%s when an agent ends is reported instead of the agent's outcome", async (code, source, message) => {
  const at = await runnerFolder();
  at.writeLaunch(source);
  const error = asDiskError(at.dir, Object.assign(new Error(code), { code }));
  vi.mocked(expectRoom).mockRejectedValueOnce(error);
  expect((await at.run()).exit).toMatchObject({ outcome: 'disk-full', message });
});

test('when an agent ends, the disk is probed, and the outcome stays the same if the disk works', async () => {
  const at = await runnerFolder();
  at.writeLaunch('console.log("done")');
  expect((await at.run()).exit).toMatchObject({ outcome: 'ok' });
  expect(expectRoom).toHaveBeenCalledWith(at.files.launches);
});
