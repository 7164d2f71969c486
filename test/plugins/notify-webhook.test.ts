import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import webhook from '../../plugins/notify-webhook/src/index.ts';
import { section } from '../../plugins/notify-webhook/src/settings.ts';
import type { Notification } from '../../src/index.ts';
import { contributionsOf } from '../../src/plugins/load-contributions.ts';
import { NOW, RUN_ID, sampleConfig, sampleSummary } from '../helpers/sample-values.ts';

const { channels, configShapes, problems } = await contributionsOf([
  { plugin: 'dure', load: webhook, builtIn: true },
]);
const { channel } = channels[0]!;

let server: Server;
let url: string;
let received: { headers: IncomingHttpHeaders; body: string }[];
/** The status codes to answer with, in order, and then 204. Zero closes the connection. */
let answers: number[];

beforeEach(async () => {
  received = [];
  answers = [];
  server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    const status = answers.shift() ?? 204;
    if (status === 0) request.socket.destroy();
    else response.writeHead(status, status === 302 ? { Location: '/elsewhere' } : {}).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const notification: Notification = {
  event: { at: NOW, type: 'run.failed', reason: 'x' },
  run: sampleSummary({ seq: 9 }),
  severity: 'error',
  text: 'The run <failed> & ended',
  command: null,
};
const tell = async (config: object, signal = new AbortController().signal, what = notification) =>
  channel.notify(what, { project: '/p', config: section.parse({ url, ...config }), signal });

test('the plugin is valid', () => {
  expect(problems).toEqual([]);
  expect(Object.keys(configShapes)).toEqual(['notify-webhook']);
});

test('the webhook is disabled until its URL is set, in the settings or in the environment', () => {
  const enabled = (own?: object) =>
    channel.enabled?.({ ...sampleConfig(), plugins: own ? { 'notify-webhook': own } : {} }, 'linux');
  expect(enabled()).toBe(false);
  expect(enabled({ preset: 'slack' })).toBe(false);
  expect(enabled({ url: 'https://example.com/hook' })).toBe(true);
  expect(enabled({ url: 'file:///etc/passwd' })).toBe(false);
  expect(enabled({ url: 'env:DURE_TEST_HOOK' })).toBe(false);
  process.env['DURE_TEST_HOOK'] = 'https://example.com/hook';
  expect(enabled({ url: 'env:DURE_TEST_HOOK' })).toBe(true);
  delete process.env['DURE_TEST_HOOK'];
});

test('the json format contains the event, its text and the state of the run, and the signature covers the exact bytes sent', async () => {
  await tell({ secret: 'key' });
  const [{ headers, body }] = received as [(typeof received)[number]];
  expect(JSON.parse(body)).toEqual({
    run_id: RUN_ID,
    phase: 'refine',
    iteration: 1,
    event: notification.event,
    severity: 'error',
    text: 'The run <failed> & ended',
    command: null,
  });
  expect(headers['x-dure-signature']).toBe(
    `sha256=${createHmac('sha256', 'key').update(body).digest('hex')}`,
  );
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-dure-event': 'run.failed',
    'x-dure-delivery': `${RUN_ID}/9`,
  });
});

test('slack and ntfy get their own formats', async () => {
  const asking = { ...notification, command: `dure answer ${RUN_ID}` };
  await tell({ preset: 'slack' }, undefined, asking);
  await tell({ preset: 'ntfy' }, undefined, asking);
  expect(JSON.parse(received[0]!.body)).toEqual({
    text: `*${RUN_ID}* The run &lt;failed&gt; &amp; ended\n\`dure answer ${RUN_ID}\``,
  });
  expect(received[1]?.body).toBe(`The run <failed> & ended\ndure answer ${RUN_ID}`);
  expect(received[1]?.headers).toMatchObject({ title: `Dure ${RUN_ID}`, priority: 'high', tags: 'error' });
});

test('server and network errors are retried with the same delivery id', async () => {
  answers = [500, 0, 429];
  await tell({ retries: 3 });
  expect(received).toHaveLength(4);
  expect(new Set(received.map(r => r.headers['x-dure-delivery'])).size).toBe(1);
});

test('the delivery fails after the last attempt and reports the number of attempts', async () => {
  answers = [503, 503];
  await expect(tell({ retries: 1 })).rejects.toThrow('the server responded with status 503 (2 attempts)');
});

test.each([400, 404, 302])(
  'a delivery answered with status %i fails, and redirects are not followed',
  async status => {
    answers = [status];
    await expect(tell({ retries: 0 })).rejects.toThrow();
    expect(received).toHaveLength(1);
  },
);

test('a client error is not retried', async () => {
  answers = [410];
  await expect(tell({ retries: 5 })).rejects.toThrow('the server responded with status 410 (1 attempt)');
});

test('the error does not contain the URL, which may be secret', async () => {
  // Nobody can listen on the port of a connected client.
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(client, 'connect');
  onTestFinished(() => void client.destroy());
  const port = client.localPort!;
  const failure: Error = await tell({ url: `http://127.0.0.1:${port}/secret`, retries: 0 }).then(
    () => expect.unreachable('nobody is there'),
    error => error,
  );
  expect(failure.message).toMatch(/ECONNREFUSED/);
  expect(failure.message).not.toContain('/secret');
});

test('only the selected events are sent', async () => {
  await tell({ events: ['crp.created'] });
  expect(received).toHaveLength(0);
});

test('aborting the signal stops the attempts', async () => {
  answers = [500, 500, 500, 500];
  const abort = new AbortController();
  server.on('request', () => abort.abort(new Error('shut down')));
  await expect(tell({ retries: 10 }, abort.signal)).rejects.toThrow();
  expect(received.length).toBeLessThanOrEqual(1);
});

test('a delivery with a missing secret fails instead of being sent unsigned', async () => {
  await expect(tell({ secret: 'env:DURE_TEST_NO_SUCH' })).rejects.toThrow('DURE_TEST_NO_SUCH');
  expect(received).toHaveLength(0);
});
