import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeCheckout } from '../../src/workspace/checkout.ts';
import { mergeSealed } from '../../src/workspace/merge/merge-sealed-result.ts';
import { approved, build, folder, person, repositoryWith, runDirOf, write } from './temporary-projects.ts';

/** A project with a nested submodule. The origins of both submodules are removed, so nothing can be fetched. */
async function withSubmodules() {
  const inner = await repositoryWith({ 'deep.txt': 'deep\n' });
  const vendor = await repositoryWith({ 'lib.js': 'export default 1;\n' });
  const root = await repositoryWith({ 'a.txt': 'a\n' });
  const file = ['-c', 'protocol.file.allow=always'];
  person(vendor, ...file, 'submodule', '--quiet', 'add', inner, 'inner');
  person(vendor, 'commit', '-qm', 'inner');
  person(root, ...file, 'submodule', '--quiet', 'add', vendor, 'vendor');
  person(root, ...file, 'submodule', '--quiet', 'update', '--init', '--recursive');
  person(root, 'commit', '-qm', 'vendor');
  await rm(inner, { recursive: true });
  await rm(vendor, { recursive: true });
  return { root, base: person(root, 'rev-parse', 'HEAD') };
}

test('initialized submodules are in the worktree and in checkouts for tests, without network access', async () => {
  const { root, base } = await withSubmodules();
  const { repo, dir, commit } = await build(root, base, { 'a.txt': 'agent\n' });
  const state = await folder();
  const of = { repo, state, runDir: runDirOf(root), launch: 1, projectRoot: root, copy: [] };
  const top = await makeCheckout({ ...of, commit });
  for (const place of [dir, top]) {
    expect(await readFile(join(place, 'vendor/lib.js'), 'utf8')).toBe('export default 1;\n');
    expect(await readFile(join(place, 'vendor/inner/deep.txt'), 'utf8')).toBe('deep\n');
    expect(person(place, 'status', '--porcelain')).toBe('');
  }
});

test("an agent's changes in a submodule are not in the result", async () => {
  const { root, base } = await withSubmodules();
  const { repo, dir } = await build(root, base, {});
  await write(dir, { 'vendor/lib.js': 'changed\n' });
  const { commit } = await build(root, base, { 'a.txt': 'agent\n' });
  expect(person(root, 'diff', '--name-only', base, commit)).toBe('a.txt');
  await mergeSealed(repo, approved(root, { commit, base }), 'merge');
  expect(await readFile(join(root, 'vendor/lib.js'), 'utf8')).toBe('export default 1;\n');
  expect(person(root, 'status', '--porcelain')).toBe('');
});

test('a submodule that is not initialized stays empty', async () => {
  const { root, base } = await withSubmodules();
  person(root, 'submodule', '--quiet', 'deinit', '--force', 'vendor');
  const { dir } = await build(root, base, {});
  await expect(readFile(join(dir, 'vendor/lib.js'))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(person(dir, 'status', '--porcelain')).toBe('');
});

test('the path of a submodule may contain a tab', async () => {
  const path = 'ven\tdor';
  const vendor = await repositoryWith({ 'lib.js': 'export default 1;\n' });
  const root = await repositoryWith({ 'a.txt': 'a\n' });
  person(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', vendor, path);
  person(root, 'commit', '-qm', 'vendor');
  const { dir } = await build(root, person(root, 'rev-parse', 'HEAD'), {});
  expect(await readFile(join(dir, path, 'lib.js'), 'utf8')).toBe('export default 1;\n');
});
