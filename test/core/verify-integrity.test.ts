/** What `dure verify` reports about a run whose log or state was replaced. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { verifyRun } from '../../src/core/run/record/verify-integrity.ts';
import { openJournal } from '../../src/core/run/run-store.ts';
import { chainWithoutKey, logText, withoutKey } from '../helpers/log-text.ts';
import { RunInFolder, removeTemplate } from '../helpers/run-in-folder.ts';
import { setupWith } from '../helpers/sample-setup.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());
afterAll(removeTemplate);

async function stoppedRun() {
  const run = await RunInFolder.begin(setupWith({}));
  onTestFinished(() => run.remove());
  run.clock = 60_000;
  const journal = await openJournal(run.context.files);
  await journal.append({ at: run.now, type: 'run.stopped', reason: 'enough' });
  return run;
}

test('a state.json that does not match the log is reported', async () => {
  const { context } = await stoppedRun();
  const { project, files } = context;
  for (const { fault } of (await verifyRun(project, files)).checks) expect(fault).toBeNull();
  writeFileSync(files.state, readFileSync(files.state, 'utf8').replace('enough', 'forged'));
  const state = (await verifyRun(project, files)).checks.find(({ check }) => check === 'state');
  expect(state?.fault).toContain('reason');
});

test('a log that names no key is reported as damaged', async () => {
  const { context, events } = await stoppedRun();
  const { project, files } = context;
  writeFileSync(files.events, logText(withoutKey(events), chainWithoutKey));
  const [log] = (await verifyRun(project, files)).checks;
  expect(log).toEqual({ check: 'log', fault: expect.stringContaining('names no key') });
});
