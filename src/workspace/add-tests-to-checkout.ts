/**
 * Writes the Verifier's tests into a checkout, where the project's runners, resolvers and configuration find them like
 * the project's own tests. No file of the tested tree is overwritten.
 */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { dureError } from '../errors.ts';
import { foldersOf } from '../formats/file-system/path-containment.ts';
import { statsOf } from '../formats/file-system/path-status.ts';
import type { SealedTest } from './read-and-commit-sealed-tests.ts';

/**
 * Writes the tests to their paths, and also to those of Dure's earlier layout if the tests or the command refer to it.
 * Returns their paths. Throws `E_TESTS_IN_THE_WAY` if a file already exists.
 */
export async function addTests(
  tests: readonly SealedTest[],
  command: string,
  place: { readonly top: string; readonly cwd: string },
): Promise<string[]> {
  await writeTests(tests, place.top);
  await supportEarlierLayout(tests, command, place);
  return tests.map(({ path }) => path);
}

async function writeTests(tests: readonly SealedTest[], folder: string): Promise<void> {
  for (const { path, kind, bytes } of tests) {
    await refuseExisting(folder, path);
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    if (kind === 'link') await symlink(bytes, file);
    else await writeFile(file, bytes, { flag: 'wx', mode: kind === 'executable' ? 0o777 : 0o666 });
  }
}

/** Refuses to overwrite anything that exists, and to write through a link. */
async function refuseExisting(folder: string, path: string): Promise<void> {
  for (const part of [...foldersOf(path), path]) {
    const found = await statsOf(join(folder, part));
    if (found !== null && (part === path || !found.isDirectory()))
      throw dureError('E_TESTS_IN_THE_WAY', { path, existing: part });
  }
}

/**
 * Supports tests and commands written for the earlier layout, which refer to `builder/output` and
 * `verifier/tests` relative to the working directory: links the checkout and copies the tests there, unless
 * the project uses these names itself.
 */
async function supportEarlierLayout(
  tests: readonly SealedTest[],
  command: string,
  { top, cwd }: { readonly top: string; readonly cwd: string },
): Promise<void> {
  const isNamedIn = (text: string | Buffer) =>
    ['builder/output', 'verifier/tests'].some(name => text.includes(name));
  if (!isNamedIn(command) && !tests.some(({ bytes }) => isNamedIn(bytes))) return;
  const output = join(cwd, 'builder', 'output');
  if ((await statsOf(join(cwd, 'builder'))) === null) {
    await mkdir(dirname(output));
    await symlink(relative(dirname(output), top) || '.', output);
  }
  const folder = join(cwd, 'verifier', 'tests');
  if ((await statsOf(join(cwd, 'verifier'))) !== null) return;
  await mkdir(folder, { recursive: true });
  await writeTests(tests, folder);
}
