/** Decisions that reach the server: it signs those of its user, and records none without a proof. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Socket } from 'socket.io-client';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { proofFault } from '../../src/core/run/requests/decision-proof.ts';
import { vcrFile } from '../../src/formats/crp-and-vcr.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import { ask, listen, makePlace, TREE } from './test-server.ts';

const ID = 'run-20260131-142233';
const answer = { crp_id: 'crp-001', decision: 'A' };
const acked = (socket: Socket, event: string, ...payload: unknown[]) =>
  socket.timeout(60_000).emitWithAck(event, ...payload) as Promise<{ ok: boolean; error?: { code: string } }>;

let state: string;
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'dure-state-'));
  vi.stubEnv('XDG_STATE_HOME', state);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(state, { recursive: true, force: true });
  });
});

async function asked() {
  const place = await makePlace();
  const run = await place.run(ID);
  await run.ask();
  const left = async () => [
    ...(await readdir(run.files.vcrs).catch(() => [])),
    ...(await readdir(run.files.requests).catch(() => [])),
  ];
  /** Removes the key, so that nobody can make a proof. */
  const loseKey = () => rm(join(state, 'dure', 'private.key'));
  return { place, run, left, loseKey, server: await place.serve() };
}

it('an answer through the API is signed by the server, which records that it came through a page', async () => {
  const { run, server } = await asked();
  expect((await ask(server, `/api/runs/${ID}/vcr`, { body: answer })).status).toBe(200);
  const vcr = (await load(vcrFile, run.files.vcr('vcr-001')))!;
  await run.tell();
  expect(vcr.by).toMatchObject({ through: 'page', who: expect.stringMatching(/./) });
  expect(proofFault(run.journal.state!, 'answer', vcr)).toBeNull();
  expect(await readFile(run.files.events, 'utf8')).toContain('vcr.created');
});

describe('decisions without a proof', () => {
  it('the API refuses a decision without a proof, and writes nothing', async () => {
    const { left, loseKey, server, run } = await asked();
    const said = async (path: string, body: object) =>
      (await ask(server, `/api/runs/${ID}/${path}`, { body })).json<{ error: { code: string } }>().error.code;
    const by = { who: 'Ann', through: 'page', nonce: '0'.repeat(32), proof: '0'.repeat(64) };
    expect(await said('vcr', { ...answer, by })).toBe('E_REQUEST');
    const { status } = await ask(server, `/api/runs/${ID}/vcr`, { body: answer, token: 'guessed' });
    expect(status).toBe(401);
    await loseKey();
    expect(await said('vcr', answer)).toBe('E_KEY');
    expect(await said('stop', {})).toBe('E_KEY');
    expect(await left()).toEqual([]);
    expect(run.journal.state).toMatchObject({ pending_crp: 'crp-001', decisions: [] });
  });

  it('the sockets refuse a decision without a proof, and write nothing', async () => {
    const { left, loseKey, server, run } = await asked();
    const { socket } = await listen(server, '/');
    const code = async (event: string, more: object) =>
      (await acked(socket, event, { run_id: ID, ...more })).error?.code;
    const by = { who: 'Ann', through: 'page', nonce: '0'.repeat(32), proof: '0'.repeat(64) };
    expect(await code('vcr.submit', { ...answer, by })).toBe('E_REQUEST');
    await loseKey();
    expect(await code('vcr.submit', answer)).toBe('E_KEY');
    expect(await code('stop.run', { reason: 'enough' })).toBe('E_KEY');
    expect(await left()).toEqual([]);
    expect(run.journal.state).toMatchObject({ pending_crp: 'crp-001', decisions: [] });
  });

  it('the API refuses an approval without a proof, and writes nothing', async () => {
    const { place, loseKey, server } = await asked();
    const other = 'run-20260131-142244';
    const ready = await place.run(other);
    await ready.pack();
    await loseKey();
    const answered = await ask(server, `/api/runs/${other}/approve`, { body: { tree: TREE } });
    expect(answered.json()).toMatchObject({ error: { code: 'E_KEY' } });
    expect(await readdir(ready.files.requests).catch(() => [])).toEqual([]);
    expect(ready.journal.state?.phase).toBe('ready_for_merge');
  });
});
