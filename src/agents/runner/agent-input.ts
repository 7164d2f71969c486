/**
 * The runner's side of the agent's standard input. Claude Code has a control channel, which carries the task, requests
 * for the cost, and an interrupt. Any other CLI gets the task and then end of input.
 */
import type { Writable } from 'node:stream';
import { type JsonObject, objectAt } from '../../formats/schema/json-access.ts';
import { USAGE_BEFORE, USAGE_SO_FAR } from '../streams/claude-stream-summary.ts';

export interface AgentInput {
  /** Receives every event of the stream, in order. */
  onEvent(event: JsonObject): void;
  /** Asks for the cost so far, which the agent prints as an event of the stream. */
  askForCost(): void;
  /** Asks the agent to stop. False if it has no control channel. */
  interrupt(): boolean;
  /** Ends the input. */
  end(): void;
}

/** Milliseconds after which a resumed session is told to continue: without a pending answer, it stays silent. */
const SILENCE_MS = 10_000;

export function claudeInput(stdin: Writable, task: string | null): AgentInput {
  // Writing to an agent that has exited fails; run-agent.ts handles its exit.
  stdin.on('error', () => {});
  const send = (message: object): void => {
    if (stdin.writable) stdin.write(`${JSON.stringify(message)}\n`);
  };
  const request = (request_id: string, subtype: string): void =>
    send({ type: 'control_request', request_id, request: { subtype } });
  const sendUserMessage = (content: string): void =>
    send({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' });

  let asking = false;
  let askAgain = false;
  const ask = (): void => {
    if (asking) askAgain = true;
    else request(USAGE_SO_FAR, 'get_usage');
    asking = true;
  };

  request(USAGE_BEFORE, 'get_usage');
  // The CLI would treat a task with a leading slash as one of its own commands and answer without the model.
  if (task !== null) sendUserMessage(task.startsWith('/') ? `\n${task}` : task);
  let isSilent = true;
  let silenceTimer: NodeJS.Timeout | undefined;
  const replied = (to: unknown): void => {
    if (to === USAGE_BEFORE && task === null && isSilent)
      silenceTimer = setTimeout(() => sendUserMessage('Continue from where you left off.'), SILENCE_MS);
    if (to !== USAGE_SO_FAR) return;
    asking = false;
    if (askAgain) ask();
    askAgain = false;
  };

  return {
    onEvent(event) {
      if (event['type'] === 'control_response') return replied(objectAt(event['response'])['request_id']);
      isSilent = false;
      clearTimeout(silenceTimer);
      if (event['type'] === 'stream_event' && objectAt(event['event'])['type'] === 'message_stop') ask();
    },
    askForCost: ask,
    interrupt() {
      clearTimeout(silenceTimer);
      request('stop', 'interrupt');
      stdin.end();
      return true;
    },
    end() {
      clearTimeout(silenceTimer);
      stdin.end();
    },
  };
}

export function taskOnlyInput(stdin: Writable, task: string | null): AgentInput {
  stdin.on('error', () => {});
  stdin.end(task ?? '');
  return { onEvent: () => {}, askForCost: () => {}, interrupt: () => false, end: () => {} };
}
