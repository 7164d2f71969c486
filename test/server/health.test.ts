import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { health, interruptedRuns, ready } from '../../src/server/health-protocol.ts';
import { portsToTry } from '../../src/server/listen-on-free-port.ts';
import { SHUTDOWN_MS } from '../../src/server/shut-down.ts';
import { ask, begun, listen, makePlace, question, until } from './test-server.ts';

const ID = 'run-20260131-142233';
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

describe('health', () => {
  it('GET /health needs no token, runs its checks for each request, and returns the specified body', async () => {
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
      message: 'Running, 1 active',
      latency_ms: expect.any(Number),
    });
    expect(body.checks.fileSystem).toMatchObject({ status: 'pass', message: 'Writable' });
    expect(['pass', 'warn']).toContain(body.checks.tmux.status);
  });

  it('GET /health responds even if tmux hangs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dure-tmux-'));
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      await rm(folder, { recursive: true });
    });
    await writeFile(join(folder, 'tmux'), '#!/bin/sh\nsleep 600\n', { mode: 0o755 });
    vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
    const answer = await ask(await (await makePlace()).serve(), '/health');
    const message = 'Not installed, or it does not answer; agents run without tmux panes';
    expect(answer.json()).toMatchObject({
      status: 'healthy',
      checks: { tmux: { status: 'warn', message } },
    });
  });

  it('an active run without a driver makes the status degraded, and the server still works', async () => {
    const place = await makePlace();
    await (await place.run(ID, false)).tell(begun);
    const answer = await ask(await place.serve(), '/health');
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ status: 'degraded', checks: { orchestrator: { status: 'fail' } } });
  });

  it('an unwritable folder makes the server unhealthy and not ready, with status 503', async () => {
    const place = await makePlace();
    const server = await place.serve();
    await writeFile(`${place.project.dure}/broken`, '');
    // Replaces the server's folder with a file: even root cannot create a file inside a file.
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

  it('GET /health/live and /health/ready return the specified bodies', async () => {
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

  it('an error in the configuration makes the server not ready and is reported', async () => {
    const place = await makePlace();
    const server = await place.serve();
    await writeFile(place.project.configOf('builder'), '{"modl": "x"}');
    const answer = await ask(server, '/health/ready');
    expect(answer.status).toBe(503);
    expect(answer.json<{ checks: { config: { message: string } } }>().checks.config.message).toContain(
      'unknown key modl',
    );
  });

  it('GET /health/interrupted lists interrupted runs and how each one resumes', async () => {
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
    const { count, runs } = interruptedRuns.parse(answer.json());
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
  // Step 5 leaves agents running; the tests that kill the leader cover this.
  it('rejects new requests, finishes those in progress, tells the pages, interrupts the runs and closes the port', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await run.tell(begun);
    const order: string[] = [];
    let go: ((value: { runId: string }) => void) | null = null;
    const server = await place.serve({
      // A busy machine may need longer than a real shutdown waits.
      shutdown: { ...SHUTDOWN_MS, requests: 120_000, whole: 120_000 },
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
    await until(() => go !== null, 'the request to be running');

    const closed = server.close();
    expect((await ask(server, '/health/ready')).status).toBe(503);
    order.push('a new request is rejected');
    go!({ runId: ID });
    order.push('the running one ends');
    expect((await slow).status).toBe(201);
    await closed;
    await ended;

    expect(order).toEqual(['a new request is rejected', 'the running one ends', 'runs are interrupted']);
    await until(() => page.of('server:closing').length > 0, 'the page to hear of it');
    expect(run.journal.state).toMatchObject({ phase: 'interrupted', interrupted_from: 'refine' });
    await expect(ask(server, '/health/live')).rejects.toThrow('ECONNREFUSED');
    page.socket.disconnect();
  });

  it('takes at most five seconds even if requests hang, bodies never arrive and saving never finishes', async () => {
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
    // This timer starts after the shutdown, so a busy machine delays it by at least as much.
    const closed = server.close().then(() => 'closed');
    expect(await Promise.race([closed, pause(5000, 'five seconds went by')])).toBe('closed');
    expect(await hanging).toMatch(/socket hang up|ECONNRESET/);
    page.socket.disconnect();
  });

  it('closing twice has the same effect as closing once, and removes the token from disk', async () => {
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
  it('the server uses the next free port if the preferred one is in use, and the same port again after a restart', async () => {
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

  it('port 0 reuses the port of the previous server if it is free, so that open pages reconnect', async () => {
    const place = await makePlace();
    const first = await place.serve();
    await first.close();
    const wanted = { port: 0, by: 'person' } as const;
    const second = await place.serve({ wanted });
    expect(second.port).toBe(first.port);
    expect((await place.serve({ wanted })).port).not.toBe(first.port);
  });

  const asked = (port: number) => ({ port, by: 'person' }) as const;
  const configured = (port: number) => ({ port, by: 'configuration' }) as const;
  it.each([
    ['there was no previous server', configured(3873), null, [3873, 3874]],
    [
      'the previous server was started with another port',
      configured(3873),
      { port: 4931, wanted: asked(4931) },
      [4931, 3873],
    ],
    [
      'the previous server had to use another port',
      configured(3873),
      { port: 3875, wanted: configured(3873) },
      [3875, 3873],
    ],
    [
      'the configuration has changed since',
      configured(5000),
      { port: 3873, wanted: configured(3873) },
      [5000, 5001],
    ],
    ['another port is requested', asked(5000), { port: 4931, wanted: asked(4931) }, [5000, 5001]],
    [
      'the same port is requested again and was in use before',
      asked(5000),
      { port: 5007, wanted: asked(5000) },
      [5000, 5007, 5001],
    ],
    ['any port is requested', asked(0), { port: 4931, wanted: configured(3873) }, [4931, 0]],
    ['the highest port is requested', asked(65_535), null, [65_535]],
  ] as const)('if %s, the server tries the expected ports first', (_, wanted, before, first) => {
    expect(portsToTry(wanted, before).slice(0, first.length)).toEqual(first);
  });
});
