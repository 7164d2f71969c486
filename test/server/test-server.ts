/**
 * A project with real run folders, a real server on a free port, and a driver that applies the real policy to
 * requests.
 */

import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { io, type Socket } from 'socket.io-client';
import { onTestFinished } from 'vitest';
import { currentStep } from '../../src/core/policy/pipeline/look-up-steps.ts';
import { isOver } from '../../src/core/policy/state/phase.ts';
import { hashPack } from '../../src/core/run/pack/pack-integrity.ts';
import { newRunKey } from '../../src/core/run/record/hmac-key.ts';
import { readAnswers } from '../../src/core/run/requests/read-requests-and-answers.ts';
import { type Journal, openJournal } from '../../src/core/run/run-store.ts';
import type { Crp } from '../../src/formats/crp-and-vcr.ts';
import type { RunEvent } from '../../src/formats/events/events.ts';
import { type RunFiles, runFiles } from '../../src/formats/layout.ts';
import { load, readFormat, replaceJson } from '../../src/formats/read-and-write-files.ts';
import {
  feedbackFile,
  type PersonRequest,
  type RequestName,
  requestFiles,
} from '../../src/formats/requests-and-feedback.ts';
import type { FileFormat } from '../../src/formats/schema/define-file.ts';
import { ownIdentity } from '../../src/process/identity.ts';
import { HEARTBEAT_MS } from '../../src/server/sockets/socket-io-server.ts';
import {
  type Actions,
  createServer,
  type RunningServer,
  type ServerOptions,
} from '../../src/server/web-server.ts';
import { createProjectFolders } from '../../src/workspace/project/create-folders-and-config.ts';
import { startedEvent } from '../helpers/sample-values.ts';

export const TREE = 'b'.repeat(40);
export const COMMIT = 'c'.repeat(40);
export const now = () => new Date().toISOString();

export const question = (id = 'crp-001'): Crp => ({
  crp_id: id,
  created_at: now(),
  created_by: 'refiner',
  type: 'clarification',
  question: 'What criteria should rate limiting be applied with?',
  context: "Briefing only specifies 'appropriate rate limiting'",
  options: [
    { id: 'A', label: '60 requests per minute per IP', description: 'Common API default', risk: 'Low' },
    { id: 'B', label: '100 requests per minute per user' },
  ],
  recommendation: 'A',
  status: 'pending',
});

export interface Run {
  readonly id: string;
  readonly files: RunFiles;
  readonly journal: Journal;
  /** Appends events with the current time, after those of earlier calls. Without events, waits for earlier calls. */
  tell(...events: Untimed[]): Promise<void>;
  /** Records a question from the latest launch of the Refiner. */
  ask(crp?: Crp): Promise<void>;
  /** Advances the run to a merge-readiness pack, with the files that are in its folder. */
  pack(): Promise<void>;
}
export type Untimed = RunEvent extends infer E ? (E extends RunEvent ? Omit<E, 'at'> : never) : never;

export const REFINER = { agent: 'refiner', step: 'refine', launch: 1 } as const;
export const begun: Untimed = { type: 'agent.started', ...REFINER, iteration: 1 };

export interface Place {
  readonly root: string;
  readonly project: Awaited<ReturnType<typeof createProjectFolders>>['project'];
  run(id: string, driven?: boolean): Promise<Run>;
  serve(
    more?: Partial<Omit<ServerOptions, 'actions'>> & { actions?: Partial<Actions> },
  ): Promise<RunningServer>;
}

export async function makePlace(): Promise<Place> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'dure-server-')));
  const servers: RunningServer[] = [];
  const runs = new Map<string, Run>();
  onTestFinished(async () => {
    await Promise.all(servers.map(server => server.close()));
    await Promise.all([...runs.values()].map(run => driving.get(run)));
    await rm(root, { recursive: true, force: true, maxRetries: 20 });
  });
  execFileSync('git', ['init', '--quiet', root]);
  const { project } = await createProjectFolders(root);
  const port = quietPort();
  const place: Place = {
    root,
    project,
    async run(id, driven = true) {
      const run = await makeRun(project.run(id), id, driven, (await newRunKey(root)).id);
      runs.set(id, run);
      return run;
    },
    async serve({ actions, ...more } = {}) {
      const server = await createServer({
        project,
        wanted: { port, by: 'configuration' },
        // Server and clients share this process: if it stalls for seconds, no connection may be lost.
        heartbeat: { ...HEARTBEAT_MS, pingTimeout: 120_000 },
        version: '9.9.9',
        actions: {
          start: async () => {
            throw new Error('nothing is started here');
          },
          wake: id => void takeUp(runs.get(id)),
          ...actions,
        },
        ...more,
      });
      servers.push(server);
      return server;
    },
  };
  return place;
}

/**
 * A port that the system does not give to other programs: a test that closes its server and starts another one must
 * get the same port.
 */
const quietPort = (): number => 12_000 + Math.floor(Math.random() * 19_000);

const BRIEFING = '# Limit the rate\n\nThe API needs appropriate rate limiting.\n';

async function makeRun(dir: string, id: string, driven: boolean, key: string): Promise<Run> {
  const files = runFiles(dir);
  await mkdir(files.briefing, { recursive: true });
  await writeFile(files.raw, BRIEFING);
  // Unless the run is driven, its driver has died.
  const driver = driven ? ownIdentity() : { ...ownIdentity(), boot: 'an earlier one' };
  await replaceJson(files.driver, { process: driver, since: now() });
  const journal = await openJournal(files);
  // A client can react to an event before its append has settled, and a log has only one writer.
  let last: Promise<void> = Promise.resolve();
  const tell: Run['tell'] = (...events) => {
    const told = last.then(async () => {
      for (const event of events) await journal.append({ ...event, at: now() } as RunEvent);
    });
    last = told.catch(() => {});
    return told;
  };
  const { at: _, ...started } = startedEvent({ run_id: id, briefing: BRIEFING, key });
  await tell(started);
  return {
    id,
    files,
    journal,
    tell,
    async ask(crp = question()) {
      await replaceJson(files.crp(crp.crp_id), crp);
      await tell({
        type: 'crp.created',
        crp_id: crp.crp_id,
        agent: 'refiner',
        hash: 'abc',
        seen_as: `${crp.crp_id}.json`,
        why: 'question',
        question: crp.question,
        crp,
      });
    },
    async pack() {
      const hashes = await hashPack(files.mrp).catch(() => ({}));
      const done = (agent: string, step: string, launch: number): Untimed[] => [
        { type: 'agent.started', agent, step, launch, iteration: 1 },
        { type: 'agent.completed', agent, step, launch, duration_ms: 5, commit: COMMIT, tree: TREE },
      ];
      await tell(
        ...done('refiner', 'refine', 1),
        ...done('builder', 'build', 2),
        ...done('verifier', 'generate', 3),
      );
      await tell(
        { type: 'agent.started', agent: 'verifier', step: 'execute', launch: 4, iteration: 1 },
        {
          type: 'tests.executed',
          agent: 'verifier',
          step: 'execute',
          launch: 4,
          machine: 'pass',
          exit_code: 0,
          counts: { total: 3, passed: 3, failed: 0, skipped: 0 },
          coverage: 91,
          duration_ms: 7,
          tree: TREE,
          tests_tree: TREE,
        },
        ...done('verifier', 'analyse', 5),
        ...done('gatekeeper', 'gate', 6),
        {
          type: 'verdict.given',
          agent: 'gatekeeper',
          step: 'gate',
          launch: 6,
          verdict: 'PASS',
          claimed: 'PASS',
          lowered: null,
          reason: 'good',
          issues: [],
          next: 'ready',
        },
        { type: 'mrp.created', commit: COMMIT, tree: TREE, cost_usd: 0.25, files: hashes, pack: COMMIT },
      );
    },
  };
}

/** Each run has one driver at a time, as in production. */
const driving = new Map<Run, Promise<void>>();
function takeUp(run: Run | undefined): void {
  if (!run) return;
  const before = driving.get(run) ?? Promise.resolve();
  driving.set(
    run,
    before.then(() => drive(run)),
  );
}

/** Records the events that a driver would record for pending requests. The server only waits for these events. */
async function drive({ files, journal, tell }: Run): Promise<void> {
  await tell();
  const state = journal.state!;
  if (isOver(state)) return;
  const request = async <N extends RequestName>(name: N): Promise<PersonRequest<N> | null> => {
    const read = await readFormat(requestFiles[name] as FileFormat, files.request(name));
    const left = read.is === 'value' ? (read.value as PersonRequest<N>) : null;
    return left && state.requests_done[name] !== left.asked_at ? left : null;
  };
  const stop = await request('stop');
  if (stop) return tell({ type: 'run.stopped', reason: stop.reason });
  const answer = (await readAnswers(files, state)).find(vcr => vcr.crp_id === state.pending_crp);
  if (answer) {
    const { vcr_id, crp_id, decision, rationale, applies_to_future } = answer;
    return tell({
      type: 'vcr.created',
      vcr_id,
      crp_id,
      decision,
      rationale,
      effect: 'resume',
      applies_to_future,
    });
  }
  if (await request('approve'))
    return tell({
      type: 'run.completed',
      how: 'branch',
      merged: false,
      into: null,
      commit: COMMIT,
      tree: TREE,
    });
  const feedback = await load(feedbackFile, files.feedbackOf(state.feedbacks + 1));
  if (feedback)
    return tell(
      { type: 'mrp.rejected', feedback: state.feedbacks + 1, summary: feedback.feedback },
      { type: 'iteration.started', iteration: state.iteration + 1, reason: 'changes were requested' },
    );
  const { role, name } = currentStep(state);
  const agent = { agent: role, step: name, launch: state.launch };
  const extend = await request('extend');
  if (extend) return tell({ type: 'agent.extended', ...agent, ms: extend.ms, asked_at: extend.asked_at });
  const retry = await request('retry');
  if (retry) return tell({ type: 'agent.retried', ...agent, asked_at: retry.asked_at });
}

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  json<T = Record<string, unknown>>(): T;
}

export interface Asking {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** Sent unchanged. */
  readonly text?: string;
  readonly token?: string | null;
}

/** Uses node:http, which sends any Host and path unchanged. */
export function ask(server: RunningServer, path: string, asking: Asking = {}): Promise<Answer> {
  const {
    method = asking.body === undefined && asking.text === undefined ? 'GET' : 'POST',
    token = server.token,
  } = asking;
  const text = asking.text ?? (asking.body === undefined ? undefined : JSON.stringify(asking.body));
  const headers: Record<string, string> = {
    host: `127.0.0.1:${server.port}`,
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...(asking.body !== undefined && { 'content-type': 'application/json' }),
    ...asking.headers,
  };
  return new Promise((resolve, reject) => {
    const req = request(
      { host: '127.0.0.1', port: server.port, path, method, headers, agent: false },
      res => {
        const chunks: Buffer[] = [];
        res.on('data', chunk => chunks.push(chunk as Buffer));
        res.on('error', reject);
        res.on('end', () => {
          const said = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers,
            text: said,
            json: () => JSON.parse(said),
          });
        });
      },
    );
    req.on('error', reject);
    req.end(text);
  });
}

export interface Heard {
  readonly socket: Socket;
  /** Payloads of one event, in order. */
  of<T = Record<string, unknown>>(event: string): T[];
  /** Names of all events, in order. */
  readonly names: string[];
}

/** A socket that records everything it receives. */
export async function listen(
  server: RunningServer,
  namespace: '/' | '/dashboard',
  token: unknown = server.token,
  extraHeaders: Readonly<Record<string, string>> = {},
): Promise<Heard> {
  const socket = io(`${server.url}${namespace}`, {
    transports: ['websocket'],
    auth: { token },
    extraHeaders: { ...extraHeaders },
    forceNew: true,
    reconnectionDelay: 50,
    reconnectionDelayMax: 200,
  });
  onTestFinished(() => void socket.disconnect());
  const heard: [string, unknown][] = [];
  socket.onAny((event: string, payload: unknown) => heard.push([event, payload]));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return {
    socket,
    of: <T>(event: string) => heard.filter(([name]) => name === event).map(([, payload]) => payload as T),
    get names() {
      return heard.map(([name]) => name);
    },
  };
}

export async function until(
  holds: () => boolean | Promise<boolean>,
  what = 'it',
  limit = 60_000,
): Promise<void> {
  for (const end = performance.now() + limit; ; ) {
    if (await holds()) return;
    if (performance.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

export const filesIn = (dir: string): Promise<string[]> => readdir(dir).catch(() => []);
