import { existsSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFolder } from '../../../src/formats/file-system/create-folder.ts';

async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dure-create-folder-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('a folder is created with its missing parents, even by several callers at once', async () => {
  const folder = join(await scratch(), 'a/b/c');
  await Promise.all([1, 2, 3].map(() => createFolder(folder, 0o700)));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('a file at the path of the folder or of one of its parents causes an error', async () => {
  const file = join(await scratch(), 'file');
  writeFileSync(file, '');
  await expect(createFolder(file)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(createFolder(join(file, 'folder'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test.skipIf(!existsSync('/proc/self'))('creating a folder in /proc fails with a disk error', async () => {
  for (const path of ['/proc/dure', '/proc/dure/a/b'])
    await expect(createFolder(path)).rejects.toMatchObject({ code: 'E_DISK' });
});
