import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type CommandOutput, createProject } from './claude-project.ts';
import { type MessagesApi, messagesApi } from './fake-messages-api.ts';
import { CLAUDE_VERSION } from './install-claude.ts';

const claude = ({ json }: CommandOutput) =>
  (json['findings'] as { name: string }[]).find(({ name }) => name === 'claude');

test('doctor says that claude is logged in and that the API answers, without sending a message', async () => {
  const api = await messagesApi([{ say: 'hello' }]);
  onTestFinished(() => api.close());
  const { dure } = await createProject(api);
  const said = await dure('doctor');
  expect(said.code).toBe(0);
  expect(claude(said)).toEqual({
    name: 'claude',
    status: 'ok',
    seen: `${CLAUDE_VERSION} (Claude Code)`,
    fix: null,
  });
  expect(api.asked).toBe(0);
});

test('doctor reports a key that the API rejects, an unreachable API, and a missing login', async () => {
  let asked = 0;
  const refuses = createServer((request, response) => {
    if (request.url?.includes('count_tokens')) asked += 1;
    const error = { type: 'authentication_error', message: 'invalid x-api-key' };
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ type: 'error', error }));
  });
  await new Promise<void>(listening => refuses.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(refuses.address() as AddressInfo).port}`;
  const { dure } = await createProject({ url } as MessagesApi);
  const refused = await dure('doctor');
  expect(refused.code).toBe(1);
  expect(claude(refused)).toMatchObject({
    status: 'problem',
    seen: expect.stringMatching(/^not logged in .*401 .*invalid x-api-key/),
    fix: expect.stringContaining('claude auth login'),
  });
  expect(asked).toBeGreaterThan(0);
  // With --quick no request is sent, so any key is accepted.
  expect(claude(await dure('doctor', '--quick'))).toMatchObject({ status: 'ok' });

  refuses.closeAllConnections();
  await new Promise(closed => refuses.close(closed));
  const gone = await dure('doctor');
  expect(gone.code).toBe(1);
  expect(claude(gone)).toMatchObject({
    status: 'problem',
    seen: expect.stringContaining('does not respond'),
  });

  const without = await createProject({ url } as MessagesApi, { ANTHROPIC_API_KEY: '' });
  const loggedOut = await without.dure('doctor', '--quick');
  expect(loggedOut.code).toBe(1);
  expect(claude(loggedOut)).toMatchObject({
    status: 'problem',
    seen: `not logged in (${CLAUDE_VERSION} (Claude Code))`,
  });
});
