/**
 * Checks the headers of every HTTP request and upgrade before anything else. Rejects requests from pages of other
 * origins, and requests for host names that were rebound to this address.
 */
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export interface HostRefusal {
  readonly status: 403 | 421;
  readonly why: string;
}

export interface RequestOrigin {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

const hostsOf = (port: number): string[] => [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];

/** Returns null if the request is allowed. Ignores proxy headers such as X-Forwarded-Host. */
export function hostRefusal({ method, headers }: RequestOrigin, port: number): HostRefusal | null {
  const { host, origin } = headers;
  if (host === undefined || !hostsOf(port).includes(host))
    return { status: 421, why: isForwarded(host) ? samePort(port) : 'This host name is not allowed.' };
  if (origin !== undefined && origin !== `http://${host}`)
    return { status: 403, why: 'Requests from other pages are refused.' };
  const site = headers['sec-fetch-site'];
  const foreign = site !== undefined && site !== 'same-origin' && site !== 'none';
  return foreign && !opensPage(method, headers)
    ? { status: 403, why: 'Requests from other pages are refused.' }
    : null;
}

/**
 * Whether a refused host is a loopback name with a port. If so, someone has forwarded that port, and the refusal may
 * name the server's own port.
 */
const isForwarded = (host = ''): boolean => /^(127\.0\.0\.1|localhost|\[::1\]):\d+$/.test(host);
const samePort = (port: number): string =>
  `These pages are served only on port ${port}. If you forward it, use the same number on both sides: ssh -L ${port}:127.0.0.1:${port} HOST. If that port is in use on your machine, choose another one with dure serve --port.`;

/** A link on another site may open a page, but only as a top-level navigation. */
const opensPage = (method: string, headers: IncomingHttpHeaders): boolean =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';

export const originOf = ({ method = 'GET', headers }: IncomingMessage): RequestOrigin => ({
  method,
  headers,
});

/** Checks every request before Express and socket.io see it, so that the check covers all their routes. */
export function checkRequests(http: Server, port: number): void {
  const behind = http.listeners('request') as ((req: IncomingMessage, res: ServerResponse) => void)[];
  http.removeAllListeners('request');
  http.on('request', (req: IncomingMessage, res: ServerResponse) => {
    const refused = hostRefusal(originOf(req), port);
    if (!refused) {
      for (const listener of behind) listener.call(http, req, res);
      return;
    }
    res.writeHead(refused.status, {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    });
    res.end(`${refused.why}\n`);
  });
  http.prependListener('upgrade', (req: IncomingMessage, socket: Duplex) => {
    const refused = hostRefusal(originOf(req), port);
    if (refused)
      socket.end(`HTTP/1.1 ${refused.status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
}
