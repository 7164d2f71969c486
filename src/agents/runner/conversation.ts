/**
 * What the runner says to an agent on its standard input. Claude Code is spoken with while it works: the task, the
 * question after the cost, the word to stop. Any other CLI gets the task and the end of input.
 */
import type { Writable } from 'node:stream';
import { USAGE_BEFORE, USAGE_SO_FAR } from '../streams/claude.ts';
import { type Loose, part } from '../streams/loose.ts';

export interface Conversation {
  /** Every event of the stream, in order. */
  hear(event: Loose): void;
  /** Asks the agent to stop. False when it cannot be asked. */
  interrupt(): boolean;
  /** Nothing more will be said. */
  end(): void;
}

/** A session that waits for no answer stays silent when it is resumed; it is then told to go on. */
const SILENCE_MS = 10_000;

export function withClaude(stdin: Writable, task: string | null): Conversation {
  // An agent that has gone hears nothing; how it went is seen elsewhere.
  stdin.on('error', () => {});
  const send = (message: object): void => {
    if (stdin.writable) stdin.write(`${JSON.stringify(message)}\n`);
  };
  const request = (request_id: string, subtype: string): void =>
    send({ type: 'control_request', request_id, request: { subtype } });
  const tell = (content: string): void =>
    send({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' });

  let asking = false;
  let again = false;
  const ask = (): void => {
    if (asking) again = true;
    else request(USAGE_SO_FAR, 'get_usage');
    asking = true;
  };

  request(USAGE_BEFORE, 'get_usage');
  // A slash at the very beginning would be taken for a command of the CLI, and answered without the model.
  if (task !== null) tell(task.startsWith('/') ? `\n${task}` : task);
  let silent = true;
  let silence: NodeJS.Timeout | undefined;
  const replied = (to: unknown): void => {
    if (to === USAGE_BEFORE && task === null && silent)
      silence = setTimeout(() => tell('Continue from where you left off.'), SILENCE_MS);
    if (to !== USAGE_SO_FAR) return;
    asking = false;
    if (again) ask();
    again = false;
  };

  return {
    hear(event) {
      if (event['type'] === 'control_response') return replied(part(event['response'])['request_id']);
      silent = false;
      clearTimeout(silence);
      if (event['type'] === 'stream_event' && part(event['event'])['type'] === 'message_stop') ask();
    },
    interrupt() {
      clearTimeout(silence);
      request('stop', 'interrupt');
      stdin.end();
      return true;
    },
    end() {
      clearTimeout(silence);
      stdin.end();
    },
  };
}

export function dictation(stdin: Writable, task: string | null): Conversation {
  stdin.on('error', () => {});
  stdin.end(task ?? '');
  return { hear: () => {}, interrupt: () => false, end: () => {} };
}
