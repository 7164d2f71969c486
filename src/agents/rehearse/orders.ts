/** What the one who started an agent says to it while it is at work: its prompt, and control requests. */
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Stream } from './stream.ts';

export interface Ears {
  readonly stream: Stream;
  /** What the session has cost by now, in US dollars. */
  cost(): number;
  interrupt(): void;
}

const PATIENCE_MS = 2_000;
/** Requests that need no more than a yes. */
const AGREED = ['initialize', 'set_model', 'interrupt'];

/**
 * Reads standard input for as long as the process lives, so that a prompt of any size finds a reader. Settles at the
 * first word, at the end of the input, or when nobody says anything: then the agent begins.
 */
export async function hear(input: NodeJS.ReadStream, ears: Ears): Promise<void> {
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const spoken = new Promise<void>(begin => {
    lines.on('line', line => {
      obey(line, ears);
      begin();
    });
    lines.on('close', begin);
    input.on('error', () => begin());
    if (input.isTTY) begin();
  });
  await Promise.race([spoken, pause(PATIENCE_MS)]);
}

function obey(line: string, { stream, cost, interrupt }: Ears): void {
  const order = parsed(line);
  if (order?.type !== 'control_request' || order.request_id === undefined) return;
  const { subtype } = order.request ?? {};
  if (subtype === 'get_usage') stream.usage(order.request_id, cost());
  else if (subtype && AGREED.includes(subtype)) stream.agree(order.request_id);
  else stream.decline(order.request_id);
  if (subtype === 'interrupt') interrupt();
}

interface Order {
  readonly type?: string;
  readonly request_id?: string;
  readonly request?: { readonly subtype?: string };
}

function parsed(line: string): Order | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
