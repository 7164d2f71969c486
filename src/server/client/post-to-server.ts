/** Sends requests with the server's token to the server of a project. */

import type { ProjectFiles } from '../../formats/layout.ts';
import { timeLimit } from '../../process/abort-signals-and-timeouts.ts';
import { type ServerInfo, serverOf } from '../server-files.ts';

/** Milliseconds allowed for a server to start and answer on a busy machine. */
export const SERVER_TIMEOUT_MS = 15_000;

/** Posts to the server and returns its response; null if it does not answer or refuses the request. */
export async function postToServer({ url, token }: ServerInfo, path: string): Promise<Response | null> {
  const limit = timeLimit(SERVER_TIMEOUT_MS);
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
    signal: limit.signal,
  })
    .catch(() => null)
    .finally(limit.release);
  return answer?.ok ? answer : null;
}

/** Ends the sessions of all browsers that show the web UI. Returns false if no server accepts the request. */
export async function signOutBrowsers(project: ProjectFiles): Promise<boolean> {
  const server = await serverOf(project);
  return server !== null && (await postToServer(server, '/api/session/end')) !== null;
}
