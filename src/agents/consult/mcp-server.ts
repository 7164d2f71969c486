/**
 * The MCP server `dure` with one tool, `consult_human`, over newline-delimited JSON-RPC. No process waits for the
 * user: by the time the tool call is executed, the answer is already in a file.
 */
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { question } from '../../formats/crp-and-vcr.ts';
import { type JsonObject, objectAt, parseJsonLine, textAt } from '../../formats/schema/json-access.ts';

const TOOL = 'consult_human';

const tool = {
  name: TOOL,
  title: 'Ask the person',
  description:
    'Ask the person who gave the task to decide something that you must not decide yourself. Give the options you ' +
    'see and recommend one. Call this tool alone: not together with another tool, and not twice at once. It returns the answer, ' +
    'possibly days later.',
  inputSchema: z.toJSONSchema(question, { io: 'input' }),
};

const UNANSWERED =
  'There is no answer yet. Ask again later, or write the question to a file in crp/ as your instructions say, and stop.';

export async function serveConsult(
  input: Readable,
  output: Writable,
  answer: () => Promise<string | null>,
): Promise<void> {
  for await (const line of createInterface({ input })) {
    const message = parseJsonLine(line);
    // Notifications have no id and get no reply.
    if (message && message['id'] !== undefined)
      output.write(
        `${JSON.stringify({ jsonrpc: '2.0', id: message['id'], ...(await reply(message, answer)) })}\n`,
      );
  }
}

async function reply(message: JsonObject, answer: () => Promise<string | null>): Promise<object> {
  const params = objectAt(message['params']);
  switch (message['method']) {
    case 'initialize':
      return {
        result: {
          protocolVersion: textAt(params['protocolVersion']) ?? '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'dure', version: '1' },
        },
      };
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return { result: { tools: [tool] } };
    case 'tools/call':
      return params['name'] === TOOL
        ? called(answer)
        : refuse(-32602, `there is no tool ${String(params['name'])}`);
    default:
      return refuse(-32601, 'method not found');
  }
}

async function called(answer: () => Promise<string | null>): Promise<object> {
  const toolResult = (text: string, isError: boolean) => ({
    result: { content: [{ type: 'text', text }], isError },
  });
  try {
    const answered = await answer();
    return answered === null ? toolResult(UNANSWERED, true) : toolResult(answered, false);
  } catch (error) {
    return toolResult(`The answer cannot be read: ${String(error)}`, true);
  }
}

const refuse = (code: number, message: string): object => ({ error: { code, message } });
