/**
 * Who is let in: the token of this process, for commands and scripts, and the sessions of browsers. A browser gets
 * its session for a one-time code. Sessions outlive the process, so that a page that stays open is right again after
 * a restart; only their hashes are kept, and an unused one ends after half a day. Times are monotonic within a
 * process and read from the clock only across processes.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { defineFile } from '../formats/define.ts';
import { readFormat } from '../formats/file.ts';
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
  'Hashes of the sessions of browsers, and when each ends (ms since 1970).',
  z.strictObject({ sessions: z.record(z.string().regex(/^[0-9a-f]{64}$/), z.number()) }),
);

export interface Sessions {
  /** 256 random bits, new with every process. */
  readonly token: string;
  /** Of an `Authorization: Bearer` or a socket's `auth.token`; anything but the right string is refused. */
  admits(token: unknown): boolean;
  /** A new one-time code, good for two minutes. */
  code(): string;
  /** A session for the code. Null when it is wrong, used or old. Throws 429 when somebody guesses. */
  exchange(code: string): Promise<string | null>;
}

const secret = () => randomBytes(32).toString('base64url');
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const same = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** `clock` is monotonic, in milliseconds. */
export async function openSessions(file: string, clock = () => performance.now()): Promise<Sessions> {
  const token = secret();
  const own = hashOf(token);
  const codes = new Map<string, number>();
  const tries: number[] = [];
  const kept = await readFormat(sessionsFile, file);
  const sessions = new Map(kept.is === 'value' ? Object.entries(kept.value.sessions) : []);

  const save = async () => {
    const now = Date.now();
    const alive = [...sessions].filter(([, until]) => until > now).slice(-MOST_SESSIONS);
    sessions.clear();
    for (const [hash, until] of alive) sessions.set(hash, until);
    await keepSecretJson(file, { sessions: Object.fromEntries(sessions) });
  };

  return {
    token,
    admits(given) {
      if (typeof given !== 'string' || given === '' || given.length > 200) return false;
      const hash = hashOf(given);
      if (same(hash, own)) return true;
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
  };
}
