/**
 * The proof that this tab sends instead of its session. It is created after the server has proven that it knows the
 * session, and is valid only for that server process. It is dropped when the connection is lost, because another
 * program may then listen on the port: the server must prove itself again first.
 */

import type { SessionProof } from '../../http-protocol.ts';
import { formatProof, pageClaim, serverClaim } from '../../sessions/session-handshake.ts';
import { problemOf, Refusal } from './refusal-error.ts';
import { token } from './session.ts';

let known: Promise<string> | null = null;

/** Throws a `Refusal` with 401 if there is no session or the server does not know it. */
export function sessionProofHeader(): Promise<string> {
  if (known) return known;
  const pending = createProof();
  known = pending;
  pending.catch(() => {
    if (known === pending) known = null;
  });
  return pending;
}

export function dropSessionProof(): void {
  known = null;
}

async function createProof(): Promise<string> {
  const session = token();
  if (!session) throw new Refusal(401, { code: 'E_TOKEN', message: 'There is no session.', suggestions: [] });
  const key = await digest(new TextEncoder().encode(session));
  const [id, sign] = await Promise.all([digest(key).then(hex), signerWith(key)]);
  const nonce = hex(crypto.getRandomValues(new Uint8Array(32)));
  const answer = await fetch('/api/session/proof', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, nonce }),
  });
  const json: unknown = await answer.json().catch(() => null);
  const problem = problemOf(json);
  if (problem) throw new Refusal(answer.status, problem);
  const { nonce: serverNonce, proof } = (json ?? {}) as Partial<SessionProof>;
  const port = Number(location.port || 80);
  if (proof !== (await sign(serverClaim(port, nonce, String(serverNonce)))))
    throw new Error('The program at this address is not the server that issued the session of this page.');
  return formatProof(id, await sign(pageClaim(port, String(serverNonce))));
}

const digest = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

const hex = (bytes: Uint8Array): string =>
  [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');

async function signerWith(key: Uint8Array<ArrayBuffer>): Promise<(text: string) => Promise<string>> {
  const usable = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  return async text =>
    hex(new Uint8Array(await crypto.subtle.sign('HMAC', usable, new TextEncoder().encode(text))));
}
