/**
 * The socket of this tab. Messages invalidate cached queries. Every (re)connection invalidates all of them,
 * so that a page is current however long it was disconnected. Before each connection, the server has to prove
 * its identity.
 */
import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { io, type Socket } from 'socket.io-client';
import type { EventsPage, SeenEvent } from '../../http-protocol.ts';
import type { BrowserNotification, DashboardToServer, ServerToDashboard } from '../../socket-protocol.ts';
import { createStore } from '../create-store.ts';
import { Refusal } from './refusal-error.ts';
import { dropSessionProof, sessionProofHeader } from './session-proof.ts';

export type Connection = 'connecting' | 'live' | 'lost' | 'locked';
export type LiveSocket = Socket<ServerToDashboard, DashboardToServer>;

const FIRST_RETRY_DELAY_MS = 400;
const MAX_RETRY_DELAY_MS = 3000;

let sessionProof = '';
export const socket: LiveSocket = io('/dashboard', {
  transports: ['websocket'],
  autoConnect: false,
  reconnection: false,
  auth: send => send({ token: sessionProof }),
});

const link = createStore<Connection>('connecting');
/** Number of the current connection. After a change, subscriptions must be renewed. */
const connection = createStore(0);
export const useConnectionState = link.use;
export const useConnection = connection.use;
export const lock = (): void => {
  socket.disconnect();
  link.set('locked');
};

export function connectSocket(
  client: QueryClient,
  notify: (notification: BrowserNotification) => void,
): void {
  let tries = 0;
  let next: ReturnType<typeof setTimeout>;
  const connect = async () => {
    if (link.now() === 'locked') return;
    dropSessionProof();
    try {
      sessionProof = await sessionProofHeader();
      socket.connect();
    } catch (error) {
      lost();
      // The queries run again and get the same refusal, which locks the page.
      if (error instanceof Refusal) void client.invalidateQueries();
    }
  };
  /** Drops the session proof, because another program may now be listening on the port, and schedules a reconnect. */
  const lost = () => {
    dropSessionProof();
    if (link.now() === 'locked') return;
    link.set('lost');
    const delay =
      Math.min(MAX_RETRY_DELAY_MS, FIRST_RETRY_DELAY_MS * 2 ** tries) * (0.75 + Math.random() / 2);
    tries += 1;
    clearTimeout(next);
    next = setTimeout(() => void connect(), delay);
  };
  socket.on('connect', () => {
    tries = 0;
    connection.set(connection.now() + 1);
    link.set('live');
    void client.invalidateQueries();
  });
  socket.on('disconnect', lost);
  socket.on('connect_error', lost);
  socket.on('runs:changed', ({ runs }) => {
    void client.invalidateQueries({ queryKey: ['overview'] });
    void client.invalidateQueries({ queryKey: ['runs'] });
    for (const run of runs) void client.invalidateQueries({ queryKey: ['run', run.run_id] });
  });
  socket.on('run:events', ({ runId, events }) => {
    const key = ['events', runId];
    const page = joinedRun(client.getQueryData<EventsPage>(key), events);
    if (page) client.setQueryData(key, page);
    else void client.invalidateQueries({ queryKey: key });
    void client.invalidateQueries({ queryKey: ['run', runId] });
  });
  socket.on('notification', notify);
  void connect();
}

/** Appends new events. Returns undefined if there is a gap, so that the whole log is fetched again. */
function joinedRun(known: EventsPage | undefined, received: readonly SeenEvent[]): EventsPage | undefined {
  if (!known) return undefined;
  const added = received.filter(event => event.seq > known.last);
  if (added.length === 0) return known;
  if (added[0]!.seq !== known.last + 1) return undefined;
  return { events: [...known.events, ...added], last: added.at(-1)!.seq };
}

/** Subscribes to a run while the component is mounted. */
export function useSubscription(runId: string): void {
  const number = useConnection();
  useEffect(() => {
    if (number === 0) return;
    socket.emit('dashboard:subscribe', runId);
    return () => {
      if (socket.connected) socket.emit('dashboard:unsubscribe');
    };
  }, [runId, number]);
}
