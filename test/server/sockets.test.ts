import { execFile } from 'node:child_process';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Socket } from 'socket.io-client';
import { describe, expect, it } from 'vitest';
import type { BrowserNotification, DashboardData } from '../../src/server/socket-protocol.ts';
import { HEARTBEAT_MS } from '../../src/server/sockets/socket-io-server.ts';
import { ask, begun, listen, makePlace, question, REFINER, TREE, until } from './test-server.ts';

const ID = 'run-20260131-142233';
const run = promisify(execFile);
const acked = <T>(socket: Socket, event: string, ...payload: unknown[]): Promise<T> =>
  socket.timeout(60_000).emitWithAck(event, ...payload) as Promise<T>;

describe('namespace /dashboard', () => {
  it('confirms a subscription and sends the complete DashboardData, as specified', async () => {
    const place = await makePlace();
    const one = await place.run(ID);
    await one.tell(begun);
    await mkdir(one.files.logs, { recursive: true });
    await writeFile(one.files.stream('refiner', 1), 'I am \x1b[31mred\x1b[0m\n');
    const page = await listen(await place.serve(), '/dashboard');
    expect(await acked(page.socket, 'dashboard:subscribe', ID)).toEqual({ ok: true });
    await until(() => page.of('dashboard:update').length > 0);
    expect(page.of('dashboard:subscribed')).toEqual([{ runId: ID }]);
    const [data] = page.of<DashboardData>('dashboard:update');
    expect(data).toEqual({
      runId: ID,
      stage: 'REFINE',
      agents: {
        refiner: { status: 'running', output: 'I am red', startedAt: expect.stringMatching(/Z$/) },
        builder: { status: 'idle', output: '' },
        verifier: { status: 'idle', output: '' },
        gatekeeper: { status: 'idle', output: '' },
      },
      usage: {
        total: {
          inputTokens: 0,
          outputTokens: 0,
          cacheReadTokens: 0,
          cacheCreationTokens: 0,
          costUsd: 0,
          complete: true,
        },
        byAgent: {},
      },
      progress: { phase: 'refine', step: 'refine', iteration: 1, maxIterations: 3, stepsDone: 0, steps: 7 },
    });
  });

  it('sends stage and agent changes, questions, events and full updates as the log grows', async () => {
    const place = await makePlace();
    const one = await place.run(ID);
    const page = await listen(await place.serve(), '/dashboard');
    await acked(page.socket, 'dashboard:subscribe', ID);
    await one.tell(begun);
    await one.ask();
    await until(() => page.of('dashboard:crp').length > 0, 'dashboard:crp');
    expect(page.of('dashboard:crp')).toEqual([
      {
        agent: 'refiner',
        question: question().question,
        options: ['A: 60 requests per minute per IP', 'B: 100 requests per minute per user'],
        crpId: 'crp-001',
      },
    ]);
    expect(page.of('dashboard:agent-status-change')).toEqual([
      { agent: 'refiner', previousStatus: 'idle', newStatus: 'running' },
      { agent: 'refiner', previousStatus: 'running', newStatus: 'idle' },
    ]);
    expect(page.of('dashboard:stage-change')).toEqual([
      { previousStage: 'REFINE', newStage: 'WAITING_HUMAN' },
    ]);
    await until(
      () => page.of<DashboardData>('dashboard:update').at(-1)?.stage === 'WAITING_HUMAN',
      'the update',
    );
    expect(page.of<DashboardData>('dashboard:update').at(-1)).toMatchObject({ crp: { crpId: 'crp-001' } });
    const seqs = page
      .of<{ events: { seq: number }[] }>('run:events')
      .flatMap(({ events }) => events.map(({ seq }) => seq));
    expect(seqs).toEqual([2, 3]);
  });

  it("names the agent that one of Dure's own questions is about", async () => {
    const place = await makePlace();
    const one = await place.run(ID);
    const page = await listen(await place.serve(), '/dashboard');
    await acked(page.socket, 'dashboard:subscribe', ID);
    await one.tell(begun);
    await one.ask({ ...question(), created_by: 'dure' });
    await until(() => page.of('dashboard:crp').length > 0, 'dashboard:crp');
    expect(page.of<{ agent: string }>('dashboard:crp')[0]?.agent).toBe('refiner');
  });

  it('acknowledges dashboard:crp-response with the resulting event, and refuses it if no question is open', async () => {
    const place = await makePlace();
    const one = await place.run(ID);
    await one.tell(begun);
    await one.ask();
    const page = await listen(await place.serve(), '/dashboard');
    const response = { crpId: 'crp-001', decision: '100 requests per minute per user', rationale: 'fair' };
    expect(await acked(page.socket, 'dashboard:crp-response', response)).toMatchObject({
      ok: false,
      error: { code: 'E_NOT_SUBSCRIBED' },
    });
    await acked(page.socket, 'dashboard:subscribe', ID);
    expect(await acked(page.socket, 'dashboard:crp-response', response)).toEqual({
      ok: true,
      id: `${ID}#4`,
      event: { type: 'vcr.created', seq: 4 },
      vcr_id: 'vcr-001',
    });
    await one.tell();
    expect(one.journal.state!.phase).toBe('refine');
    expect(await acked(page.socket, 'dashboard:crp-response', response)).toMatchObject({
      ok: false,
      error: { code: 'E_NOT_WAITING' },
    });
    expect(page.of<{ error: string }>('dashboard:error').at(-1)!.error).toContain('has no open question');
  });

  it('confirms unsubscribing and sends no further events', async () => {
    const place = await makePlace();
    const one = await place.run(ID);
    const other = await place.run('run-20260131-142234');
    const page = await listen(await place.serve(), '/dashboard');
    await acked(page.socket, 'dashboard:subscribe', ID);
    await acked(page.socket, 'dashboard:unsubscribe');
    expect(page.names).toContain('dashboard:unsubscribed');
    await acked(page.socket, 'dashboard:subscribe', other.id);
    await one.tell(begun);
    await other.tell(begun);
    await until(() => page.of('run:events').length > 0);
    expect(page.of<{ runId: string }>('run:events').map(({ runId }) => runId)).toEqual([other.id]);
  });

  it('dashboard:request-update sends the full state again', async () => {
    const place = await makePlace();
    await place.run(ID);
    const page = await listen(await place.serve(), '/dashboard');
    await acked(page.socket, 'dashboard:subscribe', ID);
    const before = page.of('dashboard:update').length;
    expect(await acked(page.socket, 'dashboard:request-update')).toEqual({ ok: true });
    await until(() => page.of('dashboard:update').length > before);
  });

  it('reports an unknown run, a damaged log and invalid messages as dashboard:error and keeps the socket open', async () => {
    const place = await makePlace();
    const one = await place.run(ID);
    const page = await listen(await place.serve(), '/dashboard');
    for (const wrong of ['run-20200101-000000', '../../etc', 7, null, { toString: 1 }])
      expect(await acked(page.socket, 'dashboard:subscribe', wrong)).toMatchObject({ ok: false });
    const odd = page.of<{ error: string }>('dashboard:error');
    expect(odd).toHaveLength(5);
    expect(odd.map(({ error }) => error).join()).not.toContain('Internal');
    await acked(page.socket, 'dashboard:subscribe', ID);
    await appendFile(one.files.events, 'forged\n');
    await until(() => page.of('dashboard:error').length > 5, 'the damage');
    expect(page.of<{ error: string }>('dashboard:error').at(-1)!.error).toMatch(
      /^\.dure\/runs.* was changed or damaged: line 2/,
    );
    expect(page.socket.connected).toBe(true);
  });

  it('pings a page often enough for a lost connection to be noticed within five seconds', async () => {
    const server = await (await makePlace()).serve({ heartbeat: HEARTBEAT_MS });
    const { socket } = await listen(server, '/dashboard');
    const engine = socket.io.engine as unknown as { _pingInterval: number; _pingTimeout: number };
    expect(engine._pingInterval + engine._pingTimeout).toBeLessThanOrEqual(5000);
  });

  it('a lost connection is restored, and subscribing again sends the current state', async () => {
    const place = await makePlace();
    const one = await place.run(ID);
    const page = await listen(await place.serve(), '/dashboard');
    page.socket.on('connect', () => void page.socket.emit('dashboard:subscribe', ID));
    await acked(page.socket, 'dashboard:subscribe', ID);
    page.socket.io.engine.close();
    await one.tell(begun);
    await until(
      () => page.of<DashboardData>('dashboard:update').at(-1)?.agents.refiner.status === 'running',
      'the resync',
    );
    await one.tell({ type: 'agent.completed', ...REFINER, duration_ms: 1 });
    await until(
      () => page.of<DashboardData>('dashboard:update').at(-1)?.stage === 'BUILD',
      'the next update',
    );
  });

  it('sends each notification once, with the page to open, and none for earlier events', async () => {
    const place = await makePlace();
    const old = await place.run('run-20260131-142232');
    await old.pack();
    const one = await place.run(ID);
    const server = await place.serve();
    const page = await listen(server, '/dashboard');
    await acked(page.socket, 'dashboard:subscribe', ID);
    await one.tell(begun);
    await one.ask();
    await ask(server, `/api/runs/${ID}/vcr`, { body: { crp_id: 'crp-001', decision: 'A' } });
    await one.tell({ type: 'run.failed', reason: 'no way' });
    await until(() => page.of('notification').length > 1);
    await acked(page.socket, 'dashboard:request-update');
    expect(
      page
        .of<BrowserNotification>('notification')
        .map(({ id, page: to, severity, event }) => [id, to, severity, event.type]),
    ).toEqual([
      [`${ID}#3`, `/run/${ID}/crp/crp-001`, 'warning', 'crp.created'],
      [`${ID}#5`, `/run/${ID}`, 'error', 'run.failed'],
    ]);
  });

  it('runs:changed tells every page about new and changed runs', async () => {
    const place = await makePlace();
    const page = await listen(await place.serve(), '/dashboard');
    const one = await place.run(ID);
    await until(() => page.of('runs:changed').length > 0, 'the new run');
    await one.tell({ type: 'run.stopped', reason: '' });
    const phases = () =>
      page
        .of<{ runs: { phase: string }[] }>('runs:changed')
        .flatMap(({ runs }) => runs.map(row => row.phase));
    await until(() => phases().includes('stopped'), 'its end');
  });
});

describe('agent output', () => {
  it("run:printed goes only to the run's subscribers", async () => {
    const place = await makePlace();
    const one = await place.run(ID);
    await mkdir(one.files.logs, { recursive: true });
    const server = await place.serve();
    const page = await listen(server, '/dashboard');
    const other = await listen(server, '/dashboard');
    await acked(page.socket, 'dashboard:subscribe', ID);
    await until(async () => {
      await appendFile(one.files.stream('builder', 2), 'more\n');
      return page.of('run:printed').length > 0;
    }, 'run:printed');
    expect(page.of('run:printed')[0]).toEqual({ runId: ID });
    expect(other.of('run:printed')).toEqual([]);
  });
});

describe('the default namespace', () => {
  it('sends the orchestrator events of every run', async () => {
    const place = await makePlace();
    const before = await place.run('run-20260131-142232');
    const server = await place.serve();
    const page = await listen(server, '/');
    // An acknowledgement shows that the server knows which events are older than its first client.
    const { socket } = await listen(server, '/dashboard');
    expect(await acked(socket, 'dashboard:subscribe', before.id)).toEqual({ ok: true });
    const one = await place.run(ID);
    await one.tell(
      begun,
      { type: 'agent.timeout', ...REFINER, action: 'warn', after_ms: 300_001 },
      { type: 'agent.failed', ...REFINER, kind: 'crash', message: 'gone' },
    );
    const two = await place.run('run-20260131-142234');
    await two.tell(begun);
    await two.ask();
    const three = await place.run('run-20260131-142235');
    await three.pack();
    await three.tell({
      type: 'run.completed',
      how: 'merge',
      merged: true,
      into: 'main',
      commit: TREE,
      tree: TREE,
    });
    await two.tell({ type: 'run.failed', reason: 'no way' });
    await until(
      () =>
        page.of('run.failed').length > 0 &&
        page.of('run.completed').length > 0 &&
        page.of('agent.failed').length > 0,
      'the ends',
    );
    expect(page.of('agent.started')).toContainEqual(
      expect.objectContaining({ run_id: ID, seq: 2, agent: 'refiner', launch: 1 }),
    );
    expect(page.of('agent.completed')).toContainEqual(
      expect.objectContaining({ run_id: three.id, agent: 'builder', tree: TREE }),
    );
    expect(page.of('agent.completed')).toContainEqual(
      expect.objectContaining({
        type: 'agent.completed',
        run_id: three.id,
        agent: 'gatekeeper',
        step: 'gate',
        launch: 6,
        duration_ms: expect.any(Number),
      }),
    );
    expect(page.of('agent.failed')).toEqual([
      expect.objectContaining({ run_id: ID, seq: 4, kind: 'crash', message: 'gone' }),
    ]);
    expect(page.of('agent.timeout')).toEqual([expect.objectContaining({ run_id: ID, action: 'warn' })]);
    expect(page.of('crp.created')).toEqual([expect.objectContaining({ run_id: two.id, crp_id: 'crp-001' })]);
    expect(page.of('phase.changed')).toContainEqual(
      expect.objectContaining({ run_id: three.id, previous: 'build', phase: 'verify' }),
    );
    expect(page.of('run.completed')).toEqual([expect.objectContaining({ run_id: three.id, into: 'main' })]);
    expect(page.of('run.failed')).toEqual([expect.objectContaining({ run_id: two.id, reason: 'no way' })]);
  });

  it('extend.timeout, retry.agent, vcr.submit and stop.run are acknowledged with the resulting event', async () => {
    const place = await makePlace();
    const one = await place.run(ID);
    await one.tell(begun);
    const { socket } = await listen(await place.serve(), '/');
    const event = async (name: string, request: object) =>
      (await acked<{ ok: boolean; id: string; event: { type: string } }>(socket, name, {
        run_id: ID,
        ...request,
      })) ?? null;
    expect(await event('extend.timeout', { ms: 1000 })).toMatchObject({
      ok: true,
      id: `${ID}#3`,
      event: { type: 'agent.extended' },
    });
    expect(await event('retry.agent', {})).toMatchObject({
      ok: true,
      id: `${ID}#4`,
      event: { type: 'agent.retried' },
    });
    await one.tell({ ...begun, launch: 2 } as typeof begun);
    await one.ask();
    expect(await event('vcr.submit', { crp_id: 'crp-001', decision: 'A' })).toMatchObject({
      ok: true,
      id: `${ID}#7`,
      vcr_id: 'vcr-001',
    });
    expect(await event('stop.run', { reason: 'enough' })).toMatchObject({
      ok: true,
      id: `${ID}#8`,
      event: { type: 'run.stopped' },
    });
  });

  it('refuses a request that has the wrong shape, is for an unknown run or comes at the wrong time, and says why', async () => {
    const place = await makePlace();
    const one = await place.run(ID);
    await one.ask();
    const page = await listen(await place.serve(), '/');
    const code = async (name: string, request: unknown) =>
      (await acked<{ ok: boolean; error: { code: string } }>(page.socket, name, request)).error.code;
    expect(await code('stop.run', { run_id: '../x' })).toBe('E_REQUEST');
    expect(await code('stop.run', 'everything')).toBe('E_REQUEST');
    expect(await acked(page.socket, 'retry.agent')).toMatchObject({ error: { code: 'E_REQUEST' } });
    expect(await code('extend.timeout', { run_id: ID, ms: -1 })).toBe('E_REQUEST');
    expect(await code('stop.run', { run_id: 'run-20200101-000000' })).toBe('E_RUN_NOT_FOUND');
    expect(await code('retry.agent', { run_id: ID })).toBe('E_NOT_AT_WORK');
    expect(await code('vcr.submit', { run_id: ID, crp_id: 'crp-009', decision: 'A' })).toBe('E_CRP_UNKNOWN');
    page.socket.emit('stop.run', { run_id: ID, colour: 'red' });
    await until(() => page.of('error').length > 0, 'an error without an acknowledgement');
    expect(page.of('error')).toEqual([{ error: 'colour: Unknown key' }]);
  });

  it('refuses in the language that the client prefers', async () => {
    const place = await makePlace();
    const server = await place.serve();
    for (const namespace of ['/', '/dashboard'] as const) {
      const { socket } = await listen(server, namespace, server.token, {
        'accept-language': 'ko-KR,ko;q=0.9',
      });
      const [name, request] =
        namespace === '/'
          ? ['stop.run', { run_id: 'run-20200101-000000' }]
          : ['dashboard:subscribe', 'run-20200101-000000'];
      expect(await acked(socket, name as string, request)).toMatchObject({
        error: { message: 'run-20200101-000000 실행이 없습니다.' },
      });
    }
  });
});

describe('watching run folders', () => {
  it('starts when the first client connects and stops when the last one disconnects', async () => {
    const place = await makePlace();
    const one = await place.run(ID);
    await one.tell(begun);
    const server = await place.serve();
    await ask(server, '/api/runs');
    expect(server.watching).toBe(0);
    const page = await listen(server, '/dashboard');
    await until(() => server.watching === 1, 'watching');
    page.socket.disconnect();
    await until(() => server.watching === 0, 'rest');
    const script = await listen(server, '/');
    await until(() => server.watching === 1, 'a script');
    script.socket.disconnect();
    await until(() => server.watching === 0, 'rest again');
  });
});

describe('a standard socket.io client written from the specification', () => {
  it('subscribes, receives the run and a question, answers it, and sees the run continue', async () => {
    const place = await makePlace();
    const one = await place.run(ID);
    const server = await place.serve();
    const script = fileURLToPath(new URL('socket-io-client.mjs', import.meta.url));
    const client = run(process.execPath, [script, server.url, server.token, ID], { timeout: 240_000 });
    let said = '';
    client.child.stdout!.on('data', chunk => {
      said += chunk;
    });
    await until(() => said.includes('dashboard:update'), 'the client', 60_000);
    await one.tell(begun);
    await one.ask();
    await until(() => one.journal.state!.phase === 'refine', 'the answer', 60_000);
    await one.tell(
      { type: 'agent.started', ...REFINER, launch: 2, iteration: 1 },
      { type: 'agent.completed', ...REFINER, launch: 2, duration_ms: 1 },
    );
    const { stdout } = await client;
    expect(stdout.trim().split('\n')).toEqual([
      'dashboard:subscribed',
      'dashboard:update',
      'dashboard:agent-status-change',
      'dashboard:stage-change',
      'dashboard:crp',
      'answered',
      'BUILD',
    ]);
  });
});
