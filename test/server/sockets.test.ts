import { execFile } from 'node:child_process';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Socket } from 'socket.io-client';
import { describe, expect, it } from 'vitest';
import type { BrowserNotice, DashboardData, StreamPiece } from '../../src/server/protocol.ts';
import { ask, begun, listen, makePlace, question, REFINER, TREE, until } from './place.ts';

const ID = 'run-20260131-142233';
const run = promisify(execFile);
const acked = <T>(socket: Socket, event: string, ...payload: unknown[]): Promise<T> =>
  socket.timeout(30_000).emitWithAck(event, ...payload) as Promise<T>;

describe('namespace /dashboard', () => {
  it('subscribing is confirmed and gives the whole specified DashboardData', async () => {
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
      progress: { phase: 'refine', step: 'refine', iteration: 1, maxIterations: 3, stepsDone: 0, steps: 6 },
    });
  });

  it('stage and agent changes, a question, events and full updates arrive as the log grows', async () => {
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

  it('dashboard:crp-response is acknowledged with the event it caused, and refused when there is nothing to answer', async () => {
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
    expect(one.journal.state!.phase).toBe('refine');
    expect(await acked(page.socket, 'dashboard:crp-response', response)).toMatchObject({
      ok: false,
      error: { code: 'E_NOT_WAITING' },
    });
    expect(page.of<{ error: string }>('dashboard:error').at(-1)!.error).toContain('asks nothing now');
  });

  it('unsubscribing is confirmed, and what happens then is not heard', async () => {
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

  it('dashboard:request-update gives the whole state again', async () => {
    const place = await makePlace();
    await place.run(ID);
    const page = await listen(await place.serve(), '/dashboard');
    await acked(page.socket, 'dashboard:subscribe', ID);
    const before = page.of('dashboard:update').length;
    expect(await acked(page.socket, 'dashboard:request-update')).toEqual({ ok: true });
    await until(() => page.of('dashboard:update').length > before);
  });

  it('a run that is not there, a damaged log and nonsense are dashboard:error, and the socket lives on', async () => {
    const place = await makePlace();
    const one = await place.run(ID);
    const page = await listen(await place.serve(), '/dashboard');
    for (const wrong of ['run-20200101-000000', '../../etc', 7, null, { toString: 1 }])
      expect(await acked(page.socket, 'dashboard:subscribe', wrong)).toMatchObject({ ok: false });
    expect(page.of('dashboard:error')).toHaveLength(5);
    await acked(page.socket, 'dashboard:subscribe', ID);
    await appendFile(one.files.events, 'forged\n');
    await until(() => page.of('dashboard:error').length > 5, 'the damage');
    expect(page.of<{ error: string }>('dashboard:error').at(-1)!.error).toMatch(
      /^\.dure\/runs.* was changed or damaged: line 2/,
    );
    expect(page.socket.connected).toBe(true);
  });

  it('a connection that was lost is made again, and subscribing shows where the run stands now', async () => {
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

  it('each notice comes once, with the page that answers it; what happened before is no news', async () => {
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
    await until(() => page.of('notice').length > 1);
    await acked(page.socket, 'dashboard:request-update');
    expect(page.of<BrowserNotice>('notice').map(({ id, page: to, severity }) => [id, to, severity])).toEqual([
      [`${ID}#3`, `/run/${ID}/crp/crp-001`, 'warning'],
      [`${ID}#5`, `/run/${ID}`, 'error'],
    ]);
  });

  it('runs:changed tells every page of runs that begin and move', async () => {
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

  it('a file that an agent changes is told by its path in the run folder', async () => {
    const place = await makePlace();
    const one = await place.run(ID);
    const page = await listen(await place.serve(), '/dashboard');
    await acked(page.socket, 'dashboard:subscribe', ID);
    const files = () => page.of<{ files: string[] }>('run:files').flatMap(told => told.files);
    await until(async () => {
      await writeFile(`${one.files.briefing}/log.md`, `# Log ${Date.now()}\n`);
      return files().includes('briefing/log.md');
    }, 'run:files');
  });

  it('so are files of the worktree, in folders that were there and in new ones, but not what git and npm keep', async () => {
    const place = await makePlace();
    const one = await place.run(ID);
    const at = (path: string) => `${one.files.worktree}/${path}`;
    const page = await listen(await place.serve(), '/dashboard');
    await acked(page.socket, 'dashboard:subscribe', ID);
    // The worktree appears after somebody looks; the next event says so.
    for (const folder of ['src', 'node_modules/dep']) await mkdir(at(folder), { recursive: true });
    await one.tell(begun);
    const files = () => page.of<{ files: string[] }>('run:files').flatMap(told => told.files);
    await until(async () => {
      await writeFile(at('node_modules/dep/index.js'), String(Date.now()));
      await writeFile(at('src/main.ts'), String(Date.now()));
      return files().includes('builder/output/src/main.ts');
    }, 'a file in a folder that was there');
    await mkdir(at('src/deep/er'), { recursive: true });
    await writeFile(at('src/deep/er/new.ts'), 'x');
    await until(() => files().includes('builder/output/src/deep/er/new.ts'), 'a file in a new folder');
    expect(files().filter(file => file.includes('node_modules'))).toEqual([]);
  });
});

describe('streams', () => {
  it('come readable, and only as far as the page granted', async () => {
    const place = await makePlace();
    const one = await place.run(ID);
    await mkdir(one.files.logs, { recursive: true });
    const file = one.files.stream('builder', 2);
    const line = `${'x'.repeat(99)}\n`;
    await writeFile(file, line.repeat(9000));
    const page = await listen(await place.serve(), '/dashboard');
    const opened = await acked<{ ok: true; stream: number; launch: number; offset: number }>(
      page.socket,
      'stream:subscribe',
      {
        runId: ID,
        role: 'builder',
        offset: 0,
      },
    );
    expect(opened).toMatchObject({ ok: true, launch: 2, offset: 0 });
    const pieces = () => page.of<StreamPiece>('stream:piece');
    const bytes = () => pieces().reduce((sum, piece) => sum + piece.bytes, 0);
    const FIRST_CREDIT = 256_000;
    await until(() => bytes() > FIRST_CREDIT - 4096, 'the first credit to be used');
    // Whatever time passes, nothing comes without credit: many more frames than it took to use it up.
    await new Promise(resolve => setTimeout(resolve, 1000));
    expect(bytes()).toBeLessThanOrEqual(FIRST_CREDIT + 4096);
    expect(pieces()[0]!.lines[0]).toEqual({ kind: 'text', text: 'x'.repeat(99) });
    page.socket.emit('stream:grant', { stream: opened.stream, bytes: 1_000_000 });
    await until(() => bytes() === 900_000, 'the rest');
    expect(pieces().flatMap(piece => piece.lines)).toHaveLength(9000);
    expect(pieces().every(piece => piece.skipped === 0)).toBe(true);
  });

  it('a page that falls far behind is given the end, and told how much is left out', async () => {
    const place = await makePlace();
    const one = await place.run(ID);
    await mkdir(one.files.logs, { recursive: true });
    const file = one.files.stream('builder', 2);
    const lines = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => `line ${from + i}\n`).join('');
    await writeFile(file, lines(0, 10));
    const page = await listen(await place.serve(), '/dashboard');
    await acked(page.socket, 'stream:subscribe', { runId: ID, role: 'builder' });
    const pieces = () => page.of<StreamPiece>('stream:piece');
    await until(() => pieces().length > 0);
    await appendFile(file, lines(10, 400_000));
    await until(() => pieces().at(-1)!.lines.at(-1)?.text === 'line 399999', 'the end');
    const total = pieces().reduce((sum, piece) => sum + piece.bytes + piece.skipped, 0);
    expect(total).toBe(Buffer.byteLength(lines(0, 400_000)));
    expect(pieces().some(piece => piece.skipped > 1_000_000)).toBe(true);
    expect(
      pieces()
        .flatMap(piece => piece.lines)
        .every(({ text }) => /^line \d+$/.test(text)),
    ).toBe(true);
  });

  it('follow the next launch of the role, and say that it is another', async () => {
    const place = await makePlace();
    const one = await place.run(ID);
    await mkdir(one.files.logs, { recursive: true });
    const page = await listen(await place.serve(), '/dashboard');
    const opened = await acked(page.socket, 'stream:subscribe', { runId: ID, role: 'builder' });
    expect(opened).toMatchObject({ ok: true, launch: null });
    await writeFile(one.files.stream('builder', 2), 'first\n');
    const seen = () =>
      page.of<StreamPiece>('stream:piece').map(({ launch, lines, fresh }) => [launch, lines[0]?.text, fresh]);
    await until(() => seen().length === 1);
    await writeFile(one.files.stream('builder', 5), 'second\n');
    await until(() => seen().length === 2);
    expect(seen()).toEqual([
      [2, 'first', true],
      [5, 'second', true],
    ]);
  });
});

describe('the default namespace', () => {
  it('tells the events of every run in the orchestrator’s own words', async () => {
    const place = await makePlace();
    const page = await listen(await place.serve(), '/');
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
        ...{ type: 'agent.completed', run_id: three.id, agent: 'gatekeeper', step: 'gate', launch: 6 },
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

  it('extend.timeout, retry.agent, vcr.submit and stop.run are acknowledged with the event they caused', async () => {
    const place = await makePlace();
    const one = await place.run(ID);
    await one.tell(begun);
    const { socket } = await listen(await place.serve(), '/');
    const event = async (name: string, wish: object) =>
      (await acked<{ ok: boolean; id: string; event: { type: string } }>(socket, name, {
        run_id: ID,
        ...wish,
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

  it('what cannot be done is refused clearly: wrong shape, wrong run, wrong time', async () => {
    const place = await makePlace();
    const one = await place.run(ID);
    await one.ask();
    const page = await listen(await place.serve(), '/');
    const code = async (name: string, wish: unknown) =>
      (await acked<{ ok: boolean; error: { code: string } }>(page.socket, name, wish)).error.code;
    expect(await code('stop.run', { run_id: '../x' })).toBe('E_REQUEST');
    expect(await code('stop.run', 'everything')).toBe('E_REQUEST');
    expect(await code('extend.timeout', { run_id: ID, ms: -1 })).toBe('E_REQUEST');
    expect(await code('stop.run', { run_id: 'run-20200101-000000' })).toBe('E_RUN_NOT_FOUND');
    expect(await code('retry.agent', { run_id: ID })).toBe('E_NOT_AT_WORK');
    expect(await code('vcr.submit', { run_id: ID, crp_id: 'crp-009', decision: 'A' })).toBe('E_CRP_UNKNOWN');
    page.socket.emit('stop.run', { run_id: ID, colour: 'red' });
    await until(() => page.of('error').length > 0, 'an error without an acknowledgement');
  });
});

describe('watching', () => {
  it('begins with the first page and ends with the last', async () => {
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

describe('a stock socket.io client that knows nothing but the specification and the token', () => {
  it('subscribes, sees the run, is asked, answers, and sees it go on', async () => {
    const place = await makePlace();
    const one = await place.run(ID);
    const server = await place.serve();
    const script = fileURLToPath(new URL('stock-client.mjs', import.meta.url));
    const client = run(process.execPath, [script, server.url, server.token, ID], { timeout: 60_000 });
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
