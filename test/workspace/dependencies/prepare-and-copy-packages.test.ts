import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { copyInto } from '../../../src/workspace/dependencies/prepare-and-copy-packages.ts';

test('a copy that runs out of disk space fails with a disk error, and leaves no files behind', async () => {
  const top = await mkdtemp(join(tmpdir(), 'dure-copy-'));
  onTestFinished(() => rm(top, { recursive: true, force: true, maxRetries: 20 }));
  const [bin, from, tree] = ['bin', 'from', 'tree'].map(name => join(top, name)) as [string, string, string];
  for (const folder of [bin, from, tree]) await mkdir(folder);
  const cp = `#!/bin/sh
for to; do :; done
mkdir "$to"
echo "cp: error writing '$to/a': No space left on device" >&2
exit 1
`;
  await writeFile(join(bin, 'cp'), cp, { mode: 0o755 });
  vi.stubEnv('PATH', [bin, process.env['PATH']].join(delimiter));
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(
    copyInto(from, join(tree, 'node_modules'), new AbortController().signal),
  ).rejects.toMatchObject({ code: 'E_DISK' });
  expect(await readdir(tree)).toEqual([]);
});
