/** A folder of a run that another process keeps replacing with a link, and back, while its files are read. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readText, readTextOrEmpty } from '../../src/formats/read-untrusted-files.ts';

const SWAP = `const fs = require('node:fs');
const [folder, outside] = process.argv.slice(1);
for (;;) try {
  fs.renameSync(folder, folder + '.was');
  fs.symlinkSync(outside, folder);
  fs.unlinkSync(folder);
  fs.renameSync(folder + '.was', folder);
} catch {}`;

test('no file outside the run folder is read, even while a folder is repeatedly replaced with a link', async () => {
  const top = mkdtempSync(join(tmpdir(), 'dure-swapped-'));
  const [folder, outside] = [join(top, 'runs', 'run-20260131-142201', 'builder'), join(top, 'outside')];
  for (const [at, text] of [
    [folder, 'own'],
    [outside, 'secret'],
  ] as const) {
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, 'log.md'), text);
  }
  const swapping = spawn(process.execPath, ['-e', SWAP, folder, outside], { stdio: 'ignore' });
  onTestFinished(async () => {
    swapping.kill('SIGKILL');
    await rm(top, { recursive: true, force: true, maxRetries: 5 });
  });

  const file = join(folder, 'log.md');
  const seen = new Set<string | null>();
  const until = performance.now() + 2000;
  while (performance.now() < until) {
    const texts = await Promise.all(Array.from({ length: 50 }, () => readText(file).catch(() => null)));
    for (const text of [...texts, readTextOrEmpty(file)]) seen.add(text);
  }
  expect(seen).toContain('own');
  expect(seen).not.toContain('secret');
});
