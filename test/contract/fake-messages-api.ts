/**
 * A Messages API on the loopback address that plays a script, one turn per model response. With several agents, the
 * script is chosen by the task that starts each conversation. The turn is determined by the conversation in the
 * request, so a resumed session continues where it was. Charges are counted here, independently of the client.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Tokens {
  input_tokens: number;
  output_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
}

export interface Turn {
  readonly say?: string;
  readonly use?: readonly { readonly name: string; readonly input: Record<string, unknown> }[];
  readonly tokens?: Partial<Tokens>;
  /** Responds with this HTTP error the first `times` times; without `times`, always. */
  readonly refuse?: {
    readonly status: number;
    readonly type: string;
    readonly message: string;
    readonly times?: number;
    readonly headers?: Record<string, string>;
  };
  /** The request is accepted and never answered. */
  readonly hang?: boolean;
}

export interface MessagesApi {
  readonly url: string;
  /** Number of requests for a response, including refused ones. */
  readonly asked: number;
  /** Tokens in all complete responses. */
  readonly charged: Tokens;
  /** Text of the messages in the newest request. */
  readonly heard: string;
  /** Names of the tools in the newest request. */
  readonly tools: readonly string[];
  close(): Promise<void>;
}

const NOTHING: Tokens = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

interface Ask {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly name: string }[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

export type Script = readonly Turn[];
export type ScriptFor = (task: string) => Script;

/** The CLI's own price list for haiku, per token. */
const HAIKU = { input: 0.1e-6, output: 0.5e-6, read: 0.01e-6, write: 0.125e-6 };
export const priceOf = (t: Tokens): number =>
  t.input_tokens * HAIKU.input +
  t.output_tokens * HAIKU.output +
  t.cache_read_input_tokens * HAIKU.read +
  t.cache_creation_input_tokens * HAIKU.write;

export async function messagesApi(script: Script | ScriptFor): Promise<MessagesApi> {
  const charged = { ...NOTHING };
  const refused = new Map<Turn['refuse'], number>();
  let asked = 0;
  let heard = '';
  let tools: string[] = [];

  const turnOf = ({ messages }: Ask): Turn => {
    const turns = typeof script === 'function' ? script(taskOf(messages[0]?.content)) : script;
    return turns[Math.min(messages.filter(m => m.role === 'assistant').length, turns.length - 1)]!;
  };

  const answer = (ask: Ask, response: ServerResponse): void => {
    heard = JSON.stringify(ask.messages);
    tools = ask.tools?.map(({ name }) => name) ?? [];
    // Side requests (titles, probes) have no tools and are not part of the conversation.
    const turn: Turn = ask.tools?.length ? turnOf(ask) : { say: 'ok', tokens: NOTHING };
    asked += 1;
    if (turn.hang) return;
    if (turn.refuse) {
      const before = refused.get(turn.refuse) ?? 0;
      refused.set(turn.refuse, before + 1);
      if (before < (turn.refuse.times ?? Number.POSITIVE_INFINITY)) {
        refuse(response, turn.refuse);
        return;
      }
    }
    const tokens = { ...NOTHING, input_tokens: 1000, output_tokens: 100, ...turn.tokens };
    const message = messageOf(turn, ask.model, asked, tokens);
    if (ask.stream) stream(response, message);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
    for (const kind of Object.keys(charged) as (keyof Tokens)[]) charged[kind] += tokens[kind];
  };

  const server = createServer((request, response) => {
    void textOf(request).then(text => {
      const { pathname } = new URL(request.url ?? '/', 'http://loopback');
      if (request.method === 'POST' && pathname === '/v1/messages') answer(JSON.parse(text) as Ask, response);
      else if (pathname === '/v1/messages/count_tokens')
        response.end(JSON.stringify({ input_tokens: text.length >> 2 }));
      else if (request.method === 'HEAD') response.end();
      else refuse(response, { status: 404, type: 'not_found_error', message: `no route ${pathname}` });
    });
  });
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get asked() {
      return asked;
    },
    get charged() {
      return { ...charged };
    },
    get heard() {
      return heard;
    },
    get tools() {
      return tools;
    },
    close: () =>
      new Promise(closed => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** The text of the first message of a conversation. */
const taskOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : (content as { text?: string }[]).map(block => block.text ?? '').join('\n');

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: unknown };

function messageOf(turn: Turn, model: string, number: number, usage: Tokens) {
  const content: Block[] = [];
  if (turn.say !== undefined) content.push({ type: 'text', text: turn.say });
  for (const [i, { name, input }] of (turn.use ?? []).entries())
    content.push({ type: 'tool_use', id: `toolu_${number}_${i}`, name, input });
  return {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: turn.use?.length ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage,
  };
}

function stream(response: ServerResponse, message: ReturnType<typeof messageOf>): void {
  const send = (type: string, body: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send('message_start', {
    message: { ...message, content: [], stop_reason: null, usage: { ...message.usage, output_tokens: 1 } },
  });
  for (const [index, block] of message.content.entries()) {
    const isText = block.type === 'text';
    send('content_block_start', {
      index,
      content_block: isText ? { ...block, text: '' } : { ...block, input: {} },
    });
    send('content_block_delta', {
      index,
      delta: isText
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
    });
    send('content_block_stop', { index });
  }
  send('message_delta', {
    delta: { stop_reason: message.stop_reason, stop_sequence: null },
    usage: message.usage,
  });
  send('message_stop', {});
  response.end();
}

function refuse(
  response: ServerResponse,
  why: { status: number; type: string; message: string; headers?: Record<string, string> },
): void {
  response
    .writeHead(why.status, { 'content-type': 'application/json', ...why.headers })
    .end(JSON.stringify({ type: 'error', error: { type: why.type, message: why.message } }));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}
