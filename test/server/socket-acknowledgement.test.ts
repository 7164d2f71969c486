import { expect, test, vi } from 'vitest';
import { acknowledge } from '../../src/server/sockets/socket-acknowledgement.ts';

const refusal = { ok: false, error: { code: 'E_X', message: 'no', suggestions: [] } } as const;
const refuse = async () => ({ ...refusal, error: { ...refusal.error, suggestions: [] } });

test('the callback receives the response, or the refusal if the request fails', async () => {
  const ack = vi.fn();
  acknowledge(ack, Promise.resolve({ ok: true }), refuse);
  await vi.waitFor(() => expect(ack).toHaveBeenCalledWith({ ok: true }));
  acknowledge(ack, Promise.reject(new Error('broken')), refuse);
  await vi.waitFor(() => expect(ack).toHaveBeenLastCalledWith(refusal));
});

test.each([undefined, null, 'text', { call: 1 }])(
  'if a request with %j in place of the callback fails, its error is handled like that of any other request',
  async given => {
    const refused = vi.fn(refuse);
    acknowledge(given, Promise.reject(new Error('broken')), refused);
    await vi.waitFor(() => expect(refused).toHaveBeenCalledOnce());
  },
);
