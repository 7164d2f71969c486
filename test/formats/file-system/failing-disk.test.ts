/**
 * A disk on which every call fails with an input/output error, from the library that the torture test preloads. The
 * functions run in a separate process. Whatever they do, the files must still be there when the disk works again.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownIdentity } from '../../../src/process/identity.ts';
import { programOf } from '../../helpers/bundle-program.ts';

const script = new URL('../../../scripts/torture/available-faults.mjs', import.meta.url).href;
const { preload } = (await import(script)) as { preload(folder: string, name: string): string | null };

const top = realpathSync(mkdtempSync(join(tmpdir(), 'dure-failing-disk-')));
const library = process.platform === 'linux' ? preload(top, 'failing-disk') : null;
if (!library) console.warn('tests of a failing disk are skipped: there is no C compiler');
afterAll(() => rmSync(top, { recursive: true }));

const ALL_FAIL = 65_536;
const HALF_FAIL = ALL_FAIL / 2;
/** How long (ms) an operation is repeated. */
const REPEATED_MS = 500;
/** The time limit (ms) of an operation that has to end, even on a machine that stalls for seconds. */
const PATIENCE_MS = 120_000;

/** Expressions over `disk`, the folder on the failing disk. */
const OPERATIONS = {
  'create the folder of a file': 'makeFolder(disk)',
  'replace a file': "replace(disk + '/file', 'new')",
  'create a file': "create(disk + '/file', 'new')",
  'create a file in a new folder': "create(disk + '/folder/new/file', 'new')",
  'remove a lock': "locked(disk + '/held.lock', async () => 'held')",
  'acquire the lock of a driver': "acquireDriverLock(runFiles(disk + '/run'), 'run')",
  'look whether a file exists': "exists(disk + '/file')",
  'list a folder': 'namesIn(disk)',
};

const CODE = `
import { makeFolder, replace, create } from './src/formats/read-and-write-files.ts';
import { exists, namesIn } from './src/formats/file-system/path-status.ts';
import { locked } from './src/process/file-lock.ts';
import { acquireDriverLock } from './src/core/run/driver-lock.ts';
import { runFiles } from './src/formats/layout.ts';
const [, , disk, expression, ms, limit] = process.argv;
const operation = {
  ${Object.values(OPERATIONS)
    .map(each => `[${JSON.stringify(each)}]: () => ${each}`)
    .join(',\n  ')}
}[expression];
const attempt = () => operation().then(() => 'done', error => error.cause?.code ?? error.code);
const end = performance.now() + Number(ms);
const results = new Set();
const over = new Promise(done => setTimeout(done, Number(limit)));
do await Promise.race([attempt().then(result => results.add(result)), over]);
while (performance.now() < end);
console.log([...results].join(' '));
process.exit();
`;

let program: string;
beforeAll(async () => {
  program = await programOf(top, CODE);
});

function newDisk(): string {
  const disk = mkdtempSync(join(top, 'disk-'));
  mkdirSync(join(disk, 'folder'));
  mkdirSync(join(disk, 'run'));
  for (const name of ['file', 'folder/file']) writeFileSync(join(disk, name), name);
  const process = ownIdentity();
  writeFileSync(join(disk, 'held.lock'), JSON.stringify(process));
  writeFileSync(join(disk, 'run/driver.json'), JSON.stringify({ process, since: new Date().toISOString() }));
  return disk;
}

const filesOn = (disk: string): string[] =>
  readdirSync(disk, { recursive: true, withFileTypes: true })
    .map(entry => join(entry.parentPath, entry.name).slice(disk.length))
    .sort();

/**
 * Repeats the operation, while so many of 65536 calls fail, and ends it after `limitMs`. Returns its different results.
 */
function repeat(
  disk: string,
  [writing, reading]: readonly number[],
  expression: string,
  limitMs: number,
): string {
  const rates = join(top, 'rates');
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(writing!, 0);
  bytes.writeUInt32LE(reading!, 4);
  writeFileSync(rates, bytes);
  const env = { ...process.env, LD_PRELOAD: library!, TORTURE_RATES: rates, TORTURE_DIR: disk };
  const args = [program, disk, expression, String(REPEATED_MS), String(limitMs)];
  return execFileSync(process.execPath, args, { env, encoding: 'utf8' }).trim();
}

describe.skipIf(!library)('a failing disk', () => {
  test.each([
    ['writing and reading', [HALF_FAIL, HALF_FAIL]],
    ['writing', [HALF_FAIL, 0]],
    ['reading', [0, HALF_FAIL]],
  ])('loses no file when half of the calls fail: %s', (_, rates) => {
    for (const expression of Object.values(OPERATIONS)) {
      const disk = newDisk();
      const before = filesOn(disk);
      repeat(disk, rates, expression, REPEATED_MS);
      expect(filesOn(disk), expression).toEqual(expect.arrayContaining(before));
    }
  });

  test('is reported as an error, not as a missing file', () => {
    for (const expression of Object.values(OPERATIONS))
      expect(repeat(newDisk(), [ALL_FAIL, ALL_FAIL], expression, PATIENCE_MS), expression).toBe('EIO');
  });
});
