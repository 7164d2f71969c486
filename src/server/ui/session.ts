/**
 * The session of this tab. It comes from the one-time code in the address, lies in `sessionStorage` (which, unlike
 * a cookie, no other port of this machine sees), and another tab of the same origin may hand it over. It is never
 * sent: a pass is, see `pass.ts`.
 */
import type { Session } from '../protocol.ts';

const KEY = 'dure.token';
/** How long another tab may take to answer. */
const PATIENCE_MS = 300;

export const token = (): string | null => sessionStorage.getItem(KEY);
export const forgetToken = (): void => sessionStorage.removeItem(KEY);

/** True when there is a key. The code leaves the address bar before anything else happens. */
export async function openSession(): Promise<boolean> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code) {
    history.replaceState(null, '', location.pathname + location.search);
    const found = await exchanged(code);
    if (found) sessionStorage.setItem(KEY, found);
  }
  if (!token()) {
    const handed = await fromAnotherTab();
    if (handed) sessionStorage.setItem(KEY, handed);
  }
  shareWithOtherTabs();
  return token() !== null;
}

async function exchanged(code: string): Promise<string | null> {
  const answer = await fetch('/api/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  }).catch(() => null);
  return answer?.ok ? ((await answer.json()) as Session).token : null;
}

type Word = { ask: true } | { token: string };

function fromAnotherTab(): Promise<string | null> {
  const channel = new BroadcastChannel(KEY);
  return new Promise<string | null>(resolve => {
    const timer = setTimeout(() => resolve(null), PATIENCE_MS);
    channel.onmessage = ({ data }: MessageEvent<Word>) => {
      if (!('token' in data)) return;
      clearTimeout(timer);
      resolve(data.token);
    };
    channel.postMessage({ ask: true } satisfies Word);
  }).finally(() => channel.close());
}

function shareWithOtherTabs(): void {
  const channel = new BroadcastChannel(KEY);
  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    const own = token();
    if ('ask' in data && own) channel.postMessage({ token: own } satisfies Word);
  };
}
