/** Seals that were deleted from the repository, or forged there. */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openRepository } from '../../src/workspace/git/open-repository.ts';
import { writeBundle } from '../../src/workspace/pack/write-git-bundle.ts';
import { restoreSeals } from '../../src/workspace/seal/restore-damaged-seals.ts';
import { sealFolder } from '../../src/workspace/seal/seal.ts';
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
  return { root, git, restore, ref, seal, folder, object };
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

test('a seal with forged objects causes an error, as does one whose objects and bundle were deleted', async () => {
  const { git, restore, object, folder, seal } = await sealed();
  chmodSync(object, 0o644);
  writeFileSync(object, deflateSync('blob 5\0evil\n'));
  expect(git('cat-file', 'blob', `${seal.commit}:a.txt`)).toBe('evil');
  await expect(restore()).rejects.toMatchObject({ code: 'E_SEAL_LOST', context: { steps: 'build' } });
  rmSync(object);
  rmSync(folder, { recursive: true });
  await expect(restore()).rejects.toMatchObject({ code: 'E_SEAL_LOST' });
});

test('a git warning does not count as damage', async () => {
  const { git, restore } = await sealed();
  git('config', 'core.fsyncMethod', 'future');
  expect(await restore()).toEqual([]);
});

test('if git itself fails, the seals do not count as lost', async () => {
  const { restore, root } = await sealed();
  appendFileSync(join(root, '.git/config'), '[broken\n');
  await expect(restore()).rejects.toMatchObject({
    code: 'E_GIT',
    message: expect.stringContaining('bad config line'),
  });
  renameSync(join(root, '.git'), join(root, 'moved'));
  await expect(restore()).rejects.toMatchObject({
    code: 'E_GIT',
    message: expect.stringContaining('not a git repository'),
  });
});

test.each(['emptied', 'truncated', 'overwritten with other text'])(
  'a loose object that was %s counts as damaged',
  async how => {
    const { restore, object, folder } = await sealed();
    rmSync(folder, { recursive: true });
    chmodSync(object, 0o644);
    const content = readFileSync(object);
    writeFileSync(object, how === 'emptied' ? '' : how === 'truncated' ? content.subarray(0, 9) : 'noise');
    await expect(restore()).rejects.toMatchObject({ code: 'E_SEAL_LOST' });
  },
);
