/**
 * What this tab sends instead of its session. It is made once the server has proven that it knows the session, is good
 * for that process of the server alone, and is dropped whenever the connection is lost: then the server, or whoever
 * listens on its port by now, has to prove itself anew before it is told anything.
 */
import { pageClaim, passOf, serverClaim } from '../handshake.ts';
import type { Proof } from '../protocol.ts';
import { problemOf, Refusal } from './refusal.ts';
import { token } from './session.ts';

let known: Promise<string> | null = null;

/** Throws a `Refusal` with 401 when there is no session or the server does not know it. */
export function pass(): Promise<string> {
  if (known) return known;
  const asked = proven();
  known = asked;
  asked.catch(() => {
    if (known === asked) known = null;
  });
  return asked;
}

export function dropPass(): void {
  known = null;
}

async function proven(): Promise<string> {
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
  const said: unknown = await answer.json().catch(() => null);
  const problem = problemOf(said);
  if (problem) throw new Refusal(answer.status, problem);
  const { nonce: theirs, proof } = (said ?? {}) as Partial<Proof>;
  const port = Number(location.port || 80);
  if (proof !== (await sign(serverClaim(port, nonce, String(theirs)))))
    throw new Error('What listens at this address is not the server that gave this page its session.');
  return passOf(id, await sign(pageClaim(port, String(theirs))));
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
