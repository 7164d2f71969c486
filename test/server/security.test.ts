import { execFileSync, spawn } from 'node:child_process';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { appendFile, cp, link, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { io, type ManagerOptions, type SocketOptions } from 'socket.io-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { projectFiles } from '../../src/formats/layout.ts';
import { replaceJson } from '../../src/formats/read-and-write-files.ts';
import { asRendered, MAX_LINE_BYTES, readPiece } from '../../src/server/runs/read-agent-output.ts';
import { serverFiles } from '../../src/server/server-files.ts';
import { SERVER_LOG_LIMIT } from '../../src/server/server-log.ts';
import { reserveConnections } from '../../src/server/sessions/reserve-connections.ts';
import { formatProof, pageClaim, serverClaim } from '../../src/server/sessions/session-handshake.ts';
import { openSessions } from '../../src/server/sessions/sessions.ts';
import { HTTP_LIMITS, type RunningServer } from '../../src/server/web-server.ts';
import { type Answer, type Asking, ask, begun, listen, makePlace, question, until } from './test-server.ts';

const ID = 'run-20260131-142233';

/** Sends raw bytes and returns everything the server sends until it closes the connection. */
function talk(server: RunningServer, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes));
    let said = '';
    socket.setEncoding('utf8');
    socket.on('data', chunk => {
      said += chunk;
    });
    // The server may close the connection before it has read everything.
    socket.on('error', (error: NodeJS.ErrnoException) => error.code === 'ECONNRESET' || reject(error));
    socket.on('close', () => resolve(said));
  });
}

const upgrade = (server: RunningServer, headers: Record<string, string>) =>
  talk(
    server,
    [
      'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
      ...Object.entries({
        Host: `127.0.0.1:${server.port}`,
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        ...headers,
      }).map(([name, value]) => `${name}: ${value}`),
      '\r\n',
    ].join('\r\n'),
  );

/** The reason for refusing the connection. */
function refusal(
  server: RunningServer,
  more: Partial<ManagerOptions & SocketOptions>,
  namespace = '/dashboard',
): Promise<string> {
  const socket = io(`${server.url}${namespace}`, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    ...more,
  });
  onTestFinished(() => void socket.disconnect());
  return new Promise((resolve, reject) => {
    socket.on('connect_error', error => resolve(error.message));
    socket.on('connect', () => reject(new Error('it was let in')));
  });
}

describe('S1 loopback only', () => {
  it('S1 the server listens only on 127.0.0.1', async () => {
    const server = await (await makePlace()).serve();
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    const others = Object.values(networkInterfaces())
      .flatMap(all => all ?? [])
      .filter(one => one.family === 'IPv4' && !one.internal);
    for (const { address } of [...others, { address: '127.0.0.2' }])
      expect(
        await new Promise(resolve =>
          connect(server.port, address)
            .on('connect', () => resolve('open'))
            .on('error', () => resolve('refused')),
        ),
      ).toBe('refused');
  });
});

describe('S2 Host', () => {
  it.each([
    'evil.example:P',
    '127.0.0.1.nip.io:P',
    'localhost.evil:P',
    '127.0.0.1:1',
    '127.0.0.1',
    'localhost',
    '[::2]:P',
    'LOCALHOST:P',
  ])('S2 returns 421 for host %s on pages, API, health, socket.io and upgrade', async name => {
    const server = await (await makePlace()).serve();
    const host = name.replace('P', String(server.port));
    for (const path of ['/', '/api/runs', '/health', '/assets/x.js', '/socket.io/?EIO=4&transport=polling'])
      expect([path, (await ask(server, path, { headers: { host } })).status]).toEqual([path, 421]);
    expect(await upgrade(server, { Host: host })).toMatch(/^HTTP\/1\.1 (421|400) /);
  });

  it('S2 a request through a forwarded port with another number (ssh -L) is refused, and the response names the port to use', async () => {
    const server = await (await makePlace()).serve();
    for (const host of ['localhost:1', '127.0.0.1:1', '[::1]:1'])
      expect((await ask(server, '/', { headers: { host } })).text).toContain(
        `ssh -L ${server.port}:127.0.0.1:${server.port} HOST`,
      );
    expect((await ask(server, '/', { headers: { host: 'evil.example:1' } })).text).not.toContain(
      String(server.port),
    );
  });

  it('S2 rejects a request without a Host header', async () => {
    const server = await (await makePlace()).serve();
    expect(await talk(server, 'GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 421 /);
    expect(await talk(server, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('S2 accepts its three host names and ignores X-Forwarded-Host', async () => {
    const server = await (await makePlace()).serve();
    for (const name of ['127.0.0.1', 'localhost', '[::1]'])
      expect((await ask(server, '/api/runs', { headers: { host: `${name}:${server.port}` } })).status).toBe(
        200,
      );
    const forged = { host: 'evil.example', 'x-forwarded-host': `127.0.0.1:${server.port}` };
    expect((await ask(server, '/api/runs', { headers: forged })).status).toBe(421);
    const harmless = { 'x-forwarded-host': 'evil.example' };
    expect((await ask(server, '/api/runs', { headers: harmless })).status).toBe(200);
  });
});

describe('S3 Origin', () => {
  it.each([
    'https://evil.example',
    'null',
    'http://127.0.0.1:5173',
    'https://127.0.0.1:P',
    'http://localhost:P',
  ])('S3 rejects a request from origin %s, even with the token', async name => {
    const server = await (await makePlace()).serve();
    const origin = name.replace('P', String(server.port));
    for (const asking of [{}, { body: {} }] as Asking[])
      expect((await ask(server, '/api/runs', { ...asking, headers: { origin } })).status).toBe(403);
    expect((await ask(server, '/', { headers: { origin } })).status).toBe(403);
  });

  it('S3 rejects requests with cross-site Fetch Metadata, except those that open a page', async () => {
    const server = await (await makePlace()).serve();
    const from = (site: string, mode: string, dest: string, path = '/api/runs') =>
      ask(server, path, {
        headers: { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest },
      });
    expect((await from('cross-site', 'cors', 'empty')).status).toBe(403);
    expect((await from('same-site', 'cors', 'empty')).status).toBe(403);
    expect((await from('cross-site', 'navigate', 'iframe', '/')).status).toBe(403);
    expect((await from('cross-site', 'no-cors', 'script', '/assets/x.js')).status).toBe(403);
    expect((await from('same-origin', 'cors', 'empty')).status).toBe(200);
    expect((await from('none', 'navigate', 'document', '/')).status).not.toBe(403);
    expect((await from('cross-site', 'navigate', 'document', '/')).status).not.toBe(403);
  });
});

describe('S4 no ambient authority', () => {
  it('S4 every endpoint returns 401 without the bearer token, even if the URL or another header contains the token', async () => {
    const server = await (await makePlace()).serve();
    const { token, port } = server;
    const cases: [string, Asking][] = [
      ['/api/runs', { token: null }],
      ['/api/runs', { token: 'wrong' }],
      ['/api/runs', { token: `${token}x` }],
      ['/api/runs', { token: token.slice(0, -1) }],
      ['/api/runs', { token: null, headers: { authorization: token } }],
      ['/api/runs', { token: null, headers: { authorization: `Basic ${btoa(`x:${token}`)}` } }],
      ['/api/runs', { token: null, headers: { cookie: `token=${token}; dure=${token}` } }],
      ['/api/runs', { token: null, headers: { 'x-auth-token': token } }],
      [`/api/runs?token=${token}&access_token=${token}`, { token: null }],
      ['/api/overview', { token: null }],
      ['/api/projects', { token: null }],
      ['/api/openapi.json', { token: null }],
      ['/api/config', { token: null }],
      ['/api/session/code', { token: null, body: {} }],
      ['/api/runs', { token: null, body: { briefing: 'x' } }],
      [`/api/runs/${ID}/artefacts/state.json`, { token: null }],
      ['/api/nothing', { token: null }],
    ];
    for (const [path, asking] of cases)
      expect([path, (await ask(server, path, asking)).status]).toEqual([path, 401]);
    expect((await ask(server, '/api/runs')).status).toBe(200);
    expect(port).toBeGreaterThan(0);
  });

  it('S4 the token is 256 random bits, new at every start, in a file that only its owner can read', async () => {
    const place = await makePlace();
    const first = await place.serve();
    const files = serverFiles(place.project);
    expect(JSON.parse(await readFile(files.beacon, 'utf8'))).toMatchObject({
      token: first.token,
      url: first.url,
      port: first.port,
    });
    expect((await stat(files.beacon)).mode & 0o777).toBe(0o600);
    expect((await stat(files.dir)).mode & 0o777).toBe(0o700);
    await first.close();
    const second = await place.serve();
    expect(Buffer.from(second.token, 'base64url')).toHaveLength(32);
    expect(second.token).not.toBe(first.token);
    expect((await ask(second, '/api/runs', { token: first.token })).status).toBe(401);
  });

  it('S4 no response sets a cookie', async () => {
    const server = await (await makePlace()).serve();
    for (const path of ['/', '/api/runs', '/health', '/nothing'])
      expect((await ask(server, path)).headers['set-cookie']).toBeUndefined();
    const session = await ask(server, '/api/session', { token: null, body: { code: server.code } });
    expect(session.headers['set-cookie']).toBeUndefined();
  });
});

describe('S5 one-time code', () => {
  it('S5 a code creates one session; the session survives a restart of the server, but the code does not', async () => {
    const place = await makePlace();
    const server = await place.serve();
    const give = (code: unknown, to = server) => ask(to, '/api/session', { token: null, body: { code } });
    const { token } = (await give(server.code)).json<{ token: string }>();
    expect((await ask(server, '/api/runs', { token })).status).toBe(200);
    expect((await give(server.code)).status).toBe(401);
    const unused = server.newCode();
    const held = await readFile(serverFiles(place.project).sessions, 'utf8');
    expect(held).not.toContain(token);
    await server.close();
    const next = await place.serve();
    expect((await ask(next, '/api/runs', { token })).status).toBe(200);
    expect((await give(unused, next)).status).toBe(401);
  });

  it('S5 a code expires after two minutes', async () => {
    const { project } = await makePlace();
    let now = 1000;
    const sessions = await openSessions(serverFiles(project).sessions, () => now);
    const [early, late] = [sessions.code(), sessions.code()];
    now += 120_000;
    expect(sessions.admits(await sessions.exchange(early))).toBe(true);
    now += 1;
    expect(await sessions.exchange(late)).toBeNull();
  });

  it('S5 once the server has proven its identity, a page sends a proof that only that process accepts, never the session', async () => {
    const place = await makePlace();
    const server = await place.serve();
    const { token } = (await ask(server, '/api/session', { token: null, body: { code: server.code } })).json<{
      token: string;
    }>();
    const key = createHash('sha256').update(token).digest();
    const id = createHash('sha256').update(key).digest('hex');
    const sign = (text: string) => createHmac('sha256', key).update(text).digest('hex');
    const proofOf = async (to: RunningServer) => {
      const nonce = randomBytes(32).toString('hex');
      const answer = await ask(to, '/api/session/proof', { token: null, body: { id, nonce } });
      const { nonce: theirs, proof } = answer.json<{ nonce: string; proof: string }>();
      expect(proof).toBe(sign(serverClaim(to.port, nonce, theirs)));
      return formatProof(id, sign(pageClaim(to.port, theirs)));
    };
    const pass = await proofOf(server);
    expect((await ask(server, '/api/runs', { token: pass })).status).toBe(200);
    const { socket } = await listen(server, '/dashboard', pass);
    expect(socket.connected).toBe(true);
    for (const wrong of [
      formatProof(id, '0'.repeat(64)),
      formatProof('0'.repeat(64), '0'.repeat(64)),
      id,
      `${id}.`,
    ])
      expect((await ask(server, '/api/runs', { token: wrong })).status).toBe(401);
    await server.close();
    const next = await place.serve();
    expect(next.port).toBe(server.port);
    expect((await ask(next, '/api/runs', { token: pass })).status).toBe(401);
    expect((await ask(next, '/api/runs', { token: await proofOf(next) })).status).toBe(200);
  });

  it('S5 a server that finds its port in use ends the sessions for that port permanently', async () => {
    const place = await makePlace();
    const first = await place.serve();
    const give = await ask(first, '/api/session', { token: null, body: { code: first.code } });
    const { token } = give.json<{ token: string }>();
    const before = first.port;
    await first.close();
    const other = createServer();
    await new Promise<void>(resolve => other.listen(before, '127.0.0.1', resolve));
    const second = await place.serve();
    expect(second.port).not.toBe(before);
    expect((await ask(second, '/api/runs', { token })).status).toBe(401);
    await second.close();
    await new Promise(resolve => other.close(resolve));
    const third = await place.serve({ wanted: { port: before, by: 'person' } });
    expect(third.port).toBe(before);
    expect((await ask(third, '/api/runs', { token })).status).toBe(401);
  });

  it('S5 the server gives no proof for an unknown session', async () => {
    const server = await (await makePlace()).serve();
    const body = { id: '0'.repeat(64), nonce: 'n'.repeat(43) };
    expect((await ask(server, '/api/session/proof', { token: null, body })).status).toBe(401);
  });

  it('S5 allows at most twenty wrong codes per minute, but always accepts a valid one', async () => {
    const server = await (await makePlace()).serve();
    const tried: number[] = [];
    for (let i = 0; i < 25; i += 1)
      tried.push((await ask(server, '/api/session', { token: null, body: { code: `guess-${i}` } })).status);
    expect(tried).toEqual([...Array<number>(20).fill(401), ...Array<number>(5).fill(429)]);
    expect((await ask(server, '/api/session', { token: null, body: { code: server.code } })).status).toBe(
      200,
    );
  });

  it('S5 signing out ends all sessions and codes and disconnects their sockets, and no restart brings them back', async () => {
    const place = await makePlace();
    const server = await place.serve();
    const give = (code: string, to = server) => ask(to, '/api/session', { token: null, body: { code } });
    const { token } = (await give(server.code)).json<{ token: string }>();
    const [page, client, script] = await Promise.all([
      listen(server, '/dashboard', token),
      listen(server, '/', token),
      listen(server, '/dashboard'),
    ]);
    for (const { socket } of [page, client]) socket.io.reconnection(false);
    const unused = server.newCode();
    expect((await ask(server, '/api/session/end', { token: null, body: {} })).status).toBe(401);
    expect(page.socket.connected).toBe(true);
    expect((await ask(server, '/api/session/end', { token, body: {} })).json()).toEqual({ ok: true });
    await until(() => !page.socket.connected && !client.socket.connected, 'both sockets to be closed');
    expect(script.socket.connected).toBe(true);
    expect(await refusal(server, { auth: { token } })).toMatch(/unauthorized/);
    expect((await ask(server, '/api/runs', { token })).status).toBe(401);
    expect((await give(unused)).status).toBe(401);
    await server.close();
    const next = await place.serve();
    expect((await ask(next, '/api/runs', { token })).status).toBe(401);
    expect((await give(next.code, next)).status).toBe(200);
  });

  it("S5 a server in a copy of the folder refuses the original's sessions, even on the same port", async () => {
    const place = await makePlace();
    const first = await place.serve();
    const give = await ask(first, '/api/session', { token: null, body: { code: first.code } });
    const { token } = give.json<{ token: string }>();
    await first.close();
    const copy = projectFiles(join(place.root, 'copy'));
    await cp(place.project.dure, copy.dure, { recursive: true });
    const second = await place.serve({ project: copy });
    expect(second.port).toBe(first.port);
    expect((await ask(second, '/api/runs', { token })).status).toBe(401);
    expect(await refusal(second, { auth: { token } })).toMatch(/unauthorized/);
    await second.close();
    expect((await ask(await place.serve(), '/api/runs', { token })).status).toBe(200);
  });

  it('S5 the token is enough to get another code', async () => {
    const server = await (await makePlace()).serve();
    const { code } = (await ask(server, '/api/session/code', { body: {} })).json<{ code: string }>();
    expect((await ask(server, '/api/session', { token: null, body: { code } })).status).toBe(200);
  });
});

describe('S6 sockets', () => {
  it('S6 rejects a foreign Origin even with the token', async () => {
    const server = await (await makePlace()).serve();
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:5173'])
      expect(await refusal(server, { auth: { token: server.token }, extraHeaders: { origin } })).toBe(
        'websocket error',
      );
    expect(await upgrade(server, { Origin: 'https://evil.example' })).toMatch(/^HTTP\/1\.1 403 /);
  });

  it.each([
    ['nothing', {}],
    ['a wrong string', { token: 'wrong' }],
    ['an object', { token: { $ne: 1 } }],
    ['a list', { token: ['x'] }],
    ['a number', { token: 1 }],
  ])('S6 both namespaces refuse %s as the token', async (_, auth) => {
    const server = await (await makePlace()).serve();
    for (const namespace of ['/', '/dashboard'])
      expect(await refusal(server, { auth }, namespace)).toMatch(/^unauthorized/);
    expect(await refusal(server, { auth, query: { token: server.token } })).toMatch(/^unauthorized/);
  });

  it('S6 polling and the client script are not served', async () => {
    const server = await (await makePlace()).serve();
    const polling = await ask(server, '/socket.io/?EIO=4&transport=polling');
    expect(polling.status).toBe(400);
    expect(polling.json<{ message: string }>().message).toContain("transports: ['websocket']");
    expect((await ask(server, '/socket.io/socket.io.js')).status).not.toBe(200);
  });

  it('S6 a frame larger than 64 kB closes the connection', async () => {
    const { socket } = await listen(await (await makePlace()).serve(), '/dashboard');
    const ended = new Promise<string>(resolve => socket.on('disconnect', resolve));
    socket.emit('dashboard:subscribe', 'x'.repeat(60_000));
    socket.emit('dashboard:subscribe', 'x'.repeat(65_000));
    expect(await ended).toBe('transport close');
  });
});

describe('S7 and S8 pages from other origins can neither write nor read', () => {
  it('S7 returns 415 for anything but application/json, which forms on other pages cannot send', async () => {
    const place = await makePlace();
    await place.run(ID);
    const server = await place.serve();
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      '',
    ];
    for (const type of types)
      expect([
        type,
        (await ask(server, `/api/runs/${ID}/stop`, { text: '{}', headers: { 'content-type': type } })).status,
      ]).toEqual([type, 415]);
    expect(
      (
        await ask(server, '/api/session', {
          text: '{"code":"x"}',
          token: null,
          headers: { 'content-type': 'text/plain' },
        })
      ).status,
    ).toBe(415);
  });

  it('S8 no response has CORS headers, not even to a preflight', async () => {
    const server = await (await makePlace()).serve();
    const own = { origin: server.url };
    for (const [path, method] of [
      ['/api/runs', 'GET'],
      ['/api/runs', 'OPTIONS'],
      ['/', 'GET'],
      ['/health', 'GET'],
    ] as const) {
      const { headers } = await ask(server, path, {
        method,
        headers: { ...own, 'access-control-request-method': 'POST' },
      });
      expect(Object.keys(headers).filter(name => name.startsWith('access-control-'))).toEqual([]);
    }
  });
});

describe('S9 and S10 headers', () => {
  it('S9 the content security policy is strict, and its nonce changes with every response', async () => {
    const server = await (await makePlace()).serve();
    const policy = async () => String((await ask(server, '/')).headers['content-security-policy']);
    const [one, two] = [await policy(), await policy()];
    expect(one.replace(/nonce-[A-Za-z0-9+/=]+/, 'nonce-N')).toBe(
      "default-src 'none';script-src 'self';style-src 'self' 'nonce-N';img-src 'self' data: blob:;font-src 'self';connect-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none';require-trusted-types-for 'script'",
    );
    expect(one).not.toBe(two);
  });

  it('S10 every response has isolation headers and none that enforce HTTPS', async () => {
    const server = await (await makePlace()).serve();
    for (const path of ['/', '/api/runs', '/api/nothing', '/health/live', '/nothing']) {
      const { headers } = await ask(server, path);
      expect(headers).toMatchObject({
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      });
      expect(headers['permissions-policy']).toContain('camera=()');
      expect(headers['strict-transport-security']).toBeUndefined();
      expect(headers['x-powered-by']).toBeUndefined();
    }
  });
});

describe('S11 ids', () => {
  const BAD = [
    '..',
    '%2e%2e',
    '..%2f..%2fetc',
    'run-20260131-142233%00',
    'RUN-20260131-142233',
    'run-20260131-142233%2f..',
    'CON',
    'nul.txt',
    'run-20260131-142233-1234',
    `run-${'1'.repeat(5000)}`,
    '__proto__',
    'constructor',
  ];

  it('S11 accepts only valid run ids in paths', async () => {
    const place = await makePlace();
    await place.run(ID);
    const server = await place.serve();
    for (const id of BAD)
      for (const rest of ['', '/crp', '/mrp', '/events', '/streams/builder', '/artefacts/state.json'])
        expect([400, 404], `${id}${rest}`).toContain((await ask(server, `/api/runs/${id}${rest}`)).status);
  });

  it('S11 accepts only valid ids of questions, roles and settings, in paths and bodies', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await run.ask();
    const server = await place.serve();
    const at = `/api/runs/${ID}`;
    for (const bad of ['..%2fstate', 'crp-1', 'crp-001.json', 'CRP-001', '%00', ...BAD]) {
      expect([400, 404], bad).toContain((await ask(server, `${at}/crp/${bad}`)).status);
      expect([400, 404], bad).toContain((await ask(server, `/api/config/${bad}`)).status);
      expect((await ask(server, `${at}/vcr`, { body: { crp_id: bad, decision: 'A' } })).status).toBe(400);
    }
    for (const bad of ['..%2flaunches', 'Builder', 'a.b', '%00', 'a%20b'])
      expect([400, 404], bad).toContain((await ask(server, `${at}/streams/${bad}`)).status);
    for (const query of ['launch=../1', 'launch=1e9999', 'offset=-1', 'colour=red', 'launch=1&launch=2'])
      expect((await ask(server, `${at}/streams/builder?${query}`)).status, query).toBe(400);
  });
});

describe('S12 errors', () => {
  it('contain no stack trace or local path, and name the invalid fields of a body', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    const server = await place.serve({
      actions: {
        start: async () => {
          throw new TypeError(`cannot read ${place.root}/secret`);
        },
      },
    });
    const unmeant = await ask(server, '/api/runs', { body: { briefing: 'x' } });
    expect([unmeant.status, unmeant.json()]).toMatchObject([
      500,
      { ok: false, error: { code: 'E_INTERNAL' } },
    ]);
    await writeFile(run.files.events, 'no log\n');
    const damaged = await ask(server, `/api/runs/${ID}`);
    expect(damaged.status).toBe(500);
    for (const { text } of [unmeant, damaged]) {
      expect(text).not.toContain(place.root);
      expect(text).not.toMatch(/\bat .*:\d+:\d+/);
    }
    const json = (text: string) =>
      ask(server, '/api/runs', { text, headers: { 'content-type': 'application/json' } });
    expect((await json('{"briefing":')).status).toBe(400);
    expect((await json('{"briefing":"a","briefing":"b"}')).text).toContain('duplicate key');
    expect((await json('{"__proto__":{"briefing":"a"}}')).text).toContain('__proto__');
    expect((await json(JSON.stringify({ briefing: 'x'.repeat(300_000) }))).status).toBe(413);
    expect((await ask(server, '/api/nothing')).json()).toMatchObject({
      ok: false,
      error: { code: 'E_NOT_FOUND' },
    });
  });
});

/** Keeps 1,500 connections open and opens another for each that is closed. */
const FLOOD = `
  const open = () => net.connect(+process.argv[1], '127.0.0.1').on('error', () => {}).on('close', open)
    .on('connect', () => { connected += 1; if (connected === 1500) console.log('open'); });
  let connected = 0;
  for (let i = 0; i < 1500; i += 1) open();
`;

describe('S13 slow and large requests', () => {
  const impatient = {
    ...HTTP_LIMITS,
    headersTimeout: 300,
    requestTimeout: 600,
    connectionsCheckingInterval: 100,
  };

  it('S13 disconnects a client whose headers never complete', async () => {
    const server = await (await makePlace()).serve({ limits: impatient });
    const said = await talk(server, `GET / HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nX-Slow: `);
    expect(said).toMatch(/^HTTP\/1\.1 408 |^$/);
  });

  it('S13 disconnects a client whose body never completes', async () => {
    const server = await (await makePlace()).serve({ limits: impatient });
    const head = [
      'POST /api/runs HTTP/1.1',
      `Host: 127.0.0.1:${server.port}`,
      `Authorization: Bearer ${server.token}`,
      'Content-Type: application/json',
      'Content-Length: 100',
    ];
    expect(await talk(server, `${head.join('\r\n')}\r\n\r\n{"briefing":`)).toMatch(/^HTTP\/1\.1 408 |^$/);
  });

  it('S13 by default the limit is 10 seconds for headers and 30 for a whole request, checked every 2 seconds', () => {
    // Node's default limit for a body is five minutes, checked every 30 seconds.
    expect(HTTP_LIMITS).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 2000,
    });
  });

  it('S13 a program that keeps opening connections neither signs anyone out nor prevents anyone from signing in', async () => {
    const server = await (await makePlace()).serve();
    const { socket } = await listen(server, '/dashboard');
    const lost: string[] = [];
    socket.on('disconnect', why => lost.push(why));
    const flood = spawn(process.execPath, ['-e', FLOOD, String(server.port)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void flood.kill('SIGKILL'));
    await new Promise(resolve => flood.stdout.once('data', resolve));
    /** A connection may be closed for others before its request is read; a person would then try again. */
    const persistently = async (asks: () => Promise<Answer>): Promise<Answer> => {
      for (;;) {
        const answer = await asks().catch((error: NodeJS.ErrnoException) => error);
        if (!(answer instanceof Error)) return answer;
        expect(answer.code).toBe('ECONNRESET');
      }
    };
    for (let i = 0; i < 20; i += 1) {
      const session = await persistently(() =>
        ask(server, '/api/session', { token: null, body: { code: server.newCode() } }),
      );
      const { token } = session.json<{ token: string }>();
      expect((await persistently(() => ask(server, '/api/runs', { token }))).status).toBe(200);
    }
    expect(flood.exitCode).toBeNull();
    expect(lost).toEqual([]);
  });

  it('S13 if too many connections are not signed in, the oldest of these is closed, never one that is signed in', async () => {
    const http = createHttpServer((req, res) => {
      if (req.url === '/signed-in') signedIn(req.socket);
      res.end();
    });
    const signedIn = reserveConnections(http, { all: 10, notSignedIn: 2 });
    await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      http.closeAllConnections();
      http.close();
    });
    const open = async (path: string) => {
      const socket = connect((http.address() as AddressInfo).port, '127.0.0.1');
      socket.on('error', () => {}).write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const state = { closed: false, answered: false };
      socket.once('data', () => Object.assign(state, { answered: true }));
      socket.once('close', () => Object.assign(state, { closed: true }));
      await until(() => state.answered || state.closed, 'an answer');
      return state;
    };
    const opened = [await open('/signed-in'), await open('/'), await open('/'), await open('/')];
    await until(() => opened[1]!.closed, 'the oldest to be closed');
    expect(opened.map(one => one.closed)).toEqual([false, true, false, false]);
    expect(opened.map(one => one.answered)).toEqual([true, true, true, true]);
  });

  it('S13 rejects headers larger than 16 kB', async () => {
    const server = await (await makePlace()).serve();
    expect((await ask(server, '/', { headers: { 'x-large': 'x'.repeat(20_000) } })).status).toBe(431);
  });
});

describe('S14 agent output', () => {
  const HOSTILE = [
    '\x1b]0;title\x07',
    '\x1b]52;c;ZXZpbA==\x07',
    '\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\',
    '\x1b[2147483647L',
    '\x1b[2147483647b',
    '\x1bP+q544e\x1b\\',
    '\x1b[c\x1b[>c\x1b[6n\x05',
    '\x9b31m\x9d0;x\x9c',
    '\x1b[?1049h\x1bc',
    '\u202etxt.exe\u2066',
    '\x1b]0;never ended',
    `\x1b[${'9;'.repeat(5000)}`,
    'a\bb\x00c\x7fd',
  ];

  it('S14 no terminal sequence, control character or bidirectional override reaches a page', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await mkdir(run.files.logs, { recursive: true });
    const asClaude = (text: string) =>
      JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } });
    const lines = HOSTILE.flatMap(text => [`say ${text} end`, asClaude(`say ${text} end`)]);
    await writeFile(run.files.stream('builder', 1), `${lines.join('\n')}\n`);
    const server = await place.serve();
    for (const raw of ['0', '1']) {
      const { lines: shown } = (await ask(server, `/api/runs/${ID}/streams/builder?raw=${raw}`)).json<{
        lines: { text: string }[];
      }>();
      expect(shown).toHaveLength(lines.length);
      for (const { text } of shown)
        expect(text).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
    }
  });

  it('S14 an endless line is replaced by a note, without using much memory or time', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await mkdir(run.files.logs, { recursive: true });
    const file = run.files.stream('builder', 1);
    await writeFile(file, `\x1b]0;${'x'.repeat(3 * MAX_LINE_BYTES)}\nafter\n`);
    const shown: string[] = [];
    for (let offset = 0; ; ) {
      const { lines, next } = await readPiece(file, offset, 64_000, asRendered);
      if (next === offset) break;
      expect(next - offset).toBeLessThanOrEqual(MAX_LINE_BYTES);
      shown.push(...lines.map(({ text }) => text));
      offset = next;
    }
    expect(shown[0]).toContain('omitted');
    expect(shown.at(-1)).toBe('after');
  });
});

describe('S15 Markdown', () => {
  it('S15 hostile Markdown and option labels are sent as text in JSON, never as markup', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await run.tell(begun);
    const evil = '<img src=x onerror=alert(1)>[x](javascript:alert(1))';
    await run.ask({
      ...question(),
      question: evil,
      options: [{ id: 'A', label: '</script><script>alert(1)</script>' }],
    });
    const server = await place.serve();
    const answer = await ask(server, `/api/runs/${ID}/crp`);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.json()).toMatchObject({ pending: [{ question: evil }] });
  });
});

describe('S16 artefacts', () => {
  it('S16 an artefact is always a download and never executed, whatever its name and content', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await mkdir(run.files.builder, { recursive: true });
    const all = {
      'report.html': '<script>alert(1)</script>',
      'x.svg': '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
      'polyglot.png': 'GIF89a/*<script>*/=1',
      'a"b\'c.html': 'x',
      empty: '',
    };
    for (const [name, text] of Object.entries(all)) await writeFile(join(run.files.builder, name), text);
    const server = await place.serve();
    for (const [name, text] of Object.entries(all)) {
      const answer = await ask(server, `/api/runs/${ID}/artefacts/builder/${encodeURIComponent(name)}`);
      expect([name, answer.status, answer.text]).toEqual([name, 200, text]);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      });
      expect(answer.headers['content-disposition']).toMatch(/^attachment; filename=/);
    }
  });

  it('S16 serves only allowed folders of the run, not launches, which contain environment variables', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await replaceJson(run.files.launch(1), { env: { KEY: 'secret' } });
    const server = await place.serve();
    for (const path of [
      'launches/1.json',
      'driver.json',
      'requests/stop.json',
      '',
      '../../config/global.json',
      '..%2f..%2fconfig%2fglobal.json',
      'builder%2f..%2flaunches%2f1.json',
      'builder/..%00',
      'builder//x',
      './state.json',
      '%2e/state.json',
      '%5c..%5cx',
    ])
      expect([400, 404], path).toContain((await ask(server, `/api/runs/${ID}/artefacts/${path}`)).status);
    expect((await ask(server, `/api/runs/${ID}/artefacts/state.json`)).status).toBe(200);
  });
});

describe('S17 agent files', () => {
  it('S17 links, pipes, folders, hard links and oversized files are not served and block nothing', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    const secret = join(place.root, 'secret.txt');
    await mkdir(join(run.files.builder, 'folder'), { recursive: true });
    await writeFile(secret, 'secret');
    await writeFile(join(place.root, 'large'), '');
    const at = (name: string) => join(run.files.builder, name);
    await symlink(secret, at('link'));
    await symlink(place.root, at('elsewhere'));
    await symlink('link', at('link-to-link'));
    await symlink('/proc/self/environ', at('environ'));
    await link(secret, at('second-name'));
    execFileSync('mkfifo', [at('pipe')]);
    execFileSync('truncate', ['-s', '17M', at('large')]);
    const server = await place.serve();
    const get = (path: string) => ask(server, `/api/runs/${ID}/artefacts/builder/${path}`);
    for (const path of [
      'link',
      'elsewhere/secret.txt',
      'link-to-link',
      'environ',
      'second-name',
      'pipe',
      'folder',
      'absent',
    ]) {
      const answer = await get(path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.text).not.toContain('secret');
    }
    for (let i = 0; i < 8; i += 1) expect((await get('pipe')).status).toBe(404);
    expect((await get('large')).status).toBe(413);
    expect((await ask(server, '/health/live')).status).toBe(200);
  });

  it('S17 pipes and links in place of known files neither block the server nor leak content', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await mkdir(run.files.mrp, { recursive: true });
    await mkdir(run.files.logs, { recursive: true });
    await mkdir(run.files.crps, { recursive: true });
    const secret = join(place.root, 'secret.txt');
    await writeFile(secret, 'secret\n');
    for (const file of [
      run.files.refined,
      run.files.patch,
      run.files.stream('builder', 1),
      run.files.crp('crp-001'),
    ])
      execFileSync('mkfifo', [file]);
    for (const file of [run.files.summary, run.files.stream('verifier', 1)]) await symlink(secret, file);
    await run.pack();
    const server = await place.serve();
    for (const path of ['', '/mrp', '/crp', '/streams/builder', '/streams/verifier', '/events']) {
      const answer = await ask(server, `/api/runs/${ID}${path}`);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.text).not.toContain('secret');
    }
    expect((await ask(server, '/api/overview')).status).toBe(200);
  });
});

describe('S17 the log of a run', () => {
  const PLACED: Record<string, (file: string, root: string) => unknown> = {
    'a pipe': file => execFileSync('mkfifo', [file]),
    'a link': (file, root) => symlink(join(root, 'secret.txt'), file),
    'a folder': file => mkdir(file),
    'a file larger than any log': file => execFileSync('truncate', ['-s', '3G', file]),
  };

  it.each(Object.keys(PLACED))(
    'S17 %s in place of the log is reported as a damaged log with its path, and the server keeps running',
    async what => {
      const place = await makePlace();
      const run = await place.run(ID);
      const other = await place.run('run-20260131-142234');
      await writeFile(join(place.root, 'secret.txt'), 'secret\n');
      await rm(run.files.events);
      await PLACED[what]!(run.files.events, place.root);
      const server = await place.serve();
      for (const path of ['', '/events', '/crp', '/mrp']) {
        const answer = await ask(server, `/api/runs/${ID}${path}`);
        expect([path, answer.status, answer.json()]).toMatchObject([
          path,
          500,
          {
            error: { code: 'E_LOG_CORRUPT', message: expect.stringContaining(`.dure/runs/${ID}/events.log`) },
          },
        ]);
        expect(answer.text).not.toContain('secret');
      }
      const page = await listen(server, '/dashboard');
      page.socket.emit('dashboard:subscribe', ID);
      await until(() => page.of('dashboard:error').length > 0, 'the page to be told');
      expect((await ask(server, `/api/runs/${other.id}`)).status).toBe(200);
    },
  );
});

describe('S18 writing', () => {
  it.each(['a pipe without a reader', 'a link', 'a folder'])(
    'S18 %s in place of the server log is not written to, and the server keeps running',
    async what => {
      const place = await makePlace();
      const target = join(place.root, '.bashrc');
      await writeFile(target, 'mine\n');
      const { dir, log } = serverFiles(place.project);
      await mkdir(dir, { recursive: true });
      if (what === 'a link') await symlink(target, log);
      else if (what === 'a folder') await mkdir(log);
      else execFileSync('mkfifo', [log]);
      const server = await place.serve();
      for (let i = 0; i < 12; i += 1)
        expect((await ask(server, '/api/runs', { body: { briefing: 'x' } })).status).toBe(500);
      expect((await ask(server, '/health/ready')).status).toBe(200);
      expect(await readFile(target, 'utf8')).toBe('mine\n');
    },
  );

  it('S18 the server log is truncated when it is full', async () => {
    const place = await makePlace();
    const { dir, log } = serverFiles(place.project);
    await mkdir(dir, { recursive: true });
    await appendFile(log, 'x'.repeat(SERVER_LOG_LIMIT - 10));
    const server = await place.serve();
    for (let i = 0; i < 3; i += 1) await ask(server, '/api/runs', { body: { briefing: 'x' } });
    await server.close();
    const said = await readFile(log, 'utf8');
    expect(said).not.toContain('xxx');
    expect(said.match(/nothing is started here/g)).toHaveLength(3);
  });

  it('S18 a planted link is replaced by the request file and never followed', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await run.tell(begun);
    await run.ask();
    const target = join(place.root, '.bashrc');
    await writeFile(target, 'mine\n');
    await mkdir(run.files.requests, { recursive: true });
    await mkdir(run.files.vcrs, { recursive: true });
    await symlink(target, run.files.request('stop'));
    await symlink(target, run.files.vcr('vcr-001'));
    const server = await place.serve();
    const answer = await ask(server, `/api/runs/${ID}/vcr`, { body: { crp_id: 'crp-001', decision: 'A' } });
    expect(answer.json()).toMatchObject({ ok: true, vcr_id: 'vcr-002' });
    expect((await ask(server, `/api/runs/${ID}/stop`, { body: {} })).json()).toMatchObject({ ok: true });
    expect(await readFile(target, 'utf8')).toBe('mine\n');
  });
});
