import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { claudeInput, taskOnlyInput } from '../../../src/agents/runner/agent-input.ts';

function stdin() {
  const stream = new PassThrough();
  const said = (): string => String(stream.read() ?? '');
  return {
    stream,
    said,
    messages: () =>
      said()
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line)),
  };
}
const stopped = { type: 'stream_event', event: { type: 'message_stop' } };
const replied = { type: 'control_response', response: { subtype: 'success', request_id: 'usage-so-far' } };

test('claude is asked for the cost of the session before it gets its task', () => {
  const { stream, messages } = stdin();
  const talk = claudeInput(stream, 'Build it.');
  expect(messages()).toMatchObject([
    { type: 'control_request', request_id: 'usage-before', request: { subtype: 'get_usage' } },
    { type: 'user', message: { role: 'user', content: 'Build it.' } },
  ]);
  talk.end();
});

test('claude is asked for the cost after each message, with only one request at a time', () => {
  const { stream, messages } = stdin();
  const talk = claudeInput(stream, 'Build it.');
  messages();
  talk.onEvent(stopped);
  talk.onEvent(stopped);
  talk.onEvent(stopped);
  expect(messages()).toHaveLength(1);
  talk.onEvent(replied);
  expect(messages()).toHaveLength(1);
  talk.onEvent(replied);
  expect(messages()).toHaveLength(0);
  talk.onEvent(stopped);
  expect(messages()).toHaveLength(1);
});

test('claude gets no more input after an interrupt request', () => {
  const { stream, messages } = stdin();
  const talk = claudeInput(stream, 'Build it.');
  messages();
  expect(talk.interrupt()).toBe(true);
  expect(messages()).toMatchObject([{ request: { subtype: 'interrupt' } }]);
  talk.onEvent(stopped);
  talk.interrupt();
  talk.end();
  expect(messages()).toEqual([]);
});

test('a task that starts with a slash is not treated as a command', () => {
  const { stream, messages } = stdin();
  claudeInput(stream, '/cost of everything').end();
  expect(messages()[1].message.content).toBe('\n/cost of everything');
});

test('a CLI other than claude gets the task followed by the end of input, and cannot be interrupted', () => {
  const { stream, said } = stdin();
  const talk = taskOnlyInput(stream, 'Build it.');
  expect(said()).toBe('Build it.');
  expect(stream.writableEnded).toBe(true);
  expect(talk.interrupt()).toBe(false);
});
