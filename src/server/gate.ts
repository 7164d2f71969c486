/**
 * Who may speak to the server at all, judged by the headers before anything else happens, on HTTP and on upgrade
 * alike. A page of another origin, or one that reached us by a name it made point here, gets no further.
 */
import type { IncomingHttpHeaders } from 'node:http';

export interface Turned {
  readonly status: 403 | 421;
  readonly why: string;
}

export interface Knock {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

const hostsOf = (port: number): string[] => [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];

/** Null lets it in. Proxies' headers such as X-Forwarded-Host are never looked at. */
export function turned({ method, headers }: Knock, port: number): Turned | null {
  const { host, origin } = headers;
  if (host === undefined || !hostsOf(port).includes(host))
    return { status: 421, why: 'This server does not answer to that name.' };
  if (origin !== undefined && origin !== `http://${host}`)
    return { status: 403, why: 'Requests of other pages are refused.' };
  const site = headers['sec-fetch-site'];
  const foreign = site !== undefined && site !== 'same-origin' && site !== 'none';
  return foreign && !opensPage(method, headers)
    ? { status: 403, why: 'Requests of other pages are refused.' }
    : null;
}

/** A link somewhere may lead here, as long as it opens a page of its own. */
const opensPage = (method: string, headers: IncomingHttpHeaders): boolean =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
