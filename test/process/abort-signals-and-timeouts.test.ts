import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runFiles } from '../../src/formats/layout.ts';
import { anySignal, timeLimit } from '../../src/process/abort-signals-and-timeouts.ts';
import { waitForState } from '../../src/terminal/runs/wait-for-state-or-request.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
let collecting: ReturnType<typeof setInterval>;
beforeEach(() => {
  collecting = setInterval(collectGarbage, 20);
});
afterEach(() => clearInterval(collecting));

/** Only its `aborted` is read, as in a loop; it has no listeners. */
async function fires(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await pause(10);
}

describe('despite garbage collection', () => {
  it('a time limit aborts the signal', async () => {
    await fires(timeLimit(300, new AbortController().signal).signal);
  });

  it('a wait for a run ends at the time limit', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'dure-wait-'));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    expect(await waitForState(runFiles(dir), () => true, new AbortController().signal, 500)).toBeNull();
  });

  it('a combined signal is aborted when any of its signals is', async () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const { signal } = anySignal(one.signal, other.signal);
    setTimeout(() => other.abort(new Error('enough')), 300);
    await fires(signal);
    expect(signal.reason).toEqual(new Error('enough'));
    expect(anySignal(other.signal).signal.aborted).toBe(true);
  });
});

describe('a combined signal', () => {
  it('is no longer aborted by its sources after it is released', async () => {
    const one = new AbortController();
    const { signal, release } = timeLimit(10, one.signal);
    release();
    one.abort();
    await pause(50);
    expect(signal.aborted).toBe(false);
  });
});
