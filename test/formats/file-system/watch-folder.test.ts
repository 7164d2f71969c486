import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { folderSignals } from '../../../src/formats/file-system/watch-folder.ts';

const NEVER = new AbortController().signal;
const HOUR_MS = 3_600_000;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dure-watch-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the signals of a folder', () => {
  it('arrive when a file is written, even if nobody was waiting for one at the time', async () => {
    const signals = folderSignals(folder);
    const waits = signals.next(HOUR_MS, NEVER);
    await writeFile(join(folder, 'a'), '');
    await waits;
    await writeFile(join(folder, 'b'), '');
    await pause(0);
    await signals.next(HOUR_MS, NEVER);
    signals.close();
  });

  it('arrive after the timeout, even if the folder cannot be watched', async () => {
    const signals = folderSignals(join(folder, 'missing'));
    await signals.next(10, NEVER);
    signals.close();
  });

  it('arrive when the AbortSignal is aborted, and at once if it already is', async () => {
    const signals = folderSignals(folder);
    const stop = new AbortController();
    const waits = signals.next(HOUR_MS, stop.signal);
    stop.abort();
    await waits;
    await signals.next(HOUR_MS, stop.signal);
    signals.close();
  });
});
