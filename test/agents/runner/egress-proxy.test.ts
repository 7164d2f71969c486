import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isAllowed, ownPorts } from '../../../src/agents/runner/allowed-hosts.ts';
import { egressProxy } from '../../../src/agents/runner/egress-proxy.ts';

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
  expect(isAllowed(target, HOSTS)).toBe(expected);
});

test('only ports of this machine are its own', () => {
  expect(ownPorts(HOSTS)).toEqual([4873]);
});

test('the proxy connects to listed hosts and names each other one once', async () => {
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
  const ask = async (path: string): Promise<string> => {
    const asked = request({ socketPath, method: 'CONNECT', path }).end();
    const [reply, socket, head] = (await once(asked, 'connect')) as [
      { statusCode: number },
      NodeJS.ReadableStream,
      Buffer,
    ];
    let text = String(head);
    for await (const chunk of socket) text += String(chunk);
    return `${reply.statusCode} ${text}`;
  };
  expect(await ask(`127.0.0.1:${port}`)).toBe('200 welcome');
  for (const _ of [1, 2]) expect(await ask('127.0.0.1:1')).toBe('403 ');
  expect(refused).toEqual(['127.0.0.1:1']);
});
