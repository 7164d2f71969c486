/**
 * The web server for one project: request checks, security headers, web UI, API, health checks, sockets and shutdown.
 * It reads run folders and writes requests into them; it does not drive runs.
 */
import { createServer as httpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import express, { type NextFunction, type Request, type Response } from 'express';
import { Server } from 'socket.io';
import type { ProjectFiles } from '../formats/layout.ts';
import { ownIdentity } from '../process/identity.ts';
import { distFile } from '../process/package-root.ts';
import { type ApiContext, apiEndpoints } from './api/api.ts';
import { apiRoutes } from './api/endpoint-router.ts';
import { healthRoutes } from './api/health-routes.ts';
import { HttpRefusal } from './api/http-refusal.ts';
import { refusedIn, requestLanguage } from './api/refusal-language.ts';
import { listenOn, portsToTry, type RequestedPort } from './ports.ts';
import type { Choices } from './project-settings.ts';
import type { StartBody } from './protocol.ts';
import { runActions } from './run-actions.ts';
import { runIndex } from './runs/run-index.ts';
import { closedFolder, keepSecretJson, serverBefore, serverFiles } from './server-files.ts';
import { serverLog } from './server-log.ts';
import { checkRequests, hostRefusal, originOf } from './sessions/check-host-and-origin.ts';
import { type Authorize, openSessions } from './sessions/sessions.ts';
import { reserveConnections } from './sockets/connection-limits.ts';
import { openSockets } from './sockets/sockets.ts';
import { securityHeaders, servePages } from './static-pages.ts';

const WEBSOCKET_ONLY = "Only WebSocket is served: connect with { transports: ['websocket'] }.";
const isWebSocket = (req: IncomingMessage): boolean => /[?&]transport=websocket(&|$)/.test(req.url ?? '');
const HOST = '127.0.0.1';
/** Time limits (ms) for a shutdown: requests in progress, sockets, saving the state, and in total. */
export const SHUTDOWN_MS = { requests: 1500, sockets: 500, state: 2000, whole: 5000 } as const;

/** A page that receives nothing for the sum of both intervals (ms) shows that there is no connection. */
export const HEARTBEAT_MS = { pingInterval: 1500, pingTimeout: 3000 } as const;

export interface Actions {
  /** Starts a run and resolves once its folder exists. */
  start(request: StartBody): Promise<{ runId: string }>;
  /** Makes sure that a process drives this run. */
  wake(runId: string): void;
  /** Records active runs as interrupted when a server that drives them shuts down. Agents keep running. */
  interrupt?(): Promise<void>;
}

/** Protects the server from slow clients and large headers. Milliseconds and bytes. */
export const HTTP_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2000,
  maxHeaderSize: 16_384,
} as const;

const CONNECTIONS = { all: 1024, notSignedIn: 768 } as const;

export interface ServerOptions {
  readonly project: ProjectFiles;
  /** If this port is in use, the next free one is used. */
  readonly wanted: RequestedPort;
  readonly actions: Actions;
  readonly version: string;
  /** Names of the plugins that may have a section in global.json. */
  readonly plugins?: readonly string[];
  /** Names of the registered backends and pipelines. */
  readonly choices?: Choices;
  /** Folder that contains the built web UI. */
  readonly pages?: string;
  readonly limits?: Readonly<Record<keyof typeof HTTP_LIMITS, number>>;
  readonly shutdown?: Readonly<Record<keyof typeof SHUTDOWN_MS, number>>;
  readonly heartbeat?: Readonly<Record<keyof typeof HEARTBEAT_MS, number>>;
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** The preferred port if another process uses it, otherwise null. */
  readonly taken: number | null;
  /** A one-time code for the browser: `<url>/#code=<code>`. */
  readonly code: string;
  /** Token of this process; also in `.dure/server/server.json`. */
  readonly token: string;
  /** Creates another one-time code. */
  newCode(): string;
  /** Number of connected sockets. */
  readonly watching: number;
  /** Shuts down in seven steps within five seconds. Agents keep running. */
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
  const { pages: folder = distFile('ui'), limits = HTTP_LIMITS } = options;
  const { shutdown = SHUTDOWN_MS, heartbeat = HEARTBEAT_MS } = options;
  const files = serverFiles(project);
  await closedFolder(files.dir);
  const own = serverLog(files.log);
  const log = own.note;
  const index = runIndex(project);
  const sessions = await openSessions(files.sessions);
  const requests = runActions(project, actions.wake);
  const healthContext = { project, index, version, plugins };
  const start: ApiContext['start'] = request => actions.start(request);
  const apiContext: ApiContext = { project, index, sessions, requests, version, plugins, choices, start };
  let closing = false;
  let inProgress = 0;

  const http = httpServer(limits);
  const signedIn = reserveConnections(http, CONNECTIONS);
  const admits: Authorize = (token, connection) => {
    const admitted = sessions.admits(token);
    if (admitted) signedIn(connection);
    return admitted;
  };

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
  app.use('/health', healthRoutes(healthContext));
  app.use('/api', apiRoutes(apiEndpoints(apiContext), admits, version));
  app.use(servePages(folder));
  app.use(() => {
    throw new HttpRefusal(404, 'E_NOT_FOUND', 'Not found.');
  });
  app.use(async (error: unknown, req: Request, res: Response, next: NextFunction) => {
    const { status, body, expected } = await refusedIn(requestLanguage(req), error, project.root);
    if (!expected) log(error);
    if (res.headersSent) return next(error);
    if (status === 401) res.setHeader('WWW-Authenticate', 'Bearer');
    res.setHeader('Cache-Control', 'no-store');
    res.status(status).json(body);
  });

  http.on('request', app);
  const ports = portsToTry(wanted, await serverBefore(project));
  const port = await listenOn(http, HOST, ports);
  const [first = 0] = ports;
  const url = `http://${HOST}:${port}`;
  const io = new Server(http, {
    transports: ['websocket'],
    serveClient: false,
    maxHttpBufferSize: 64_000,
    perMessageDeflate: false,
    connectTimeout: 10_000,
    ...heartbeat,
    allowRequest: (req, decide) => decide(null, !closing && hostRefusal(originOf(req), port) === null),
  });
  io.engine.use((req: IncomingMessage, res: ServerResponse, next: () => void) => {
    if (isWebSocket(req)) return next();
    res.writeHead(400, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ code: 0, message: WEBSOCKET_ONLY }));
  });
  const live = openSockets(io, { project, index, admits, requests, log });
  sessions.onSignOut(live.disconnectSignedOut);
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
  await sessions.listensOn(port);
  await keepSecretJson(files.beacon, beacon);

  let ended: Promise<void> | null = null;
  const end = async (): Promise<void> => {
    // 1. Reject new requests. 2. Wait for requests in progress.
    closing = true;
    for (const until = performance.now() + shutdown.requests; inProgress > 0 && performance.now() < until; )
      await pause(20);
    // 3. Tell open pages to wait for the next server instead of showing an error.
    live.announceShutdown();
    // 4. Record active runs as interrupted. 5. Leave tmux sessions and agents running.
    await Promise.race([actions.interrupt?.().catch(log), pause(shutdown.state, undefined, { ref: false })]);
    // 6. Stop the file watchers.
    await live.close();
    // 7. Close the server, and cut connections that stay open.
    http.closeIdleConnections();
    const gone = new Promise<void>(resolve => void io.close(() => resolve()));
    await Promise.race([gone, pause(shutdown.sockets, undefined, { ref: false })]);
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
        pause(shutdown.whole, undefined, { ref: false }).then(() => http.closeAllConnections()),
      ]);
      return ended;
    },
  };
}
