/** Errors of file operations that reach the top of a command are `E_DISK`, whichever operation failed. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, open, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandFailure, explain } from '../../../src/terminal/error-output.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'dure-unwritable-'));
  chmodSync(dir, 0o755);
  writeFileSync(join(dir, 'kept'), 'x', { mode: 0o444 });
  mkdirSync(join(dir, 'closed'), { mode: 0o555 });
  chmodSync(dir, 0o555);
});
afterEach(() => {
  chmodSync(dir, 0o755);
  rmSync(dir, { recursive: true, force: true });
});

/** Root may write everywhere, so the process temporarily becomes another user. */
async function failureOf(work: () => Promise<unknown>): Promise<Error> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    await work();
  } catch (error) {
    return error as Error;
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
  throw new Error('it did not fail');
}

test.each([
  ['mkdir', () => mkdir(join(dir, 'new')), 'new'],
  ['mkdir with its parents', () => mkdir(join(dir, 'closed/new/below'), { recursive: true }), 'closed/new'],
  ['a new file', () => writeFile(join(dir, 'new'), 'x'), 'new'],
  ['an existing file', () => open(join(dir, 'kept'), 'a'), 'kept'],
  ['rename', () => rename(join(dir, 'kept'), join(dir, 'closed/kept')), 'closed/kept'],
])(
  '%s in a folder without write permission fails with E_DISK, the path and a suggestion',
  async (_, work, path) => {
    const error = await failureOf(work);
    const failure = commandFailure(error);
    expect(failure).toMatchObject({
      code: 'E_DISK',
      exit: 1,
      message: `${join(dir, path)} could not be written: no write permission.`,
      suggestions: [expect.stringContaining('permissions')],
    });
    expect(explain(failure, error)).not.toMatch(/^\s*at \S/m);
  },
);

test('a file that cannot be opened for reading is still reported as unreadable', async () => {
  const error = await failureOf(() => open(join(dir, 'kept/below')));
  expect(commandFailure(error)).toMatchObject({ code: 'E_FILE_UNREADABLE' });
});

test('EPERM on a file is reported as E_DISK; EPERM on a process and ENOENT are not', () => {
  const fails = (code: string, syscall: string, path?: string) =>
    commandFailure(Object.assign(new Error(code), { code, syscall, path })).code;
  expect(fails('EPERM', 'chmod', '/p/a')).toBe('E_DISK');
  expect(fails('EPERM', 'kill')).toBe('E_BUG');
  expect(fails('EACCES', 'spawn x', 'x')).toBe('E_BUG');
  expect(fails('ENOENT', 'rename', '/p/a')).toBe('E_BUG');
});
