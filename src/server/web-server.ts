/**
 * The web server for one project: HTTP routes, sockets, sessions, and the file with its address and token. It reads run
 * folders and writes requests into them; it does not drive runs.
 */
import { createServer as httpServer } from 'node:http';
import type { ProjectFiles } from '../formats/layout.ts';
import { ownIdentity } from '../process/identity.ts';
import { distFile } from '../process/package-paths-and-version.ts';
import type { ApiContext } from './api/api-context.ts';
import { requestDrain } from './drain-requests.ts';
import { expressApp } from './express-app.ts';
import type { StartBody } from './http-protocol.ts';
import { listenOn, portsToTry, type RequestedPort } from './listen-on-free-port.ts';
import type { Choices } from './project-settings.ts';
import { runActions } from './run-actions.ts';
import { runIndex } from './runs/run-index.ts';
import { closedFolder, keepSecretJson, serverBefore, serverFiles } from './server-files.ts';
import { serverLog } from './server-log.ts';
import { checkRequests } from './sessions/check-host-and-origin.ts';
import { reserveConnections } from './sessions/reserve-connections.ts';
import { type Authorize, openSessions } from './sessions/sessions.ts';
import { SHUTDOWN_MS, shutDown } from './shut-down.ts';
import { HEARTBEAT_MS, webSocketServer } from './sockets/socket-io-server.ts';
import { openSockets } from './sockets/socket-namespaces.ts';

const HOST = '127.0.0.1';

export interface Actions {
  /** Starts a run and resolves once its folder exists. */
  start(request: StartBody): Promise<{ runId: string }>;
  /** Makes sure that a process drives this run. */
  wake(runId: string): void;
  /** Records active runs as interrupted when a server that drives them shuts down. Agents keep running. */
  interrupt?(): Promise<void>;
}

/** Limits that protect the server from slow clients and large headers, in milliseconds and bytes. */
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
  /** Shuts down within five seconds. Agents keep running. */
  close(): Promise<void>;
}

export async function createServer(options: ServerOptions): Promise<RunningServer> {
  const { project, wanted, actions, version } = options;
  const { plugins = [], choices = { backend: [], pipeline: [] }, pages = distFile('ui') } = options;
  const { limits = HTTP_LIMITS, shutdown = SHUTDOWN_MS, heartbeat = HEARTBEAT_MS } = options;
  const files = serverFiles(project);
  await closedFolder(files.dir);
  const own = serverLog(files.log);
  const log = own.note;
  const index = runIndex(project);
  const sessions = await openSessions(files.sessions);
  const requests = runActions(project, actions.wake);
  const start: ApiContext['start'] = request => actions.start(request);
  const http = httpServer(limits);
  const signedIn = reserveConnections(http, CONNECTIONS);
  const admits: Authorize = (token, connection) => {
    const admitted = sessions.admits(token);
    if (admitted) signedIn(connection);
    return admitted;
  };
  const inProgress = requestDrain();
  const app = expressApp({
    health: { project, index, version, plugins },
    api: { project, index, sessions, requests, version, plugins, choices, start },
    enter: inProgress.enter,
    admits,
    pages,
    log,
  });
  http.on('request', app);

  const ports = portsToTry(wanted, await serverBefore(project));
  const port = await listenOn(http, HOST, ports);
  const [first = 0] = ports;
  const url = `http://${HOST}:${port}`;
  const io = webSocketServer(http, { port, heartbeat, isOpen: inProgress.isOpen });
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

  let closed: Promise<void> | null = null;
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
      closed ??= shutDown({
        inProgress,
        http,
        io,
        live,
        limits: shutdown,
        interrupt: async () => actions.interrupt?.().catch(log),
        async closeFiles() {
          await keepSecretJson(files.beacon, { ...beacon, process: null, token: '' }).catch(log);
          await own.close();
        },
      });
      return closed;
    },
  };
}
