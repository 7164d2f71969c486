import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { diskUse } from '../../src/workspace/disk-use.ts';

test('a file with several hard links counts once, a sparse file counts only for its blocks, and symlinks are not followed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dure-disk-use-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const at = (name: string) => join(folder, name);
  await mkdir(at('a/b'), { recursive: true });
  await mkdir(at('c'));
  await writeFile(at('a/b/one'), Buffer.alloc(300_000, 'x'));
  await link(at('a/b/one'), at('a/two'));
  await writeFile(at('c/three'), Buffer.alloc(100_000, 'x'));
  execFileSync('truncate', ['-s', '1G', at('c/sparse')]);
  await symlink('/usr', at('c/link'));
  const paths = [at('a'), at('c'), at('absent')];
  const found = await diskUse(paths);
  expect([...found.keys()]).toEqual([at('a'), at('c')]);
  for (const [path, least] of [
    [at('a'), 300_000],
    [at('c'), 100_000],
  ] as const) {
    expect(found.get(path)).toBeGreaterThanOrEqual(least);
    expect(found.get(path)).toBeLessThan(least + 200_000);
  }
});
