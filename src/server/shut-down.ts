/** Shuts the server down in steps, each with a time limit. Agents and their tmux sessions keep running. */
import type { Server as HttpServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Server } from 'socket.io';
import type { RequestDrain } from './drain-requests.ts';
import type { Sockets } from './sockets/socket-namespaces.ts';

/** Time limits (ms) for requests in progress, for sockets, for saving the state, and for the whole shutdown. */
export const SHUTDOWN_MS = { requests: 1500, sockets: 500, state: 2000, whole: 5000 } as const;

export interface ShutdownOf {
  readonly inProgress: RequestDrain;
  readonly http: HttpServer;
  readonly io: Server;
  readonly live: Sockets;
  readonly limits: Readonly<Record<keyof typeof SHUTDOWN_MS, number>>;
  /** Records active runs as interrupted. */
  interrupt(): Promise<void>;
  /** Called when no connection is left. */
  closeFiles(): Promise<void>;
}

export const shutDown = (of: ShutdownOf): Promise<void> =>
  Promise.race([inSteps(of), timeUp(of.limits.whole).then(() => of.http.closeAllConnections())]);

async function inSteps({
  inProgress,
  http,
  io,
  live,
  limits,
  interrupt,
  closeFiles,
}: ShutdownOf): Promise<void> {
  await inProgress.drain(limits.requests);
  // Open pages wait for the next server instead of showing an error.
  live.announceShutdown();
  await Promise.race([interrupt(), timeUp(limits.state)]);
  await live.close();
  http.closeIdleConnections();
  const closed = new Promise<void>(resolve => void io.close(() => resolve()));
  await Promise.race([closed, timeUp(limits.sockets)]);
  http.closeAllConnections();
  await closeFiles();
}

const timeUp = (ms: number): Promise<void> => pause(ms, undefined, { ref: false });
