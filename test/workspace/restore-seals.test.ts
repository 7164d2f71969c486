/** Seals that were deleted from the repository, or forged there. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openRepository } from '../../src/workspace/repository.ts';
import { restoreSeals } from '../../src/workspace/restore-seals.ts';
import { sealFolder } from '../../src/workspace/seal.ts';
import { writeBundle } from '../../src/workspace/write-bundle.ts';
import { newRepository, git as run } from '../helpers/git-repositories.ts';

async function sealed() {
  const top = mkdtempSync(join(tmpdir(), 'dure-bundle-'));
  onTestFinished(() => rmSync(top, { recursive: true }));
  const root = join(top, 'project');
  const folder = join(top, 'sealed');
  for (const dir of [folder, join(top, 'files')]) mkdirSync(dir);
  const base = await newRepository(root, {});
  const git = (...args: string[]) => run(root, ...args);
  const repo = await openRepository(root, join(root, '.dure/shadow.git'));
  const ref = 'refs/dure/run-1/build.1';
  writeFileSync(join(top, 'files', 'a.txt'), 'hello\n');
  const seal = await sealFolder(repo, join(top, 'files'), {
    ref,
    message: 'm',
    date: '2026-01-31T00:00:00Z',
  });
  await writeBundle(repo, ref, [base], join(folder, 'build.1.bundle'));
  const blob = git('rev-parse', `${seal.commit}:a.txt`);
  const object = join(root, '.git/objects', blob.slice(0, 2), blob.slice(2));
  const restore = () => restoreSeals(repo, { base, folder, seals: { build: seal } });
  return { git, restore, ref, seal, folder, object };
}

test('an existing seal is left alone', async () => {
  const { restore } = await sealed();
  expect(await restore()).toEqual([]);
});

test('a seal whose objects were deleted is restored from its bundle', async () => {
  const { git, restore, ref, seal } = await sealed();
  git('update-ref', '-d', ref);
  git('gc', '--quiet', '--prune=now');
  expect(() => git('cat-file', '-e', seal.commit)).toThrow();
  expect(await restore()).toEqual(['build']);
  expect(git('cat-file', 'blob', `${seal.commit}:a.txt`)).toBe('hello');
});

test('a seal with forged objects, or without a bundle, is an error', async () => {
  const { git, restore, object, folder, seal } = await sealed();
  chmodSync(object, 0o644);
  writeFileSync(object, deflateSync('blob 5\0evil\n'));
  expect(git('cat-file', 'blob', `${seal.commit}:a.txt`)).toBe('evil');
  await expect(restore()).rejects.toMatchObject({ code: 'E_SEAL_LOST', context: { steps: 'build' } });
  rmSync(object);
  rmSync(folder, { recursive: true });
  await expect(restore()).rejects.toMatchObject({ code: 'E_SEAL_LOST' });
});
