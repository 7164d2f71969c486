/**
 * Checks the headers of every HTTP request and upgrade before anything else. Rejects requests from pages of other
 * origins, and from host names that were rebound to this address.
 */
import type { IncomingHttpHeaders } from 'node:http';

export interface HostRefusal {
  readonly status: 403 | 421;
  readonly why: string;
}

export interface RequestOrigin {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

const hostsOf = (port: number): string[] => [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];

/** Null allows the request. Proxy headers such as X-Forwarded-Host are ignored. */
export function hostRefusal({ method, headers }: RequestOrigin, port: number): HostRefusal | null {
  const { host, origin } = headers;
  if (host === undefined || !hostsOf(port).includes(host))
    return { status: 421, why: 'This host name is not allowed.' };
  if (origin !== undefined && origin !== `http://${host}`)
    return { status: 403, why: 'Requests of other pages are refused.' };
  const site = headers['sec-fetch-site'];
  const foreign = site !== undefined && site !== 'same-origin' && site !== 'none';
  return foreign && !opensPage(method, headers)
    ? { status: 403, why: 'Requests of other pages are refused.' }
    : null;
}

/** A link on another site may open a page, but only as a top-level navigation. */
const opensPage = (method: string, headers: IncomingHttpHeaders): boolean =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
