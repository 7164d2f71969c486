import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { summaryFromLog } from '../../src/agents/streams/summary-from-raw-log.ts';
import { readState } from '../../src/core/run/run-store.ts';
import { isCostComplete, spentUsd } from '../../src/core/usage-tracker.ts';
import { crpFile } from '../../src/formats/crp-and-vcr.ts';
import type { EventOf } from '../../src/formats/events/events.ts';
import { type Evidence, evidenceFile } from '../../src/formats/evidence.ts';
import type { RunFiles } from '../../src/formats/layout.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import { isAlive, signalProcess } from '../../src/process/identity.ts';
import { killMarked } from '../../src/process/kill.ts';
import {
  type AgentScript,
  bash,
  consultHuman,
  type Part,
  scriptedAgents,
  successfulBuilder,
  successfulRefiner,
} from './agent-scripts.ts';
import { claimsOf, createProject, eventsOf } from './claude-project.ts';
import { type MessagesApi, messagesApi, priceOf } from './fake-messages-api.ts';

const opened: MessagesApi[] = [];
async function apiFor(parts: Partial<Record<Part, AgentScript>> = {}): Promise<MessagesApi> {
  const api = await messagesApi(scriptedAgents(parts));
  opened.push(api);
  return api;
}
afterEach(async () => {
  for (const api of opened.splice(0)) await api.close();
});

async function eventually<T>(what: string, look: () => Promise<T | null | undefined | false>): Promise<T> {
  for (const until = Date.now() + 60_000; Date.now() < until; await pause(30)) {
    const found = await look();
    if (found) return found;
  }
  throw new Error(`not within a minute: ${what}`);
}

/** The pack states exactly what the API charged. */
async function expectExactCost(
  files: RunFiles,
  api: MessagesApi,
  is: { complete: boolean } = { complete: true },
): Promise<Evidence> {
  const evidence = (await load(evidenceFile, files.evidence))!;
  expect(evidence.cost_complete).toBe(is.complete);
  expect(evidence.cost_usd).toBeCloseTo(priceOf(api.charged), 8);
  expect(evidence.cost_usd).toBeGreaterThan(0.1);
  return evidence;
}

/** A runner exits soon after it has recorded how its agent ended. */
const expectNoRunner = (files: RunFiles): Promise<void> =>
  expect.poll(async () => (await claimsOf(files)).filter(claim => isAlive(claim.runner))).toEqual([]);

const launched = async (files: RunFiles): Promise<string[]> =>
  (await eventsOf(files)).filter(e => e.type === 'agent.started').map(e => `${e.launch} ${e.step}`);

const tokens = { output_tokens: 80_000, input_tokens: 7000 };

test('four agents take a briefing to an approved merge, and the pack states their cost', async () => {
  const api = await apiFor();
  const { start, dure, git, root } = await createProject(api);
  const ready = await start();
  expect(ready).toMatchObject({
    code: 0,
    json: { phase: 'ready_for_merge', verdict: { verdict: 'PASS' }, tests: { machine: 'pass' } },
  });
  expect(await launched(ready.files)).toEqual([
    '1 refine',
    '2 build',
    '3 generate',
    '4 execute',
    '5 analyse',
    '6 gate',
  ]);
  const evidence = await expectExactCost(ready.files, api);
  expect(evidence).toMatchObject({
    tests: { total: 1, passed: 1 },
    test_machine: 'pass',
    files_changed: ['greeting.txt'],
  });
  expect(existsSync(join(root, 'greeting.txt'))).toBe(false);

  const approved = await dure('approve');
  expect(approved).toMatchObject({ code: 0, json: { phase: 'completed' } });
  expect(git('rev-parse', 'HEAD^{tree}')).toBe(evidence.tree);
  expect(await readFile(join(root, 'greeting.txt'), 'utf8')).toBe('hello\n');
});

describe('when the API refuses requests', () => {
  test('an invalid key leads to a question, and nothing hangs', async () => {
    const refuse = { status: 401, type: 'authentication_error', message: 'invalid x-api-key' };
    const api = await apiFor({ refiner: () => [{ refuse }] });
    const { start } = await createProject(api);
    const asked = await start();
    expect(asked).toMatchObject({ code: 3, json: { phase: 'waiting_human', pending_crp: 'crp-001' } });
    // Ten attempts take the CLI three minutes; Dure stops it after the first.
    expect(api.asked).toBeLessThan(10);
    const crp = await load(crpFile, asked.files.crp('crp-001'));
    expect(crp!.question + (crp!.context ?? '')).toContain('401');
    await expectNoRunner(asked.files);
  });

  test('a temporary failure is retried by the agent itself', async () => {
    const refuse = { status: 500, type: 'api_error', message: 'oops', times: 2 };
    const api = await apiFor({
      refiner: files => [
        ...successfulRefiner(files, 1).slice(0, 1),
        { ...successfulRefiner(files, 1)[1]!, refuse },
      ],
      builder: () => [{ say: 'I must ask.', use: [consultHuman], tokens }],
    });
    const { start } = await createProject(api);
    const asked = await start();
    expect(asked).toMatchObject({ code: 3, json: { pending_crp: 'crp-001' } });
    expect(await launched(asked.files)).toEqual(['1 refine', '2 build']);
    const accounted = await eventually('all is accounted for', async () => {
      const state = await readState(asked.files);
      return state && isCostComplete(state) && state;
    });
    // Three answers, and two refused requests.
    expect(api.asked).toBe(5);
    expect(spentUsd(accounted)).toBeCloseTo(priceOf(api.charged), 8);
  });

  test('a permanent failure leads to a question, and the answer `retry` continues the run once the API responds', async () => {
    const refuse = { status: 500, type: 'api_error', message: 'oops' };
    let isDown = true;
    const api = await apiFor({
      builder: (files, time) =>
        isDown
          ? [{ say: 'I begin.', use: [bash('echo half > greeting.txt')] }, { refuse }]
          : successfulBuilder(files, time),
    });
    // By default the CLI tries ten times, for three minutes, at each launch.
    const { start, dure, git, root } = await createProject(api, { CLAUDE_CODE_MAX_RETRIES: '1' });
    const asked = await start();
    expect(asked).toMatchObject({ code: 3, json: { phase: 'waiting_human', pending_crp: 'crp-001' } });
    const failed = (await eventsOf(asked.files)).filter(e => e.type === 'agent.failed');
    expect(failed.length).toBeGreaterThan(1);
    for (const { step, kind, message } of failed) {
      expect({ step, kind }).toEqual({ step: 'build', kind: 'crash' });
      expect(message).toContain('500');
    }
    await expectNoRunner(asked.files);
    expect((await readState(asked.files))!.sealed).not.toHaveProperty('build');
    expect(existsSync(asked.files.evidence)).toBe(false);
    expect(existsSync(join(root, 'greeting.txt'))).toBe(false);
    expect(git('status', '--porcelain', '--', '.', ':!.dure')).toBe('');

    isDown = false;
    expect((await dure('answer', '--decision', 'retry')).code).toBe(0);
    expect((await dure('wait', '--for', 'human')).json).toMatchObject({ phase: 'ready_for_merge' });
    await expectExactCost(asked.files, api);
    expect(await readFile(join(asked.files.mrpCode, 'greeting.txt'), 'utf8')).toBe('hello\n');
  });
});

test('an exhausted budget leads to a question and costs at most one more turn', async () => {
  const api = await apiFor({
    builder: files => [
      { say: 'so', use: [bash('true')], tokens: { output_tokens: 400_000 } },
      ...successfulBuilder(files, 1),
    ],
  });
  const { start, dure } = await createProject(api);
  const asked = await start('--budget', '0.15');
  expect(asked).toMatchObject({ code: 3, json: { phase: 'waiting_human' } });
  const created = (await eventsOf(asked.files)).findLast(e => e.type === 'crp.created');
  expect(created).toMatchObject({ why: 'budget' });
  // Two turns of the Refiner, and the one of the Builder that exceeded the budget.
  expect(api.asked).toBe(3);
  expect(asked.json['cost_usd']).toBeCloseTo(priceOf(api.charged), 8);

  await dure('answer', '--decision', 'raise');
  expect((await dure('wait', '--for', 'human')).json).toMatchObject({ pending_crp: 'crp-002' });
  expect(api.asked).toBe(4);
});

describe('a question through consult_human', () => {
  test('needs no process until it is answered; then the same session continues', async () => {
    const api = await apiFor({
      builder: (files, time) => [
        { say: 'I must ask.', use: [consultHuman], tokens },
        ...successfulBuilder(files, time),
      ],
    });
    const { start, dure } = await createProject(api);
    const asked = await start();
    expect(asked).toMatchObject({ code: 3, json: { phase: 'waiting_human', pending_crp: 'crp-001' } });
    await expectNoRunner(asked.files);
    expect(await load(crpFile, asked.files.crp('crp-001'))).toMatchObject({
      question: 'How shall it greet?',
    });

    expect((await dure('answer', '--decision', 'B', '--rationale', 'It is more polite.')).code).toBe(0);
    expect((await dure('wait', '--for', 'human')).json).toMatchObject({ phase: 'ready_for_merge' });
    const sessions = await sessionsOf(asked.files, 'build');
    expect(sessions).toHaveLength(2);
    expect(new Set(sessions).size).toBe(1);
    await expectExactCost(asked.files, api);
  });
});

test('if launches are killed, one of them after a resume, the recorded cost matches the charges but is reported as a lower bound', async () => {
  const api = await apiFor({
    builder: (files, time) =>
      time > 1
        ? successfulBuilder(files, time)
        : [
            { say: 'I must ask.', use: [consultHuman], tokens },
            { say: 'Thanks.', use: [bash(`touch ${join(files.builder, 'resumed')}; sleep 7777`)], tokens },
            { say: 'never' },
          ],
    analyse: (files, time) =>
      time > 1
        ? [...scriptedAgents()(`# Verifier: x\n\nsecond part\nThe folder of this run is \`${files.dir}\`.`)]
        : [{ say: 'so', use: [bash(`touch ${join(files.verifier, 'began')}; sleep 7777`)], tokens }],
  });
  const { start, dure } = await createProject(api);
  const { files } = await start();
  await dure('answer', '--decision', 'A');
  await killWhen(files, join(files.builder, 'resumed'), 3);
  await killWhen(files, join(files.verifier, 'began'), 7);
  expect((await dure('wait', '--for', 'human')).json).toMatchObject({ phase: 'ready_for_merge' });
  const lost = (await eventsOf(files)).filter(e => e.type === 'agent.exited' && e.outcome === 'lost');
  expect(lost).toHaveLength(2);
  // An agent may outlive its runner for a moment and spend more.
  await expectExactCost(files, api, { complete: false });
});

async function sessionsOf(files: RunFiles, step: string): Promise<(string | null)[]> {
  const exits = (await eventsOf(files)).filter(
    (e): e is EventOf<'agent.exited'> => e.type === 'agent.exited',
  );
  return exits.filter(e => e.step === step).map(e => e.session);
}

/** Kills the runner and the agent once the agent has reached the mark and its last turn was counted. */
async function killWhen(files: RunFiles, mark: string, launch: number): Promise<void> {
  await eventually(`${mark} is there`, async () => existsSync(mark));
  const claim = await eventually('the claim', async () =>
    (await claimsOf(files)).find(one => one.launch === launch),
  );
  const log = files.stream(mark.startsWith(files.builder) ? 'builder' : 'verifier', launch);
  await eventually('a reckoning of the last turn', async () => {
    const { usage } = await summaryFromLog(log);
    return usage?.cost_usd && !usage.incomplete;
  });
  signalProcess(claim.runner, 'SIGKILL');
  killMarked(files.dir, launch);
}
