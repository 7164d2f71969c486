/**
 * The web server of one project: gate, shields, pages, API, health and sockets, and how it ends. It reads run folders
 * and leaves words in them; it drives nothing itself.
 */
import {
  type Server as HttpServer,
  createServer as httpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import express, { type NextFunction, type Request, type Response, Router } from 'express';
import { Server } from 'socket.io';
import { ownIdentity } from '../agents/identity.ts';
import { parseJson } from '../formats/json.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { distFile } from '../package-root.ts';
import { type Desk, endpoints } from './api.ts';
import { type Endpoint, read } from './endpoint.ts';
import { turned } from './gate.ts';
import { healthOf, interruptedOf, readyOf } from './health.ts';
import { goLive } from './live.ts';
import { openapi } from './openapi.ts';
import { ownLog } from './own-log.ts';
import { pages, shields } from './pages.ts';
import { listenOn, portsToTry, type Wanted } from './ports.ts';
import type { StartBody } from './protocol.ts';
import { Refusal, refusedBy } from './refusal.ts';
import { runIndex } from './run-index.ts';
import { closedFolder, keepSecretJson, serverBefore, serverFiles } from './server-files.ts';
import { openSessions } from './sessions.ts';
import { shared } from './shared.ts';
import { wordTo } from './word.ts';

const HOST = '127.0.0.1';
const BODY_LIMIT = 256_000;
const ENDING = { requests: 1500, sockets: 500, state: 2000, whole: 5000 } as const;

export interface Actions {
  /** Begins a run and returns once its folder is there. */
  start(wish: StartBody): Promise<{ runId: string }>;
  /** Makes sure that somebody drives this run. */
  wake(runId: string): void;
  /** Records runs at work as interrupted, when the server ends and drives them. Agents go on. */
  interrupt?(): Promise<void>;
}

export interface ServerOptions {
  readonly project: ProjectFiles;
  /** The next free port is taken when this one is not. */
  readonly wanted: Wanted;
  readonly actions: Actions;
  readonly version: string;
  /** Names whose sections may stand in global.json. */
  readonly plugins?: readonly string[];
  /** Names of the backends that are registered. */
  readonly backends?: readonly string[];
  /** Folder of the built pages. */
  readonly pages?: string;
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** Port that would have come first, but is another's. */
  readonly taken: number | null;
  /** One-time code for the browser: `<url>/#code=<code>`. */
  readonly code: string;
  /** Of this process; also in `.dure/server/server.json`. */
  readonly token: string;
  /** Another one-time code. */
  newCode(): string;
  /** Pages and scripts that are connected now. */
  readonly watching: number;
  /** Ends in seven steps, within five seconds. Agents go on. */
  close(): Promise<void>;
}

export async function createServer(options: ServerOptions): Promise<RunningServer> {
  const { project, wanted, actions, version, plugins = [], backends = [] } = options;
  const { pages: folder = distFile('ui') } = options;
  const files = serverFiles(project);
  await closedFolder(files.dir);
  const own = ownLog(files.log);
  const log = own.note;
  const index = runIndex(project);
  const sessions = await openSessions(files.sessions);
  const word = wordTo(project, actions.wake);
  const ward = { project, index, version, plugins };
  const interrupted = shared(() => interruptedOf(ward));
  const start: Desk['start'] = wish => actions.start(wish);
  const desk: Desk = { project, index, sessions, word, version, plugins, backends, start };
  const described = endpoints(desk);
  let closing = false;
  let atWork = 0;

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(...shields());
  app.use((_req, res, next) => {
    if (closing) throw new Refusal(503, 'E_CLOSING', 'The server is about to end.');
    atWork += 1;
    res.once('close', () => {
      atWork -= 1;
    });
    next();
  });
  app.use('/health', healthRoutes());
  app.use('/api', apiRoutes());
  app.use(pages(folder));
  app.use(() => {
    throw new Refusal(404, 'E_NOT_FOUND', 'There is nothing here.');
  });
  app.use((error: unknown, _req: Request, res: Response, next: NextFunction) => {
    const { status, body, meant } = refusedBy(error, project.root);
    if (!meant) log(error);
    if (res.headersSent) return next(error);
    if (status === 401) res.setHeader('WWW-Authenticate', 'Bearer');
    res.setHeader('Cache-Control', 'no-store');
    res.status(status).json(body);
  });

  function healthRoutes(): Router {
    const router = Router();
    router.get('/', async (_req, res) => {
      const health = await healthOf(ward);
      res.status(health.status === 'unhealthy' ? 503 : 200).json(health);
    });
    router.get('/live', (_req, res) => {
      res.json({ status: 'ok', timestamp: new Date().toISOString() });
    });
    router.get('/ready', async (_req, res) => {
      const ready = await readyOf(ward);
      res.status(ready.status === 'ready' ? 200 : 503).json(ready);
    });
    router.get('/interrupted', async (_req, res) => {
      res.json(await interrupted());
    });
    return router;
  }

  function apiRoutes(): Router {
    const router = Router({ caseSensitive: true, strict: true });
    router.use((_req, res, next) => {
      res.setHeader('Cache-Control', 'no-store');
      next();
    });
    for (const one of described.filter(({ open }) => open)) route(router, one);
    router.use((req, _res, next) => {
      const [, token] = /^Bearer ([\w.~+/=-]{1,200})$/.exec(req.headers.authorization ?? '') ?? [];
      if (!sessions.admits(token)) throw new Refusal(401, 'E_TOKEN', 'The token is missing or wrong.');
      next();
    });
    router.get('/openapi.json', (_req, res) => {
      res.json(openapi(described, version));
    });
    for (const one of described.filter(({ open }) => !open)) route(router, one);
    return router;
  }

  const http = httpServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 2000,
      maxHeaderSize: 16_384,
    },
    app,
  );
  http.maxConnections = 256;
  const ports = portsToTry(wanted, await serverBefore(project));
  const port = await listenOn(http, HOST, ports);
  sessions.listensOn(port);
  const [first = 0] = ports;
  const url = `http://${HOST}:${port}`;
  const io = new Server(http, {
    transports: ['websocket'],
    serveClient: false,
    maxHttpBufferSize: 64_000,
    perMessageDeflate: false,
    connectTimeout: 10_000,
    allowRequest: (req, decide) => decide(null, !closing && turned(knockOf(req), port) === null),
  });
  const live = goLive(io, { project, index, sessions, word, log });
  standGuard(http, port);
  const beacon = {
    process: ownIdentity(),
    url,
    port,
    wanted,
    token: sessions.token,
    version,
    since: new Date().toISOString(),
  };
  await keepSecretJson(files.beacon, beacon);

  let ended: Promise<void> | null = null;
  const end = async (): Promise<void> => {
    // 1. New requests are rejected from here on; 2. those at work may end.
    closing = true;
    for (const until = performance.now() + ENDING.requests; atWork > 0 && performance.now() < until; )
      await pause(20);
    // 3. Pages are told, so that they wait for the next server instead of showing an error.
    live.farewell();
    // 4. Runs at work are recorded as interrupted. 5. tmux sessions and agents are left alone.
    await Promise.race([actions.interrupt?.().catch(log), pause(ENDING.state, undefined, { ref: false })]);
    // 6. Watchers.
    await live.close();
    // 7. The server. Whoever does not let go is cut off.
    http.closeIdleConnections();
    const gone = new Promise<void>(resolve => void io.close(() => resolve()));
    await Promise.race([gone, pause(ENDING.sockets, undefined, { ref: false })]);
    http.closeAllConnections();
    await keepSecretJson(files.beacon, { ...beacon, process: null, token: '' }).catch(log);
    await own.close();
  };

  return {
    url,
    port,
    taken: first === 0 || first === port ? null : first,
    code: sessions.code(),
    token: sessions.token,
    newCode: () => sessions.code(),
    get watching() {
      return live.watching;
    },
    close() {
      ended ??= Promise.race([
        end(),
        pause(ENDING.whole, undefined, { ref: false }).then(() => http.closeAllConnections()),
      ]);
      return ended;
    },
  };
}

const knockOf = ({ method = 'GET', headers }: IncomingMessage) => ({ method, headers });

/** The gate stands before express and socket.io alike, so that no route of either can be forgotten. */
function standGuard(http: HttpServer, port: number): void {
  const behind = http.listeners('request') as ((req: IncomingMessage, res: ServerResponse) => void)[];
  http.removeAllListeners('request');
  http.on('request', (req: IncomingMessage, res: ServerResponse) => {
    const no = turned(knockOf(req), port);
    if (!no) {
      for (const listener of behind) listener.call(http, req, res);
      return;
    }
    res.writeHead(no.status, {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    });
    res.end(`${no.why}\n`);
  });
  http.prependListener('upgrade', (req: IncomingMessage, socket: Duplex) => {
    const no = turned(knockOf(req), port);
    if (no) socket.end(`HTTP/1.1 ${no.status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
}

function route(router: Router, one: Endpoint): void {
  const path = one.path.slice('/api'.length);
  router[one.method](
    path,
    ...(one.body ? [onlyJson, express.text({ type: 'application/json', limit: BODY_LIMIT })] : []),
    async (req: Request, res: Response) => {
      const params = read(one.params, { ...req.params });
      const query = read(one.query, { ...req.query });
      const body = read(one.body, one.body ? bodyOf(req) : undefined);
      const answer = await one.serve({ params, query, body });
      if (one.answer === 'file') sendFile(res, answer as { name: string; bytes: Buffer });
      else res.status(one.status ?? 200).json(answer);
    },
  );
}

/** A form of another page can send text/plain without asking; it cannot send this. */
function onlyJson(req: Request, _res: Response, next: NextFunction): void {
  if (!/^application\/json *(;|$)/i.test(req.headers['content-type'] ?? ''))
    throw new Refusal(415, 'E_TYPE', 'Send application/json.');
  next();
}

function bodyOf(req: Request): unknown {
  const text = typeof req.body === 'string' ? req.body : '';
  if (text.trim() === '') return {};
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refusal(400, 'E_BODY', `Not JSON: ${error.message}.`);
    throw error;
  }
}

/** Never shown in place: whatever an agent left, a browser saves it and runs nothing of it. */
function sendFile(res: Response, { name, bytes }: { name: string; bytes: Buffer }): void {
  res.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
  res.attachment(name);
  res.setHeader('Content-Type', 'text/plain; charset=utf-8');
  res.send(bytes);
}
