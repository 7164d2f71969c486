/**
 * The web server of one project: request checks, security headers, pages, API, health, sockets and shutdown. It reads
 * run folders and writes requests into them; it does not drive runs.
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
import { parseJson } from '../formats/json.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { ownIdentity } from '../process/identity.ts';
import { distFile } from '../process/package-root.ts';
import { type ApiContext, apiEndpoints } from './api.ts';
import { type Endpoint, read } from './endpoint.ts';
import { healthOf, interruptedOf, readyOf } from './health.ts';
import { hostRefusal } from './host-check.ts';
import { openapi } from './openapi.ts';
import { listenOn, portsToTry, type RequestedPort } from './ports.ts';
import type { StartBody } from './protocol.ts';
import { HttpRefusal, refusedBy } from './refusal.ts';
import { runActions } from './run-actions.ts';
import { runIndex } from './run-index.ts';
import { closedFolder, keepSecretJson, serverBefore, serverFiles } from './server-files.ts';
import { serverLog } from './server-log.ts';
import { openSessions } from './sessions.ts';
import type { Choices } from './settings.ts';
import { singleFlight } from './single-flight.ts';
import { openSockets } from './sockets.ts';
import { securityHeaders, servePages } from './static-pages.ts';

const HOST = '127.0.0.1';
const BODY_LIMIT = 256_000;
const SHUTDOWN_MS = { requests: 1500, sockets: 500, state: 2000, whole: 5000 } as const;

export interface Actions {
  /** Starts a run and resolves once its folder exists. */
  start(request: StartBody): Promise<{ runId: string }>;
  /** Makes sure that a process drives this run. */
  wake(runId: string): void;
  /** Records active runs as interrupted when a server that drives them shuts down. Agents keep running. */
  interrupt?(): Promise<void>;
}

export interface ServerOptions {
  readonly project: ProjectFiles;
  /** If this port is in use, the next free one is used. */
  readonly wanted: RequestedPort;
  readonly actions: Actions;
  readonly version: string;
  /** Plugin names that may have a section in global.json. */
  readonly plugins?: readonly string[];
  /** Names of the registered backends and pipelines. */
  readonly choices?: Choices;
  /** Folder that holds the built pages. */
  readonly pages?: string;
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** The preferred port, if another process uses it. */
  readonly taken: number | null;
  /** One-time code for the browser: `<url>/#code=<code>`. */
  readonly code: string;
  /** Token of this process; also in `.dure/server/server.json`. */
  readonly token: string;
  /** Creates another one-time code. */
  newCode(): string;
  /** Number of connected sockets. */
  readonly watching: number;
  /** Shuts down in seven steps, within five seconds. Agents keep running. */
  close(): Promise<void>;
}

export async function createServer(options: ServerOptions): Promise<RunningServer> {
  const {
    project,
    wanted,
    actions,
    version,
    plugins = [],
    choices = { backend: [], pipeline: [] },
  } = options;
  const { pages: folder = distFile('ui') } = options;
  const files = serverFiles(project);
  await closedFolder(files.dir);
  const own = serverLog(files.log);
  const log = own.note;
  const index = runIndex(project);
  const sessions = await openSessions(files.sessions);
  const requests = runActions(project, actions.wake);
  const healthContext = { project, index, version, plugins };
  const interrupted = singleFlight(() => interruptedOf(healthContext));
  const start: ApiContext['start'] = request => actions.start(request);
  const apiContext: ApiContext = { project, index, sessions, requests, version, plugins, choices, start };
  const endpoints = apiEndpoints(apiContext);
  let closing = false;
  let inProgress = 0;

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(...securityHeaders());
  app.use((_req, res, next) => {
    if (closing) throw new HttpRefusal(503, 'E_CLOSING', 'The server is shutting down.');
    inProgress += 1;
    res.once('close', () => {
      inProgress -= 1;
    });
    next();
  });
  app.use('/health', healthRoutes());
  app.use('/api', apiRoutes());
  app.use(servePages(folder));
  app.use(() => {
    throw new HttpRefusal(404, 'E_NOT_FOUND', 'Not found.');
  });
  app.use((error: unknown, _req: Request, res: Response, next: NextFunction) => {
    const { status, body, expected } = refusedBy(error, project.root);
    if (!expected) log(error);
    if (res.headersSent) return next(error);
    if (status === 401) res.setHeader('WWW-Authenticate', 'Bearer');
    res.setHeader('Cache-Control', 'no-store');
    res.status(status).json(body);
  });

  function healthRoutes(): Router {
    const router = Router();
    router.get('/', async (_req, res) => {
      const health = await healthOf(healthContext);
      res.status(health.status === 'unhealthy' ? 503 : 200).json(health);
    });
    router.get('/live', (_req, res) => {
      res.json({ status: 'ok', timestamp: new Date().toISOString() });
    });
    router.get('/ready', async (_req, res) => {
      const ready = await readyOf(healthContext);
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
    for (const one of endpoints.filter(({ open }) => open)) route(router, one);
    router.use((req, _res, next) => {
      const [, token] = /^Bearer ([\w.~+/=-]{1,200})$/.exec(req.headers.authorization ?? '') ?? [];
      if (!sessions.admits(token)) throw new HttpRefusal(401, 'E_TOKEN', 'The token is missing or wrong.');
      next();
    });
    router.get('/openapi.json', (_req, res) => {
      res.json(openapi(endpoints, version));
    });
    for (const one of endpoints.filter(({ open }) => !open)) route(router, one);
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
    allowRequest: (req, decide) => decide(null, !closing && hostRefusal(originOf(req), port) === null),
  });
  const live = openSockets(io, { project, index, sessions, requests, log });
  checkRequests(http, port);
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
    // 1. Reject new requests. 2. Wait for requests in progress.
    closing = true;
    for (
      const until = performance.now() + SHUTDOWN_MS.requests;
      inProgress > 0 && performance.now() < until;
    )
      await pause(20);
    // 3. Tell the pages, so that they wait for the next server instead of showing an error.
    live.announceShutdown();
    // 4. Record active runs as interrupted. 5. Leave tmux sessions and agents running.
    await Promise.race([
      actions.interrupt?.().catch(log),
      pause(SHUTDOWN_MS.state, undefined, { ref: false }),
    ]);
    // 6. Stop the file watchers.
    await live.close();
    // 7. Close the server, and cut connections that stay open.
    http.closeIdleConnections();
    const gone = new Promise<void>(resolve => void io.close(() => resolve()));
    await Promise.race([gone, pause(SHUTDOWN_MS.sockets, undefined, { ref: false })]);
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
        pause(SHUTDOWN_MS.whole, undefined, { ref: false }).then(() => http.closeAllConnections()),
      ]);
      return ended;
    },
  };
}

const originOf = ({ method = 'GET', headers }: IncomingMessage) => ({ method, headers });

/** Checks every request before Express and socket.io see it, so that the check covers all their routes. */
function checkRequests(http: HttpServer, port: number): void {
  const behind = http.listeners('request') as ((req: IncomingMessage, res: ServerResponse) => void)[];
  http.removeAllListeners('request');
  http.on('request', (req: IncomingMessage, res: ServerResponse) => {
    const hostError = hostRefusal(originOf(req), port);
    if (!hostError) {
      for (const listener of behind) listener.call(http, req, res);
      return;
    }
    res.writeHead(hostError.status, {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    });
    res.end(`${hostError.why}\n`);
  });
  http.prependListener('upgrade', (req: IncomingMessage, socket: Duplex) => {
    const refused = hostRefusal(originOf(req), port);
    if (refused)
      socket.end(`HTTP/1.1 ${refused.status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
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

/** Requires JSON: a form on another page can send text/plain without a CORS preflight, but not application/json. */
function onlyJson(req: Request, _res: Response, next: NextFunction): void {
  if (!/^application\/json *(;|$)/i.test(req.headers['content-type'] ?? ''))
    throw new HttpRefusal(415, 'E_TYPE', 'Send application/json.');
  next();
}

function bodyOf(req: Request): unknown {
  const text = typeof req.body === 'string' ? req.body : '';
  if (text.trim() === '') return {};
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new HttpRefusal(400, 'E_BODY', `Not JSON: ${error.message}.`);
    throw error;
  }
}

/** Sends a file as a download, so that a browser never renders or runs what an agent wrote. */
function sendFile(res: Response, { name, bytes }: { name: string; bytes: Buffer }): void {
  res.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
  res.attachment(name);
  res.setHeader('Content-Type', 'text/plain; charset=utf-8');
  res.send(bytes);
}
