/** Every request of the pages. Answers are what `protocol.ts` says; a refusal is thrown as `Refusal`. */
import type {
  ApproveBody,
  ConfigBody,
  ConfigView,
  CrpView,
  EventsPage,
  MrpView,
  Overview,
  Recorded,
  RejectBody,
  RunsPage,
  RunsQuery,
  RunView,
  StartBody,
  Started,
  VcrBody,
} from '../protocol.ts';
import { dropPass, pass } from './pass.ts';
import { problemOf, Refusal } from './refusal.ts';

/** A pass of the server before is refused once by the next one. */
async function sent(
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: string },
) {
  const once = async () =>
    fetch(`/api${path}`, { ...init, headers: { ...init.headers, authorization: `Bearer ${await pass()}` } });
  const answer = await once();
  if (answer.status !== 401) return answer;
  dropPass();
  return once();
}

async function ask<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<T> {
  const answer = await sent(path, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const said: unknown = await answer.json().catch(() => null);
  const problem = problemOf(said);
  if (problem) throw new Refusal(answer.status, problem);
  if (!answer.ok)
    throw new Refusal(answer.status, {
      code: `HTTP_${answer.status}`,
      message: answer.statusText,
      suggestions: [],
    });
  return said as T;
}

/** Characters of a log that a page shows. */
const LOG_SHOWN = 100_000;

const ofRun = (id: string) => `/runs/${encodeURIComponent(id)}`;
const get = <T>(path: string) => ask<T>('GET', path);
const post = <T>(path: string, body: unknown) => ask<T>('POST', path, body);

export const api = {
  overview: () => get<Overview>('/overview'),
  runs: (query: RunsQuery) =>
    get<RunsPage>(
      `/runs?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))}`,
    ),
  start: (body: StartBody) => post<Started>('/runs', body),
  run: (id: string) => get<RunView>(ofRun(id)),
  events: (id: string, since: number) => get<EventsPage>(`${ofRun(id)}/events?since=${since}`),
  question: (id: string, crp: string) => get<CrpView>(`${ofRun(id)}/crp/${encodeURIComponent(crp)}`),
  answer: (id: string, body: VcrBody) => post<Recorded>(`${ofRun(id)}/vcr`, body),
  stop: (id: string) => post<Recorded>(`${ofRun(id)}/stop`, {}),
  retry: (id: string) => post<Recorded>(`${ofRun(id)}/retry`, {}),
  extend: (id: string, ms: number) => post<Recorded>(`${ofRun(id)}/extend`, { ms }),
  pack: (id: string) => get<MrpView>(`${ofRun(id)}/mrp`),
  approve: (id: string, body: ApproveBody) => post<Recorded>(`${ofRun(id)}/approve`, body),
  reject: (id: string, body: RejectBody) => post<Recorded>(`${ofRun(id)}/reject`, body),
  /** The end of the real log. Null while there is none. */
  testLog: async (id: string): Promise<string | null> => {
    const answer = await sent(`${ofRun(id)}/artefacts/verifier/test-log.txt`, {});
    return answer.ok ? (await answer.text()).slice(-LOG_SHOWN) : null;
  },
  config: () => get<ConfigView[]>('/config'),
  configure: (name: string, body: ConfigBody) =>
    ask<ConfigView>('PUT', `/config/${encodeURIComponent(name)}`, body),
};
