/** Reads the standard input of an agent of the rehearsal backend: its prompt and control requests. */
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { objectAt, parseJsonLine, textAt } from '../../formats/schema/json-access.ts';
import type { Stream } from './claude-stream-writer.ts';

const INPUT_TIMEOUT_MS = 2_000;
/** Requests that only need an acknowledgement. */
const ACKNOWLEDGED = ['initialize', 'set_model', 'interrupt'];

/**
 * Reads standard input for the lifetime of the process, so that a prompt of any size is consumed. The returned promise
 * settles at the first message, at end of input, or after some time without input; the agent then begins.
 */
export async function readAgentInput(
  input: NodeJS.ReadStream,
  stream: Stream,
  interrupt: () => void,
): Promise<void> {
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const ready = new Promise<void>(resolve => {
    lines.on('line', line => {
      handleRequest(line, stream, interrupt);
      resolve();
    });
    lines.on('close', resolve);
    input.on('error', () => resolve());
    if (input.isTTY) resolve();
  });
  await Promise.race([ready, pause(INPUT_TIMEOUT_MS)]);
}

function handleRequest(line: string, stream: Stream, interrupt: () => void): void {
  const message = parseJsonLine(line);
  const id = textAt(message?.['request_id']);
  if (message?.['type'] !== 'control_request' || id === null) return;
  const subtype = textAt(objectAt(message['request'])['subtype']) ?? '';
  if (subtype === 'get_usage') stream.usage(id);
  else if (ACKNOWLEDGED.includes(subtype)) stream.acknowledge(id);
  else stream.reject(id);
  if (subtype === 'interrupt') interrupt();
}
