import { readFile, rename, writeFile } from 'node:fs/promises';
import { request, Server } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { FSWatcher } from 'chokidar';
import { Namespace } from 'socket.io';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { portsToTry } from '../../src/server/ports.ts';
import { health, interrupted, ready } from '../../src/server/protocol.ts';
import { ask, begun, listen, makePlace, question, until } from './place.ts';

const ID = 'run-20260131-142233';
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

describe('health', () => {
  it('GET /health gives the specified body, without a token, from checks that were really made', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await run.tell(begun);
    const server = await place.serve();
    const answer = await ask(server, '/health', { token: null });
    expect(answer.status).toBe(200);
    const body = health.parse(answer.json());
    expect(body).toMatchObject({
      status: 'healthy',
      version: '9.9.9',
      timestamp: expect.stringMatching(UTC),
    });
    expect(body.checks.orchestrator).toMatchObject({
      status: 'pass',
      message: 'Running, 1 at work',
      latency_ms: expect.any(Number),
    });
    expect(body.checks.fileSystem).toMatchObject({ status: 'pass', message: 'Writable' });
    expect(['pass', 'warn']).toContain(body.checks.tmux.status);
  });

  it('a run at work without anybody to drive it makes it degraded, but it still serves', async () => {
    const place = await makePlace();
    await (await place.run(ID, false)).tell(begun);
    const answer = await ask(await place.serve(), '/health');
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ status: 'degraded', checks: { orchestrator: { status: 'fail' } } });
  });

  it('a folder that cannot be written makes it unhealthy and not ready, with 503', async () => {
    const place = await makePlace();
    const server = await place.serve();
    await writeFile(`${place.project.dure}/broken`, '');
    // Even root cannot make a file below a file: where the server's folder was there is one now.
    await rename(place.project.server, `${place.project.server}.gone`);
    await rename(`${place.project.dure}/broken`, place.project.server);
    const whole = await ask(server, '/health');
    expect([whole.status, whole.json<{ status: string }>().status]).toEqual([503, 'unhealthy']);
    const answer = await ask(server, '/health/ready');
    expect(answer.status).toBe(503);
    expect(ready.parse(answer.json())).toMatchObject({
      status: 'not_ready',
      checks: {
        fileSystem: { status: 'fail', message: expect.stringMatching(/^Directory not writable/) },
        config: { status: 'pass' },
      },
    });
    await rename(place.project.server, `${place.project.dure}/broken`);
    await rename(`${place.project.server}.gone`, place.project.server);
    expect((await ask(server, '/health/ready')).json()).toMatchObject({ status: 'ready' });
  });

  it('GET /health/live and /health/ready give the specified bodies', async () => {
    const server = await (await makePlace()).serve();
    const live = await ask(server, '/health/live', { token: null });
    expect([live.status, live.json()]).toEqual([
      200,
      { status: 'ok', timestamp: expect.stringMatching(UTC) },
    ]);
    const answer = await ask(server, '/health/ready', { token: null });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      status: 'ready',
      timestamp: expect.stringMatching(UTC),
      checks: { fileSystem: { status: 'pass' }, config: { status: 'pass' } },
    });
  });

  it('a mistake in the configuration is not ready, and is named', async () => {
    const place = await makePlace();
    const server = await place.serve();
    await writeFile(place.project.configOf('builder'), '{"modl": "x"}');
    const answer = await ask(server, '/health/ready');
    expect(answer.status).toBe(503);
    expect(answer.json<{ checks: { config: { message: string } } }>().checks.config.message).toContain(
      'unknown key modl',
    );
  });

  it('GET /health/interrupted lists interrupted runs and how each goes on', async () => {
    const place = await makePlace();
    const build = await place.run('run-20260131-142231', false);
    await build.tell(begun, {
      type: 'agent.completed',
      agent: 'refiner',
      step: 'refine',
      launch: 1,
      duration_ms: 1,
    });
    const waiting = await place.run('run-20260131-142232');
    await waiting.ask(question());
    await waiting.tell({ type: 'run.interrupted', phase: 'waiting_human', reason: 'the server ended' });
    const damaged = await place.run('run-20260131-142233', false);
    await writeFile(damaged.files.events, 'not a log\n');
    await (await place.run('run-20260131-142234')).tell(begun);
    const answer = await ask(await place.serve(), '/health/interrupted', { token: null });
    expect(answer.status).toBe(200);
    const { count, runs } = interrupted.parse(answer.json());
    expect(count).toBe(3);
    expect(runs).toEqual([
      expect.objectContaining({ runId: damaged.id, canResume: false, resumeStrategy: 'none' }),
      expect.objectContaining({
        runId: waiting.id,
        phase: 'waiting_human',
        canResume: true,
        resumeStrategy: 'continue_waiting',
      }),
      {
        runId: build.id,
        phase: 'build',
        lastAgent: 'builder',
        interruptedAt: build.journal.state!.updated_at,
        canResume: true,
        resumeStrategy: 'restart_agent',
      },
    ]);
  });
});

describe('shutdown', () => {
  /** What the server does to its sockets, watchers and port as it ends, by the objects that do it. */
  const watched = (did: (step: string) => void) => {
    const spies = [
      vi.spyOn(Namespace.prototype, 'emit').mockImplementation(function (this: Namespace, event, ...args) {
        if (event === 'server:closing' && this.name === '/dashboard') did('sockets are told');
        return emit.call(this, event, ...args);
      }),
      vi.spyOn(FSWatcher.prototype, 'close').mockImplementation(function (this: FSWatcher) {
        did('watchers end');
        return closeWatcher.call(this);
      }),
      vi.spyOn(Server.prototype, 'close').mockImplementation(function (this: Server, then) {
        did('the server ends');
        return closeServer.call(this, then);
      }),
    ];
    onTestFinished(() => {
      for (const spy of spies) spy.mockRestore();
    });
  };
  const { emit } = Namespace.prototype;
  const closeWatcher = FSWatcher.prototype.close;
  const closeServer = Server.prototype.close;

  // The fifth of the seven steps is to leave agents alone; that they go on is seen where the leader is killed.
  it('takes its steps in their order: requests, sockets, runs, watchers, server', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await run.tell(begun);
    const order: string[] = [];
    let go: ((value: { runId: string }) => void) | null = null;
    const server = await place.serve({
      actions: {
        start: () =>
          new Promise(resolve => {
            go = resolve;
          }),
        interrupt: async () => {
          await run.tell({ type: 'run.interrupted', phase: 'refine', reason: 'the server ended' });
          order.push('runs are interrupted');
        },
      },
    });
    const page = await listen(server, '/dashboard');
    page.socket.emit('dashboard:subscribe', ID);
    await until(() => page.of('dashboard:subscribed').length > 0, 'the run to be watched');
    const kept = connect(server.port, '127.0.0.1');
    await new Promise(resolve => kept.once('connect', resolve));
    const ended = new Promise(resolve => kept.once('close', resolve));
    const slow = ask(server, '/api/runs', { body: { briefing: 'x' } });
    await until(() => go !== null, 'the request to be at work');
    watched(step => order.push(step));

    const closed = server.close();
    expect((await ask(server, '/health/ready')).status).toBe(503);
    order.push('a new request is rejected');
    go!({ runId: ID });
    order.push('the one at work ends');
    expect((await slow).status).toBe(201);
    await closed;
    await ended;

    expect(order).toEqual([
      'a new request is rejected',
      'the one at work ends',
      'sockets are told',
      'runs are interrupted',
      'watchers end',
      'the server ends',
    ]);
    await until(() => page.of('server:closing').length > 0, 'the page to hear of it');
    expect(run.journal.state).toMatchObject({ phase: 'interrupted', interrupted_from: 'refine' });
    await expect(ask(server, '/health/live')).rejects.toThrow('ECONNREFUSED');
    page.socket.disconnect();
  });

  it('ends within five seconds although requests hang, bodies never come and saving does not finish', async () => {
    const place = await makePlace();
    let hangs = false;
    const start = () => {
      hangs = true;
      return new Promise<never>(() => {});
    };
    const server = await place.serve({ actions: { start, interrupt: () => new Promise(() => {}) } });
    const page = await listen(server, '/dashboard');
    const hanging = ask(server, '/api/runs', { body: { briefing: 'x' } }).catch(
      (error: Error) => error.message,
    );
    const halfSent = request({
      port: server.port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/api/runs',
      headers: {
        host: `127.0.0.1:${server.port}`,
        authorization: `Bearer ${server.token}`,
        'content-type': 'application/json',
        'content-length': '10',
      },
    });
    halfSent.on('error', () => {});
    halfSent.write('{');
    await until(() => hangs, 'the request to hang');
    // On a machine that is busy with something else this clock is late too, and by as much.
    const closed = server.close().then(() => 'closed');
    expect(await Promise.race([closed, pause(5000, 'five seconds went by')])).toBe('closed');
    expect(await hanging).toMatch(/socket hang up|ECONNRESET/);
    page.socket.disconnect();
  }, 60_000);

  it('closing twice is closing once, and the token on disk is gone', async () => {
    const place = await makePlace();
    const server = await place.serve();
    await Promise.all([server.close(), server.close()]);
    expect(JSON.parse(await readFile(`${place.project.server}/server.json`, 'utf8'))).toMatchObject({
      process: null,
      token: '',
    });
  });
});

describe('ports', () => {
  it('the next free port is taken when the wanted one is not free, and the same one again after a restart', async () => {
    const place = await makePlace();
    const other = await (await makePlace()).serve();
    const wanted = { port: other.port, by: 'configuration' } as const;
    const first = await place.serve({ wanted });
    expect(first.port).toBeGreaterThan(other.port);
    expect(first.taken).toBe(other.port);
    await other.close();
    await first.close();
    const second = await place.serve({ wanted });
    expect([second.port, second.taken]).toEqual([first.port, null]);
  });

  it('any port that is free is the one of the server before, if it is, so that open pages find their way', async () => {
    const place = await makePlace();
    const first = await place.serve();
    await first.close();
    const second = await place.serve();
    expect(second.port).toBe(first.port);
    expect((await place.serve()).port).not.toBe(first.port);
  });

  const asked = (port: number) => ({ port, by: 'person' }) as const;
  const configured = (port: number) => ({ port, by: 'configuration' }) as const;
  it.each([
    ['none was before', configured(3873), null, [3873, 3874]],
    [
      'the one before was asked for elsewhere',
      configured(3873),
      { port: 4931, wanted: asked(4931) },
      [4931, 3873],
    ],
    [
      'the one before had to give way',
      configured(3873),
      { port: 3875, wanted: configured(3873) },
      [3875, 3873],
    ],
    [
      'the configuration was changed since',
      configured(5000),
      { port: 3873, wanted: configured(3873) },
      [5000, 5001],
    ],
    ['another is asked for', asked(5000), { port: 4931, wanted: asked(4931) }, [5000, 5001]],
    [
      'the same is asked for, which was taken',
      asked(5000),
      { port: 5007, wanted: asked(5000) },
      [5000, 5007, 5001],
    ],
    ['any is asked for', asked(0), { port: 4931, wanted: configured(3873) }, [4931, 0]],
    ['the last is asked for', asked(65_535), null, [65_535]],
  ] as const)('when %s, these ports are tried first', (_, wanted, before, first) => {
    expect(portsToTry(wanted, before).slice(0, first.length)).toEqual(first);
  });
});
