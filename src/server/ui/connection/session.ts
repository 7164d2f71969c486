/**
 * This tab's session. It comes from the one-time code in the URL or from another tab of the same origin, and is kept in
 * `sessionStorage`, which, unlike a cookie, is not shared with servers on other ports of the same host. The session
 * itself is never sent; see `session-proof.ts`.
 */
import type { SessionView } from '../../http-protocol.ts';

const KEY = 'dure.token';
/** How long to wait for another tab that has a session: it may be busy. */
const ANSWER_MS = 10_000;

/** Releases this tab's lock, so that other tabs know that it no longer has a session. */
let release: (() => void) | null = null;

export const token = (): string | null => sessionStorage.getItem(KEY);
export function forgetToken(): void {
  sessionStorage.removeItem(KEY);
  release?.();
}

/** Returns true if there is a session. Removes the code from the address bar first. */
export async function openSession(): Promise<boolean> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code) {
    history.replaceState(null, '', location.pathname + location.search);
    const found = await exchangeCode(code);
    if (found) sessionStorage.setItem(KEY, found);
  }
  if (!token()) {
    const shared = await fromAnotherTab();
    if (shared) sessionStorage.setItem(KEY, shared);
  }
  if (token()) await shareWithOtherTabs();
  return token() !== null;
}

async function exchangeCode(code: string): Promise<string | null> {
  const answer = await fetch('/api/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  }).catch(() => null);
  return answer?.ok ? ((await answer.json()) as SessionView).token : null;
}

type Message = { ask: true } | { token: string };

async function fromAnotherTab(): Promise<string | null> {
  const { held = [] } = await navigator.locks.query();
  if (!held.some(({ name }) => name === KEY)) return null;
  const channel = new BroadcastChannel(KEY);
  return new Promise<string | null>(resolve => {
    const timer = setTimeout(() => resolve(null), ANSWER_MS);
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (!('token' in data)) return;
      clearTimeout(timer);
      resolve(data.token);
    };
    channel.postMessage({ ask: true } satisfies Message);
  }).finally(() => channel.close());
}

/** A tab with a session holds a lock, so that a new tab knows whether it has to wait for an answer. */
async function shareWithOtherTabs(): Promise<void> {
  const channel = new BroadcastChannel(KEY);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    const own = token();
    if ('ask' in data && own) channel.postMessage({ token: own } satisfies Message);
  };
  await new Promise<void>(granted => {
    void navigator.locks.request(KEY, { mode: 'shared' }, () => {
      granted();
      return new Promise<void>(released => {
        release = released;
      });
    });
  });
}
