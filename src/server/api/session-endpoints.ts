/** The endpoints under `/api/session`. */

import { z } from 'zod';
import { proofBody, session, sessionBody, sessionProof } from '../http-protocol.ts';
import type { ApiContext } from './api-context.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { HttpRefusal } from './http-refusal.ts';

const emptyBody = z.strictObject({});

export const sessionEndpoints = ({ sessions }: ApiContext): Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/api/session',
    about: 'Exchanges the one-time code from the URL for a session.',
    open: true,
    body: sessionBody,
    answer: session,
    async serve({ body }) {
      const token = await sessions.exchange(body.code);
      if (token === null)
        throw new HttpRefusal(401, 'E_CODE', 'This code is wrong, expired or already used.');
      return { token };
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/session/proof',
    about: 'Proves to a page that this server knows its session, before the page sends its own proof.',
    open: true,
    body: proofBody,
    answer: sessionProof,
    async serve({ body }) {
      const proven = sessions.prove(body.id, body.nonce);
      if (!proven) throw new HttpRefusal(401, 'E_TOKEN', 'There is no such session.');
      return proven;
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/session/end',
    about: 'Ends all browser sessions and one-time codes, and disconnects their sockets.',
    body: emptyBody,
    answer: z.object({ ok: z.literal(true) }),
    async serve() {
      await sessions.signOut();
      return { ok: true as const };
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/session/code',
    about: 'Creates a one-time code for opening a browser: `<url>/#code=<code>`.',
    body: emptyBody,
    answer: z.object({ code: z.string() }),
    async serve() {
      return { code: sessions.code() };
    },
  }),
];
