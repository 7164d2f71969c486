/**
 * Opens both socket namespaces. `/dashboard` serves the web UI: one subscribed run at a time, plus messages for every
 * page. The default namespace broadcasts orchestrator events of all runs. A client that reconnects fetches the current
 * state again, so missed messages do no harm.
 */

import type { Server, Socket } from 'socket.io';
import { findRun } from '../../core/run/run-store.ts';
import type { ProjectFiles, RunFiles } from '../../formats/layout.ts';
import { refusedIn, requestLanguage } from '../api/localized-refusal.ts';
import type { FailureView } from '../http-protocol.ts';
import type { RunAction } from '../run-actions.ts';
import type { LogStep } from '../runs/event-log-tail.ts';
import { runFollowers } from '../runs/followed-runs.ts';
import type { RunIndex } from '../runs/run-index.ts';
import { type RunSubscribers, runSubscribers } from '../runs/run-subscribers.ts';
import { readCrp } from '../runs/run-views.ts';
import { sanitizeAgentStrings } from '../sanitize-agent-strings.ts';
import type { Authorize } from '../sessions/sessions.ts';
import { connectDashboard } from './dashboard-connection.ts';
import { crpOf } from './dashboard-data.ts';
import {
  type Orchestrator,
  readOrchestratorRequests,
  sendOrchestratorEvents,
} from './orchestrator-events-and-requests.ts';
import { type Dashboard, type DashboardSocket, sendDashboardEvents } from './send-dashboard-events.ts';
import { acknowledge } from './socket-acknowledgement.ts';

const EVENT_UPDATE_MS = 30;
const OUTPUT_UPDATE_MS = 400;

export interface SocketContext {
  readonly project: ProjectFiles;
  readonly index: RunIndex;
  readonly admits: Authorize;
  readonly requests: RunAction;
  /** Logs an internal error. */
  log(error: unknown): void;
}

export interface Sockets {
  /** Number of connected sockets. */
  readonly watching: number;
  /** Tells every socket that the server is shutting down. */
  announceShutdown(): void;
  /** Disconnects the sockets that are no longer admitted. */
  disconnectSignedOut(): void;
  /** Stops following runs. The caller must close the sockets. */
  close(): Promise<void>;
}

export function openSockets(io: Server, { project, index, admits, requests, log }: SocketContext): Sockets {
  const dashboard: Dashboard = io.of('/dashboard');
  const orchestrator: Orchestrator = io.of('/');
  const rooms = new Map<string, RunSubscribers>();

  const followers = runFollowers(project, index, {
    events(runId, recorded) {
      const steps = recorded.map(step => ({ ...step, event: sanitizeAgentStrings(step.event) }));
      sendOrchestratorEvents(orchestrator, runId, steps);
      sendDashboardEvents(dashboard, runId, steps);
      rooms.get(runId)?.update(EVENT_UPDATE_MS);
      void sendQuestions(runId, steps).catch(log);
    },
    printed(runId) {
      rooms.get(runId)?.update(OUTPUT_UPDATE_MS);
      dashboard.to(runId).emit('run:printed', { runId });
    },
    broken(runId, error) {
      for (const id of dashboard.adapter.rooms.get(runId) ?? []) {
        const socket = dashboard.sockets.get(id);
        if (socket) void emitError(socket, error);
      }
    },
    rows(rows) {
      dashboard.emit('runs:changed', { runs: [...rows].slice(0, 100) });
      for (const { run_id } of rows) rooms.get(run_id)?.update(EVENT_UPDATE_MS);
    },
  });

  const sendQuestions = async (runId: string, steps: readonly LogStep[]) => {
    for (const { event, state } of steps) {
      if (event.type !== 'crp.created') continue;
      const crp = await readCrp(await findRun(project, runId), event.crp_id);
      if (crp) dashboard.to(runId).emit('dashboard:crp', crpOf(crp, state));
    }
  };

  const createRoom = (files: RunFiles, id: string): RunSubscribers =>
    runSubscribers(files, {
      stateOf: () => followers.stateOf(id),
      send: data => void dashboard.to(id).emit('dashboard:update', data),
      log,
    });

  const countViewers = (runId: string): void => {
    const count = dashboard.adapter.rooms.get(runId)?.size ?? 0;
    dashboard.to(runId).emit('run:viewers', { runId, count });
  };

  const isAuthorized = ({ handshake, request }: Pick<Socket, 'handshake' | 'request'>) =>
    admits(handshake.auth['token'], request.socket);
  const authorize = (socket: Pick<Socket, 'handshake' | 'request'>, next: (error?: Error) => void) =>
    next(isAuthorized(socket) ? undefined : new Error('unauthorized: the token is missing or wrong'));
  dashboard.use(authorize);
  orchestrator.use(authorize);

  const failureOf = async ({ request }: Pick<Socket, 'request'>, error: unknown): Promise<FailureView> => {
    const { body, expected } = await refusedIn(requestLanguage(request), error, project.root);
    if (!expected) log(error);
    return body;
  };
  const emitError = async (socket: DashboardSocket, error: unknown): Promise<FailureView> => {
    const failure = await failureOf(socket, error);
    socket.emit('dashboard:error', { error: failure.error.message });
    return failure;
  };
  const reply = (socket: DashboardSocket, ack: unknown, work: Promise<unknown>): void =>
    acknowledge(ack, work, error => emitError(socket, error));

  const context = { project, requests, followers, rooms, createRoom, countViewers, reply };
  dashboard.on('connection', socket => connectDashboard(socket, context));

  orchestrator.on('connection', socket => {
    followers.countClients(1);
    socket.on('disconnect', () => followers.countClients(-1));
    readOrchestratorRequests(socket, requests, error => failureOf(socket, error));
  });

  return {
    get watching() {
      return dashboard.sockets.size + orchestrator.sockets.size;
    },
    announceShutdown() {
      dashboard.emit('server:closing');
      orchestrator.emit('server:closing');
    },
    disconnectSignedOut() {
      for (const { sockets } of [dashboard, orchestrator])
        for (const socket of sockets.values()) if (!isAuthorized(socket)) socket.disconnect(true);
    },
    close: followers.close,
  };
}
