/**
 * The web UI's HTTP client. Response types are in `http-protocol.ts`; a refused request throws `Refusal`, with a
 * message in the language of the page.
 */

import type {
  ConfigBody,
  ConfigView,
  EventsPage,
  OtherProject,
  OverviewView,
  Recorded,
  RunsPage,
  RunsQuery,
  RunView,
  StartBody,
  StartedView,
  StreamPage,
} from '../../http-protocol.ts';
import type { MrpView, SinceView } from '../../pack-protocol.ts';
import type { ApproveBody, CrpView, RejectBody, VcrBody } from '../../question-and-action-protocol.ts';
import { pageLanguage } from '../preferences.ts';
import { problemOf, Refusal } from './refusal-error.ts';
import { dropSessionProof, sessionProofHeader } from './session-proof.ts';

/** Retries once after 401: a new server process refuses a proof made for the previous one. */
async function authorized(
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: string },
) {
  const attempt = async () =>
    fetch(`/api${path}`, {
      ...init,
      headers: {
        ...init.headers,
        'accept-language': pageLanguage(),
        authorization: `Bearer ${await sessionProofHeader()}`,
      },
    });
  const response = await attempt();
  if (response.status !== 401) return response;
  dropSessionProof();
  return attempt();
}

async function ask<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<T> {
  const answer = await authorized(path, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const json: unknown = await answer.json().catch(() => null);
  const problem = problemOf(json);
  if (problem) throw new Refusal(answer.status, problem);
  if (!answer.ok) throw new Refusal(answer.status, unknownProblem(answer));
  return json as T;
}

const unknownProblem = ({ status, statusText }: Response) => ({
  code: `HTTP_${status}`,
  message: statusText,
  suggestions: [],
});

/** Maximum number of characters of a log that a page shows. */
const LOG_SHOWN = 100_000;

const ofRun = (id: string) => `/runs/${encodeURIComponent(id)}`;
/** Fetches a file. Throws a `Refusal` if the server refuses to send it. */
async function fileAt(path: string): Promise<Blob> {
  const answer = await authorized(path, {});
  if (!answer.ok) throw new Refusal(answer.status, problemOf(await answer.json()) ?? unknownProblem(answer));
  return answer.blob();
}
const queryOf = (query: object) =>
  new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
const get = <T>(path: string) => ask<T>('GET', path);
const post = <T>(path: string, body: unknown) => ask<T>('POST', path, body);

export const api = {
  overview: () => get<OverviewView>('/overview'),
  projects: () => get<OtherProject[]>('/projects'),
  runs: (query: RunsQuery) => get<RunsPage>(`/runs?${queryOf(query)}`),
  start: (body: StartBody) => post<StartedView>('/runs', body),
  run: (id: string) => get<RunView>(ofRun(id)),
  events: (id: string, since: number) => get<EventsPage>(`${ofRun(id)}/events?since=${since}`),
  output: (id: string, role: string, query: object) =>
    get<StreamPage>(`${ofRun(id)}/streams/${encodeURIComponent(role)}?${queryOf(query)}`),
  question: (id: string, crp: string) => get<CrpView>(`${ofRun(id)}/crp/${encodeURIComponent(crp)}`),
  /** A whole file of a pack's result or base. */
  packFile: (id: string, { pack, ...file }: { pack: number; side: 'old' | 'new'; path: string }) =>
    fileAt(`${ofRun(id)}/packs/${pack}/file?${queryOf(file)}`),
  answer: (id: string, body: VcrBody) => post<Recorded>(`${ofRun(id)}/vcr`, body),
  stop: (id: string) => post<Recorded>(`${ofRun(id)}/stop`, {}),
  retry: (id: string) => post<Recorded>(`${ofRun(id)}/retry`, {}),
  extend: (id: string, ms: number) => post<Recorded>(`${ofRun(id)}/extend`, { ms }),
  /** The current pack, or an earlier one. */
  pack: (id: string, number: number | null) =>
    get<MrpView>(`${ofRun(id)}/${number === null ? 'mrp' : `packs/${number}`}`),
  since: (id: string, pack: number) => get<SinceView>(`${ofRun(id)}/packs/${pack}/since`),
  approve: (id: string, body: ApproveBody) => post<Recorded>(`${ofRun(id)}/approve`, body),
  rebase: (id: string) => post<Recorded>(`${ofRun(id)}/rebase`, {}),
  reject: (id: string, body: RejectBody) => post<Recorded>(`${ofRun(id)}/reject`, body),
  /** The end of the test log that Dure recorded; null if there is none. */
  testLog: async (id: string): Promise<string | null> => {
    const answer = await authorized(`${ofRun(id)}/artefacts/verifier/test-log.txt`, {});
    return answer.ok ? (await answer.text()).slice(-LOG_SHOWN) : null;
  },
  /** Makes the browser download a file from the run folder. */
  download: async (id: string, path: string): Promise<void> => {
    const file = await fileAt(`${ofRun(id)}/artefacts/${path}`);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = path.slice(path.lastIndexOf('/') + 1);
    link.click();
    URL.revokeObjectURL(link.href);
  },
  signOut: () => post<{ ok: true }>('/session/end', {}),
  config: () => get<ConfigView[]>('/config'),
  configure: (name: string, body: ConfigBody) =>
    ask<ConfigView>('PUT', `/config/${encodeURIComponent(name)}`, body),
};
