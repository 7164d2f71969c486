/**
 * The other side of the pages for their tests: a real HTTP server and real sockets, which say what `world` holds
 * and remember what they were told. Its headers are as strict as those of Dure's own server.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import { Server } from 'socket.io';
import { fold, isOver } from '../../src/core/evolve.ts';
import { CONFIG_NAMES, configFiles } from '../../src/formats/config.ts';
import { jsonSchema } from '../../src/formats/define.ts';
import { type RunEvent, severityOf } from '../../src/formats/events.ts';
import type {
  ConfigView,
  CrpView,
  DashboardToServer,
  EventsPage,
  MrpView,
  OutputLine,
  Overview,
  RunRow,
  RunsPage,
  RunView,
  ServerToDashboard,
} from '../../src/server/protocol.ts';
import { BASE, COMMIT, PATCH, story, TREE, untilAsking, untilBuilding } from './story.ts';

export const BUILT = join(import.meta.dirname, '../../dist/ui');
export const CODE = 'a-code-that-works-once';
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

export const READY = 'run-20261118-091502';
export const ASKING = 'run-20261121-140233';
export const BUILDING = 'run-20261121-151200';
const DONE = 'run-20261117-101500';

interface Told {
  method: string;
  path: string;
  body: unknown;
}

export interface World {
  overview: Overview;
  runs: RunRow[];
  views: Map<string, RunView>;
  events: Map<string, EventsPage>;
  question: CrpView;
  pack: MrpView;
  config: ConfigView[];
  output: Record<string, OutputLine[]>;
  /** Answer of the next request to this path. */
  refuse: Map<string, { status: number; body: object }>;
}

const title = 'Limit the attempts to log in';
const BRIEFING = `# ${title}

Five wrong passwords in a row must not be free.

## Done when

- [ ] the sixth attempt within a minute is refused
- [x] a right password after the pause works
`;

function viewOf(events: readonly RunEvent[]): RunView {
  const state = fold(events);
  const working = !isOver(state) && !['waiting_human', 'ready_for_merge'].includes(state.phase);
  const costs = Object.values(state.usage);
  return {
    ...state,
    title,
    briefing: BRIEFING,
    refined: null,
    driven: working,
    wants: state.phase === 'waiting_human' ? 'answer' : state.phase === 'ready_for_merge' ? 'review' : null,
    working,
    deadline: null,
    cost_usd: costs.reduce((sum, one) => sum + one.cost_usd, 0),
    cost_complete: true,
    branch: `dure/${state.run_id}`,
    attach: null,
    rehearsal: false,
  };
}

const rowOf = (view: RunView): RunRow => ({
  run_id: view.run_id,
  title: view.title,
  phase: view.phase,
  step: view.step,
  iteration: view.iteration,
  max_iterations: view.max_iterations,
  started_at: view.started_at,
  updated_at: view.updated_at,
  wants: view.wants,
  pending_crp: view.pending_crp,
  verdict: view.verdict?.verdict ?? null,
  cost_usd: view.cost_usd,
  cost_complete: view.cost_complete,
  problem: null,
});

const numbered = (events: readonly RunEvent[]): EventsPage => ({
  events: events.map((event, index) => ({ seq: index + 1, severity: severityOf(event.type), event })),
  last: events.length,
});

function newWorld(): World {
  const now = Date.now();
  const told = new Map<string, readonly RunEvent[]>([
    [READY, story(READY, now - 3_600_000)],
    [ASKING, untilAsking(story(ASKING, now - 400_000))],
    [BUILDING, untilBuilding(story(BUILDING, now - 300_000))],
  ]);
  const views = new Map([...told].map(([id, events]) => [id, viewOf(events)]));
  const [ready, asking, building] = [...views.values()].map(rowOf) as [RunRow, RunRow, RunRow];
  asking.title = 'Export the reports of a month as one archive';
  building.title = 'Search that forgives misspelled names';
  const runs: RunRow[] = [building, asking, ready];
  const subjects = ['Dates in the local zone', 'A dark theme', 'Import from the old catalogue', 'Faster start', 'Signed webhooks'];
  for (let index = 0; index < 60; index += 1)
    runs.push({
      ...ready,
      run_id: `run-202610${String((index % 30) + 1).padStart(2, '0')}-${String(100_000 + index)}`,
      title: `${subjects[index % subjects.length]} ${index + 1}`,
      phase: index % 7 === 3 ? 'failed' : index % 11 === 5 ? 'stopped' : 'completed',
      wants: null,
      started_at: new Date(now - (index + 2) * 43_200_000).toISOString(),
      updated_at: new Date(now - (index + 2) * 43_200_000 + 900_000).toISOString(),
      cost_usd: 0.2 + (index % 9) * 0.17,
      cost_complete: index % 8 !== 2,
    });
  runs[3]!.run_id = DONE;
  return {
    runs,
    views,
    events: new Map([...told].map(([id, events]) => [id, numbered(events)])),
    overview: {
      project: { name: 'storefront', root: '/home/mina/storefront' },
      version: '0.1.0',
      waiting: [asking, ready],
      active: [building],
      recent: runs.slice(3, 11),
      runs: runs.length,
      cost: {
        usd: 41.37,
        complete: false,
        by_role: { refiner: 3.1, builder: 24.6, verifier: 8.4, gatekeeper: 5.27 },
        by_day: Array.from({ length: 30 }, (_, day) => ({
          day: new Date(now - (29 - day) * 86_400_000).toISOString().slice(0, 10),
          usd: day % 7 > 4 ? 0 : 0.4 + ((day * 37) % 11) / 5,
        })),
      },
    },
    question: {
      open: true,
      vcr: null,
      crp: {
        crp_id: 'crp-001',
        created_at: new Date(now - 300_000).toISOString(),
        created_by: 'refiner',
        type: 'architecture',
        question: 'Should the limit hold for each account or for each address?',
        context:
          'Both are common. **Accounts** are exact, but an attacker can lock somebody out; *addresses* are shared by offices.\n\n<img src=x onerror="document.title=1"> [a link](javascript:alert(1))',
        options: [
          { id: 'account', label: 'For each account', description: 'Counts wrong passwords by name.', risk: 'A stranger can lock an account for a while.' },
          { id: 'address', label: 'For each address', description: 'Counts by the address of the client.', risk: 'Offices behind one address share the limit.' },
          { id: 'both', label: 'Both, whichever is reached first' },
        ],
        recommendation: 'account',
        status: 'pending',
      },
    },
    pack: {
      run_id: READY,
      commit: COMMIT,
      tree: TREE,
      open: true,
      refused: null,
      summary: `# ${title}\n\nA token bucket for each account stands before the password is read.\n\n## What was done\n\n- \`src/rate-limit.ts\`: the bucket, pure\n- \`src/login.ts\`: refuses the sixth attempt\n\n| case | result |\n|---|---|\n| six in a minute | refused |\n| after the pause | works |\n`,
      evidence: {
        tests: { total: 42, passed: 42, failed: 0, skipped: 0, coverage: 91.4 },
        files_changed: ['src/rate-limit.ts', 'src/login.ts'],
        decisions: ['vcr-001'],
        iterations: 1,
        logs: {},
        run_id: READY,
        base: BASE,
        commit: COMMIT,
        tree: TREE,
        tests_tree: BASE,
        test_command: 'npx vitest run verifier/tests',
        test_exit_code: 0,
        test_machine: 'pass',
        test_author: 'verifier (claude)',
        verdict: 'PASS',
        accepted_by_person: false,
        cost_usd: 0.925,
        cost_complete: true,
      },
      patch: PATCH,
      patch_truncated: false,
      tests: {
        exit_code: 0,
        stdout: '',
        stderr: '',
        duration_ms: 8200,
        executed_at: new Date(now).toISOString(),
        test_results: { total: 42, passed: 42, failed: 0, skipped: 0 },
        coverage: 91.4,
        machine: 'pass',
        failures: [],
        command: 'npx vitest run verifier/tests',
        tree: TREE,
        tests_tree: BASE,
      },
      log_tail: ' ✓ verifier/tests/rate-limit.test.ts (31 tests) 412ms\n ✓ verifier/tests/login.test.ts (11 tests) 1204ms\n\n Test Files  2 passed (2)\n      Tests  42 passed (42)\n',
      files: ['src/rate-limit.ts', 'src/login.ts'],
      decisions: [
        {
          crp: null,
          vcr: {
            vcr_id: 'vcr-001',
            crp_id: 'crp-001',
            created_at: new Date(now).toISOString(),
            decision: 'For each account',
            rationale: 'Many of our users share an address.',
            applies_to_future: false,
          },
        },
      ],
    },
    config: CONFIG_NAMES.map(name => ({
      name,
      about: configFiles[name].about,
      file: `.dure/config/${name}.json`,
      written: {},
      value: configFiles[name].shape.parse({}),
      defaults: configFiles[name].shape.parse({}),
      schema: jsonSchema(configFiles[name]),
      confirm: name === 'global' ? ['backend', 'allow_bypass', 'workspace.setup'] : ['backend'],
      problem: null,
    })),
    output: {
      refiner: [{ kind: 'text', text: 'The briefing leaves open what is counted.' }, { kind: 'result', text: 'asked crp-001' }],
      builder: [
        { kind: 'thinking', text: 'The login reads the password first; the limit must come before it.' },
        { kind: 'tool', text: 'Read src/login.ts' },
        { kind: 'result', text: '48 lines' },
        { kind: 'text', text: 'I add a token bucket and take from it before `verify`.' },
        { kind: 'tool', text: 'Write src/rate-limit.ts' },
        { kind: 'tool', text: 'Bash npx tsc --noEmit' },
        { kind: 'error', text: "src/login.ts(9,21): error TS2304: Cannot find name 'TooManyAttempts'." },
        { kind: 'text', text: '<script>document.title = "taken over"</script><b>not bold</b>' },
      ],
      verifier: [],
      gatekeeper: [],
    },
    refuse: new Map(),
  };
}

export interface Backend {
  url: string;
  /** The address with a fresh one-time code. */
  entry(): string;
  world: World;
  told: Told[];
  io: Server<DashboardToServer, ServerToDashboard>;
  /** Bytes each stream was granted. */
  granted: Map<number, number>;
  close(): Promise<void>;
}

export async function startBackend(port = 0, token: string = randomUUID()): Promise<Backend> {
  const world = newWorld();
  const told: Told[] = [];
  const codes = new Set<string>();
  const app = express();
  app.disable('x-powered-by');
  app.use((_request, response, next) => {
    response.set({ 'content-security-policy': CSP, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    next();
  });
  app.use(express.json());
  app.post('/api/session', (request, response) => {
    if (codes.delete(request.body.code)) response.json({ token });
    else response.status(401).json(failure('E_CODE', 'This code was used or is too old.'));
  });
  const api = express.Router();
  api.use((request, response, next) => {
    if (request.get('authorization') !== `Bearer ${token}`) {
      response.status(401).json(failure('E_UNAUTHORIZED', 'No key.'));
      return;
    }
    if (request.method !== 'GET') told.push({ method: request.method, path: request.path, body: request.body });
    const refusal = world.refuse.get(request.path);
    if (refusal) {
      world.refuse.delete(request.path);
      response.status(refusal.status).json(refusal.body);
      return;
    }
    next();
  });
  const recorded = { ok: true, id: `${READY}#40`, event: { type: 'vcr.created', seq: 40 } };
  api.get('/overview', (_request, response) => void response.json(world.overview));
  api.get('/runs', (request, response) => void response.json(pageOf(world, request.query as Record<string, string>)));
  api.post('/runs', (_request, response) => void response.status(201).json({ ok: true, run_id: BUILDING }));
  api.get('/runs/:id', (request, response) => found(response, world.views.get(request.params.id)));
  api.get('/runs/:id/events', (request, response) => found(response, world.events.get(request.params.id)));
  api.get('/runs/:id/crp/:crp', (_request, response) => void response.json(world.question));
  api.get('/runs/:id/mrp', (_request, response) => void response.json(world.pack));
  for (const wish of ['vcr', 'stop', 'retry', 'extend', 'approve', 'reject'])
    api.post(`/runs/:id/${wish}`, (_request, response) => void response.json(recorded));
  api.get('/config', (_request, response) => void response.json(world.config));
  api.put('/config/:name', (request, response) => {
    const file = world.config.find(one => one.name === request.params.name)!;
    const parsed = configFiles[file.name].shape.safeParse(request.body.value);
    if (parsed.success) response.json(Object.assign(file, { written: request.body.value, value: parsed.data }));
    else {
      const fields = parsed.error.issues.map(issue => ({ path: issue.path.join('.'), message: issue.message }));
      response.status(400).json({ ok: false, error: { code: 'E_CONFIG', message: 'Mistakes.', suggestions: [], fields } });
    }
  });
  app.use('/api', api);
  app.use(express.static(BUILT));
  app.use((_request, response) => void response.sendFile(join(BUILT, 'index.html')));

  const http = createServer(app);
  const io = new Server<DashboardToServer, ServerToDashboard>(http, { transports: ['websocket'], serveClient: false });
  const granted = new Map<number, number>();
  let streams = 0;
  io.of('/dashboard')
    .use((socket, next) => next(socket.handshake.auth['token'] === token ? undefined : new Error('unauthorized')))
    .on('connection', socket => {
      socket.on('dashboard:subscribe', (runId, ack) => {
        void socket.join(runId);
        ack?.({ ok: true });
      });
      socket.on('stream:subscribe', (wanted, ack) => {
        streams += 1;
        const stream = streams;
        const lines = world.output[wanted.role] ?? [];
        ack({ ok: true, stream, launch: 3, offset: 0 });
        if (lines.length > 0)
          socket.emit('stream:piece', { stream, launch: 3, lines, bytes: 900, offset: 900, skipped: 0, fresh: true });
      });
      socket.on('stream:grant', grant => granted.set(grant.stream, (granted.get(grant.stream) ?? 0) + grant.bytes));
    });
  await new Promise<void>(listening => http.listen(port, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    url,
    entry: () => {
      const code = `${CODE}-${randomUUID()}`;
      codes.add(code);
      return `${url}/#code=${code}`;
    },
    world,
    told,
    io,
    granted,
    close: async () => {
      await io.close();
    },
  };
}

export const failure = (code: string, message: string, suggestions: string[] = []) => ({
  ok: false,
  error: { code, message, suggestions },
});

function found(response: express.Response, value: unknown): void {
  if (value) response.json(value);
  else response.status(404).json(failure('E_RUN_NOT_FOUND', 'There is no such run.', ['See the history.']));
}

function pageOf(world: World, query: Record<string, string>): RunsPage {
  const page = Number(query['page'] ?? 1);
  const limit = Number(query['limit'] ?? 25);
  const phases: Record<string, number> = {};
  for (const run of world.runs) phases[run.phase] = (phases[run.phase] ?? 0) + 1;
  const fit = world.runs.filter(
    run =>
      (!query['phase'] || run.phase === query['phase']) &&
      `${run.title} ${run.run_id}`.toLowerCase().includes((query['search'] ?? '').toLowerCase()),
  );
  if (query['sort'] === 'cost') fit.sort((a, b) => b.cost_usd - a.cost_usd);
  return { runs: fit.slice((page - 1) * limit, page * limit), total: fit.length, page, limit, phases };
}
