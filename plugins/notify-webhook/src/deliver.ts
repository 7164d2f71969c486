/** Delivers a notification: retries after network and server errors, not after client errors. */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Notification } from 'dure';
import { PRESETS } from './presets.ts';
import { secretValue, type WebhookSettings } from './settings.ts';

const ATTEMPT_MS = 5000;
const FIRST_PAUSE_MS = 250;

export async function deliver(
  notification: Notification,
  settings: WebhookSettings,
  signal: AbortSignal,
): Promise<void> {
  const url = secretValue(settings.url ?? '');
  if (!url) throw new Error('no url is configured');
  const { body, headers } = PRESETS[settings.preset](notification);
  const request = {
    method: 'POST',
    body,
    redirect: 'error' as const,
    headers: {
      ...headers,
      'User-Agent': 'dure',
      'X-Dure-Event': notification.event.type,
      // The same id in every attempt, so that a receiver can drop duplicates.
      'X-Dure-Delivery': `${notification.run.run_id}/${notification.run.seq}`,
      ...signature(body, settings.secret),
    },
  };
  for (let attempt = 0; ; attempt += 1) {
    const problem = await post(url, request, signal);
    if (problem === null) return;
    signal.throwIfAborted();
    if (!problem.again || attempt >= settings.retries)
      throw new Error(`${problem.why} (${attempt + 1} ${attempt === 0 ? 'attempt' : 'attempts'})`);
    await sleep(FIRST_PAUSE_MS * 2 ** attempt, undefined, { signal });
  }
}

/** Signs as GitHub does: the receiver computes the HMAC-SHA256 of the raw body and compares it with the header. */
function signature(body: string, secret: string | undefined): Record<string, string> {
  if (secret === undefined) return {};
  const key = secretValue(secret);
  if (!key)
    throw new Error(
      `the environment variable ${secret.slice('env:'.length)} is not set, so nothing can be signed`,
    );
  return { 'X-Dure-Signature': `sha256=${createHmac('sha256', key).update(body).digest('hex')}` };
}

async function post(
  url: string,
  request: RequestInit,
  signal: AbortSignal,
): Promise<{ why: string; again: boolean } | null> {
  // Not `AbortSignal.any` with a timeout: in Node 20 the timeout is garbage-collected and never fires.
  const limit = new AbortController();
  const end = () => limit.abort(signal.reason);
  const timer = setTimeout(
    () => limit.abort(new Error(`no response within ${ATTEMPT_MS / 1000} s`)),
    ATTEMPT_MS,
  );
  signal.addEventListener('abort', end, { once: true });
  try {
    signal.throwIfAborted();
    const response = await fetch(url, { ...request, signal: limit.signal });
    await response.body?.cancel();
    if (response.ok) return null;
    return {
      why: `the server responded with status ${response.status}`,
      again: response.status >= 500 || response.status === 429,
    };
  } catch (error) {
    // The URL may be a secret, so only the cause is reported.
    const { message, cause } = error as Error;
    return { why: cause instanceof Error ? cause.message || message : message, again: true };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}
