/** Standard input of a rehearsed agent: its prompt and control requests. */
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Stream } from './claude-stream-writer.ts';

export interface AgentInput {
  readonly stream: Stream;
  /** The cost of the session so far, in US dollars. */
  cost(): number;
  interrupt(): void;
}

const PATIENCE_MS = 2_000;
/** Requests that only need an acknowledgement. */
const AGREED = ['initialize', 'set_model', 'interrupt'];

/**
 * Reads standard input for the lifetime of the process, so that a prompt of any size is consumed. Settles at the
 * first message, at end of input, or after a time without input: then the agent begins.
 */
export async function readAgentInput(input: NodeJS.ReadStream, handlers: AgentInput): Promise<void> {
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const ready = new Promise<void>(begin => {
    lines.on('line', line => {
      handleRequest(line, handlers);
      begin();
    });
    lines.on('close', begin);
    input.on('error', () => begin());
    if (input.isTTY) begin();
  });
  await Promise.race([ready, pause(PATIENCE_MS)]);
}

function handleRequest(line: string, { stream, cost, interrupt }: AgentInput): void {
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
