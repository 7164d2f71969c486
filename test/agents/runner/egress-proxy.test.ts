import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { egressProxy } from '../../../src/agents/runner/egress-proxy.ts';
import { isHostAllowed, ownPorts } from '../../../src/agents/runner/is-host-allowed.ts';
import { proxyFor } from '../../../src/agents/runner/upstream-proxy.ts';

/** Status of a CONNECT request, and what the target sends. */
async function ask(socketPath: string, path: string): Promise<string> {
  const asked = request({ socketPath, method: 'CONNECT', path }).end();
  const [reply, socket, head] = (await once(asked, 'connect')) as [
    { statusCode: number },
    NodeJS.ReadableStream,
    Buffer,
  ];
  let text = String(head);
  for await (const chunk of socket) text += String(chunk);
  return `${reply.statusCode} ${text}`;
}

const HOSTS = ['api.example.org', 'Registry.example.org:8443', 'localhost:4873'];

test.each([
  ['api.example.org:443', true],
  ['API.example.org:443', true],
  ['registry.example.org:8443', true],
  ['127.0.0.1:4873', true],
  ['api.example.org:80', false],
  ['registry.example.org:443', false],
  ['evil-api.example.org:443', false],
  ['api.example.org.evil.example:443', false],
  ['api.example.org', false],
  ['user@api.example.org:443', false],
  ['api.example.org\u0000.evil.example:443', false],
  ['127.0.0.1:22', false],
])('%j is allowed: %s', (target, expected) => {
  expect(isHostAllowed(target, HOSTS)).toBe(expected);
});

test('ownPorts returns only the ports of hosts on this machine', () => {
  expect(ownPorts(HOSTS)).toEqual([4873]);
});

test('the proxy connects to listed hosts and reports every other host once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dure-proxy-'));
  const server = createServer(socket => socket.end('welcome')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const refused: string[] = [];
  const socketPath = join(folder, 's');
  const proxy = await egressProxy(socketPath, [`127.0.0.1:${port}`], target => refused.push(target));
  onTestFinished(async () => {
    proxy.close();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  expect(await ask(socketPath, `127.0.0.1:${port}`)).toBe('200 welcome');
  for (const _ of [1, 2]) expect(await ask(socketPath, '127.0.0.1:1')).toBe('403 ');
  expect(refused).toEqual(['127.0.0.1:1']);
});

test.each([
  [{}, null],
  [{ HTTPS_PROXY: 'http://proxy:3128' }, 'http://proxy:3128/'],
  [{ https_proxy: 'http://proxy:3128' }, 'http://proxy:3128/'],
  [{ HTTPS_PROXY: 'proxy:3128' }, 'http://proxy:3128/'],
  [{ ALL_PROXY: 'http://proxy:3128' }, 'http://proxy:3128/'],
  [{ HTTPS_PROXY: 'socks5://proxy:1080' }, null],
  [{ HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'localhost,.example.org' }, null],
  [{ HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'api.example.org:443' }, null],
  [{ HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: '*' }, null],
  [{ HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'pi.example.org' }, 'http://proxy:3128/'],
])("proxyFor finds the user's proxy in the environment %j: %s", (env, expected) => {
  expect(proxyFor('api.example.org', env)?.href ?? null).toBe(expected);
  expect(proxyFor('127.0.0.1', env)).toBeNull();
});

test("the proxy connects through the user's proxy, with its password", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dure-proxy-'));
  const asked: unknown[] = [];
  const users = createHttpServer()
    .on('connect', ({ url, headers }, socket) => {
      asked.push([url, headers['proxy-authorization']]);
      socket.end(
        url === 'api.example.org:443'
          ? 'HTTP/1.1 200 OK\r\n\r\nwelcome'
          : 'HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n',
      );
    })
    .listen(0, '127.0.0.1');
  await once(users, 'listening');
  const { port } = users.address() as { port: number };
  const socketPath = join(folder, 's');
  const hosts = ['api.example.org', 'other.example.org'];
  const env = { HTTPS_PROXY: `http://ann:p%40ss@127.0.0.1:${port}` };
  const proxy = await egressProxy(socketPath, hosts, () => {}, env);
  onTestFinished(async () => {
    proxy.close();
    users.close();
    await rm(folder, { recursive: true, force: true });
  });
  expect(await ask(socketPath, 'api.example.org:443')).toBe('200 welcome');
  expect(await ask(socketPath, 'other.example.org:443')).toBe('502 ');
  const login = `Basic ${Buffer.from('ann:p@ss').toString('base64')}`;
  expect(asked).toEqual([
    ['api.example.org:443', login],
    ['other.example.org:443', login],
  ]);
});
