/**
 * Who is let in: the token of this process, for commands and scripts, and the sessions of browsers. A browser gets
 * its session for a one-time code, and shows afterwards that it has it without sending it (`handshake.ts`). Sessions
 * outlive the process, so that a page that stays open is right again after a restart; only their hashes are kept, an
 * unused one ends after half a day, and one of another port is worth nothing: its pages cannot reach this server.
 * Times are monotonic within a process and read from the clock only across processes.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { defineFile } from '../formats/define.ts';
import { readFormat } from '../formats/file.ts';
import { pageClaim, partsOfPass, serverClaim } from './handshake.ts';
import { Refusal } from './refusal.ts';
import { keepSecretJson } from './server-files.ts';

const CODE_LIVES_MS = 120_000;
const SESSION_LIVES_MS = 12 * 3_600_000;
/** Uses of a session closer together than this need not be written down. */
const RENEWAL_MS = 3_600_000;
const TRIES_PER_MINUTE = 20;
const MOST_SESSIONS = 200;

const sessionsFile = defineFile(
  'server/sessions.json',
  'Hashes of the sessions of browsers with the port they were given at, and when each ends (ms since 1970).',
  z.strictObject({ port: z.int(), sessions: z.record(z.string().regex(/^[0-9a-f]{64}$/), z.number()) }),
);

export interface Sessions {
  /** 256 random bits, new with every process. */
  readonly token: string;
  /** Called once, when the server listens. Sessions of another port end: whoever has that port now may know them. */
  listensOn(port: number): void;
  /** Of an `Authorization: Bearer` or a socket's `auth.token`; anything but the right string is refused.
   * A page sends its pass there. */
  admits(token: unknown): boolean;
  /** A new one-time code, good for two minutes. */
  code(): string;
  /** A session for the code. Null when it is wrong, used or old. Throws 429 when somebody guesses. */
  exchange(code: string): Promise<string | null>;
  /** Proves to a page that this server knows its session; null when it does not. */
  prove(id: string, pageNonce: string): { nonce: string; proof: string } | null;
}

const secret = () => randomBytes(32).toString('base64url');
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const hashOfKey = (key: string): string => createHash('sha256').update(Buffer.from(key, 'hex')).digest('hex');
const signed = (key: string, text: string): string =>
  createHmac('sha256', Buffer.from(key, 'hex')).update(text).digest('hex');
const same = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** `clock` is monotonic, in milliseconds. */
export async function openSessions(file: string, clock = () => performance.now()): Promise<Sessions> {
  const token = secret();
  const nonce = secret();
  const own = hashOf(token);
  const codes = new Map<string, number>();
  const tries: number[] = [];
  const kept = await readFormat(sessionsFile, file);
  const sessions = new Map(kept.is === 'value' ? Object.entries(kept.value.sessions) : []);
  let port = kept.is === 'value' ? kept.value.port : 0;

  const save = async () => {
    const now = Date.now();
    const alive = [...sessions].filter(([, until]) => until > now).slice(-MOST_SESSIONS);
    sessions.clear();
    for (const [hash, until] of alive) sessions.set(hash, until);
    await keepSecretJson(file, { port, sessions: Object.fromEntries(sessions) });
  };
  const isAlive = (hash: string): boolean => (sessions.get(hash) ?? 0) > Date.now();
  const keyOf = (id: string): string | undefined =>
    [...sessions.keys()].find(hash => hashOfKey(hash) === id && isAlive(hash));
  /** The hash of the session that a session itself or a pass of a page speaks for. */
  const spokenFor = (given: string): string | undefined => {
    const pass = partsOfPass(given);
    const key = pass ? keyOf(pass.id) : hashOf(given);
    if (!pass || key === undefined) return key;
    return same(signed(key, pageClaim(port, nonce)), pass.signature) ? key : undefined;
  };

  return {
    token,
    listensOn(taken) {
      if (taken === port) return;
      port = taken;
      sessions.clear();
      // Left there they would only be worth something again if this server came back to the old port.
      save().catch(() => {});
    },
    admits(given) {
      if (typeof given !== 'string' || given === '' || given.length > 200) return false;
      if (same(hashOf(given), own)) return true;
      const hash = spokenFor(given) ?? '';
      const left = (sessions.get(hash) ?? 0) - Date.now();
      if (left <= 0) return false;
      if (left < SESSION_LIVES_MS - RENEWAL_MS) {
        sessions.set(hash, Date.now() + SESSION_LIVES_MS);
        // A renewal that is lost costs a new code later, never access to anything.
        save().catch(() => {});
      }
      return true;
    },
    code() {
      const code = secret();
      codes.set(hashOf(code), clock() + CODE_LIVES_MS);
      return code;
    },
    async exchange(code) {
      const now = clock();
      while (tries[0] !== undefined && tries[0] < now - 60_000) tries.shift();
      if (tries.length >= TRIES_PER_MINUTE)
        throw new Refusal(429, 'E_RATE', 'Too many codes; wait a minute.');
      tries.push(now);
      const hash = hashOf(code);
      const until = codes.get(hash);
      codes.delete(hash);
      if (until === undefined || until < now) return null;
      const session = secret();
      sessions.set(hashOf(session), Date.now() + SESSION_LIVES_MS);
      await save();
      return session;
    },
    prove(id, pageNonce) {
      const key = keyOf(id);
      return key === undefined ? null : { nonce, proof: signed(key, serverClaim(port, pageNonce, nonce)) };
    },
  };
}
