/** Connects through the HTTP proxy set in the user's environment, as is common on corporate networks. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

type Env = Readonly<Record<string, string | undefined>>;

const variable = (env: Env, name: string): string => env[name] || env[name.toLowerCase()] || '';

/** Returns the proxy for HTTPS connections to a host; null for a direct connection. */
export function proxyFor(host: string, env: Env): URL | null {
  const named = variable(env, 'HTTPS_PROXY') || variable(env, 'ALL_PROXY');
  const text = named.includes('://') ? named : `http://${named}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || /^(127\.|localhost$)/.test(host)) return null;
  const direct = variable(env, 'NO_PROXY')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const name = host.toLowerCase();
  const isDirect = direct.some(entry => {
    const domain = entry.replace(/^\*?\./, '').replace(/:\d+$/, '');
    return entry === '*' || name === domain || name.endsWith(`.${domain}`);
  });
  return isDirect ? null : url;
}

/** Rejects if the proxy refuses the connection. */
async function throughProxy(proxy: URL, target: string): Promise<Duplex> {
  const { username, password } = proxy;
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const request = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    method: 'CONNECT',
    path: target,
    headers: {
      host: target,
      ...(username && { 'proxy-authorization': `Basic ${login.toString('base64')}` }),
    },
  });
  request.on('response', reply => request.destroy(new Error(`the proxy returned ${reply.statusCode}`)));
  request.end();
  const [reply, socket, head] = (await once(request, 'connect')) as [IncomingMessage, Socket, Buffer];
  if (reply.statusCode !== 200) {
    socket.destroy();
    throw new Error(`the proxy returned ${reply.statusCode}`);
  }
  if (head.length > 0) socket.unshift(head);
  return socket;
}

/** Connects to `host:port`. */
export async function connectThrough(target: string, env: Env): Promise<Duplex> {
  const [host = '', port] = target.split(':');
  const proxy = proxyFor(host, env);
  if (proxy) return throughProxy(proxy, target);
  const socket = connect(Number(port), host);
  await once(socket, 'connect');
  return socket;
}
