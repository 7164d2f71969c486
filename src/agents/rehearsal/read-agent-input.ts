/** Standard input of an agent of the rehearsal backend: its prompt and control requests. */
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Stream } from './claude-stream-writer.ts';

export interface InputHandlers {
  readonly stream: Stream;
  /** The cost of the session so far, in US dollars. */
  cost(): number;
  interrupt(): void;
}

const INPUT_TIMEOUT_MS = 2_000;
/** Requests that only need an acknowledgement. */
const ACKNOWLEDGED = ['initialize', 'set_model', 'interrupt'];

/**
 * Reads standard input for the lifetime of the process, so that a prompt of any size is consumed. Settles at the
 * first message, at end of input, or after a time without input: then the agent begins.
 */
export async function readAgentInput(input: NodeJS.ReadStream, handlers: InputHandlers): Promise<void> {
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const ready = new Promise<void>(resolve => {
    lines.on('line', line => {
      handleRequest(line, handlers);
      resolve();
    });
    lines.on('close', resolve);
    input.on('error', () => resolve());
    if (input.isTTY) resolve();
  });
  await Promise.race([ready, pause(INPUT_TIMEOUT_MS)]);
}

function handleRequest(line: string, { stream, cost, interrupt }: InputHandlers): void {
  const request = parsed(line);
  if (request?.type !== 'control_request' || request.request_id === undefined) return;
  const { subtype } = request.request ?? {};
  if (subtype === 'get_usage') stream.usage(request.request_id, cost());
  else if (subtype && ACKNOWLEDGED.includes(subtype)) stream.acknowledge(request.request_id);
  else stream.reject(request.request_id);
  if (subtype === 'interrupt') interrupt();
}

interface ControlRequest {
  readonly type?: string;
  readonly request_id?: string;
  readonly request?: { readonly subtype?: string };
}

function parsed(line: string): ControlRequest | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
