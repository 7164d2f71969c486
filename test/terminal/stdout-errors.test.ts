/** Standard output that cannot be written for a while, such as a log file on a disk that was full. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { programOf } from '../helpers/bundle-program.ts';

const PROGRAM = `
  import { createInterface } from 'node:readline';
  import { watchOutput } from './src/terminal/stdout-errors.ts';
  watchOutput();
  createInterface(process.stdin).on('line', line => {
    console.log(line);
    console.error('next');
  });
`;
/** The file may not become larger than one block of 512 or 1024 bytes. */
const SHELL = 'ulimit -f 1; exec "$0" "$1" >> "$2"';

test('a write error is reported only once, and output continues when writing works again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dure-output-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const log = join(folder, 'log');
  const program = await programOf(folder, PROGRAM);
  const child = spawn('sh', ['-c', SHELL, process.execPath, program, log], {
    stdio: ['pipe', 'inherit', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const stderr = text(child.stderr);
  let handled = 0;
  child.stderr.on('data', (chunk: Buffer) => {
    handled += String(chunk).split('next\n').length - 1;
  });
  const print = async (line: string) => {
    const before = handled;
    child.stdin.write(`${line}\n`);
    await expect.poll(() => handled, { interval: 10 }).toBeGreaterThan(before);
  };
  await print('first');
  await print('too long '.repeat(300));
  for (const lost of ['second', 'third']) await print(lost);
  expect(await readFile(log, 'utf8')).toMatch(/^first\n(?:too long )+[^\n]*$/);
  await truncate(log);
  await print('fourth');
  await print('fifth');
  expect(await readFile(log, 'utf8')).toBe('fourth\nfifth\n');
  child.stdin.end();
  expect((await stderr).match(/standard output could not be written/g)).toHaveLength(1);
});
