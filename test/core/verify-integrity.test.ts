/** What `dure verify` reports about runs whose log does not name a key. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { fold } from '../../src/core/policy/evolve.ts';
import { verifyRun } from '../../src/core/run/verify-integrity.ts';
import { FIRST_CHAIN, formatEvent } from '../../src/formats/event-log-lines.ts';
import type { RunEvent } from '../../src/formats/events.ts';
import { runFiles } from '../../src/formats/layout.ts';
import { RunInFolder, removeTemplate } from '../helpers/run-in-folder.ts';
import { setupWith } from '../helpers/sample-setup.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());
afterAll(removeTemplate);

/** A run as an earlier version left it: no key, and neither `asked` nor `worked_ms` in state.json. */
async function earlierRun(id: string) {
  const run = await RunInFolder.begin(setupWith({}));
  onTestFinished(() => run.remove());
  const { files } = run.context;
  const { key: _, ...first } = run.events[0] as Extract<RunEvent, { type: 'run.started' }>;
  const started = { ...first, run_id: id };
  run.clock = 60_000;
  const question = {
    crp_id: 'crp-001',
    seen_as: 'crp-001',
    hash: 'a',
    why: 'failure',
    question: 'What next?',
  };
  const events = [
    started,
    { at: run.now, type: 'crp.created', agent: 'dure', ...question },
    { at: run.now, type: 'run.stopped', reason: 'enough' },
  ] as RunEvent[];
  let chain = FIRST_CHAIN;
  const lines = events.map((event, n) => {
    const { line, chain: next } = formatEvent(event, n + 1, chain);
    chain = next;
    return `${line}\n`;
  });
  writeFileSync(files.events, lines.join(''));
  const { asked, worked_ms, ...state } = fold(events);
  expect({ asked, worked_ms }).toEqual({ asked: { 'crp-001': 'a' }, worked_ms: 60_000 });
  writeFileSync(files.state, JSON.stringify(state, null, 2));
  const { project } = run.context;
  renameSync(files.dir, project.run(id));
  return { project, files: runFiles(project.run(id)) };
}

test('a run of an earlier version is undamaged', async () => {
  const { project, files } = await earlierRun('run-20250131-120000');
  for (const { fault } of (await verifyRun(project, files)).checks) expect(fault).toBeNull();
  writeFileSync(files.state, readFileSync(files.state, 'utf8').replace('enough', 'forged'));
  const state = (await verifyRun(project, files)).checks.find(({ check }) => check === 'state');
  expect(state?.fault).toContain('reason');
});

test('a log without a key counts as damaged if its run started after the key was created', async () => {
  const { project, files } = await earlierRun('run-29990131-120000');
  const { checks } = await verifyRun(project, files);
  const [log] = checks;
  expect(log).toEqual({ check: 'log', fault: expect.stringContaining('it names no key') });
});
