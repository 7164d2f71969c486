import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { drive } from '../../src/core/orchestrator.ts';
import { dureError } from '../../src/errors.ts';
import { RunInFolder, removeTemplate } from '../helpers/run-in-folder.ts';
import { setupWith } from '../helpers/sample-setup.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());
afterAll(removeTemplate);

test('a driver with `untilIdle` returns as soon as the user is needed', async () => {
  const run = await RunInFolder.begin(setupWith({ retry: { attempts: 0, kinds: [] } }));
  onTestFinished(() => run.remove());
  run.failNextStart('no server running.');
  async function* wakes(): AsyncIterable<void> {
    for (let looks = 0; looks < 10; looks += 1) yield;
    throw new Error('it went on looking');
  }
  const state = await drive({ ...(await run.driver()), wakes: wakes(), untilIdle: true });
  expect(state).toMatchObject({ phase: 'waiting_human', pending_crp: 'crp-001' });
});

test.each(['is never claimed', 'is started although the launcher reports an error'])(
  'a launch that %s is withdrawn once it leads to a question, so that a late runner does not run it',
  async how => {
    const run = await RunInFolder.begin(setupWith({ retry: { attempts: 0, kinds: [] } }));
    onTestFinished(() => run.remove());
    const { start } = run.context.launcher;
    if (how !== 'is never claimed')
      Object.assign(run.context.launcher, {
        async start(launch: Parameters<typeof start>[0]) {
          await start(launch);
          throw dureError('E_TMUX', { why: 'it took too long' });
        },
      });
    async function* wakes(): AsyncIterable<void> {
      for (let looks = 0; looks < 10; looks += 1) {
        yield;
        run.clock += 20_000;
      }
    }
    const state = await drive({ ...(await run.driver()), wakes: wakes(), untilIdle: true });
    expect(state).toMatchObject({ phase: 'waiting_human', pending_crp: 'crp-001' });
    expect(run.claim()).toBe(true);
    expect(run.claimedLaunches).toEqual([]);
  },
);
