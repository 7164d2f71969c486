/** Files that a build changed are restored, whatever it did to them. */
import { lstat, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { backUpBuiltFiles } from '../../../src/proof/exam/variants/back-up-built-files.ts';
import {
  renewSnapshot,
  restore,
  takeSnapshot,
} from '../../../src/workspace/fingerprint-and-restore-folder.ts';

test('backUpBuiltFiles restores files, folders and links, including those behind a link that replaced a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dure-kept-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const top = join(folder, 'top');
  await mkdir(join(top, 'dist', 'a'), { recursive: true });
  await mkdir(join(top, 'node_modules', 'package'), { recursive: true });
  await mkdir(join(top, 'node_modules', '.cache'));
  const files = ['dist/a/b.js', 'dist/c.js', 'node_modules/.cache/d', 'e.js'].map(path => join(top, path));
  for (const file of files) await writeFile(file, file);
  await symlink('c.js', join(top, 'dist', 'link.js'));
  const snapshot = takeSnapshot(top);
  const kept = await backUpBuiltFiles(top, join(folder, 'copies'));

  const isRestored = async () => restore(top, await renewSnapshot(snapshot, await kept.restore()));
  await rm(join(top, 'dist', 'link.js'));
  await writeFile(join(top, 'node_modules/.cache/d'), 'changed');
  await writeFile(join(top, 'dist/new.js'), 'new');
  expect(await isRestored()).toBe(true);
  await rename(join(top, 'dist'), join(folder, 'outside'));
  await symlink(join(folder, 'outside'), join(top, 'dist'));
  expect(await isRestored()).toBe(true);
  for (const file of files) expect(await readFile(file, 'utf8')).toBe(file);
  expect((await lstat(join(top, 'dist'))).isDirectory()).toBe(true);
  expect((await lstat(join(top, 'dist', 'link.js'))).isSymbolicLink()).toBe(true);
  await expect(lstat(join(top, 'dist/new.js'))).rejects.toThrow();

  await writeFile(join(top, 'node_modules', 'package', 'x'), 'an installed package is not kept');
  await rm(join(top, 'node_modules', 'package'), { recursive: true });
  expect(await isRestored()).toBe(false);
});
