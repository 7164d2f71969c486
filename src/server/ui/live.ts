/**
 * The one socket of this tab. What arrives makes cached answers old, and they are asked for again: after every
 * (re)connection all of them, so that a page is right again however long it was away.
 */
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { io, type Socket } from 'socket.io-client';
import type {
  BrowserNotice,
  DashboardToServer,
  EventsPage,
  SeenEvent,
  ServerToDashboard,
} from '../protocol.ts';
import { token } from './session.ts';

export type Link = 'connecting' | 'live' | 'lost' | 'locked';
export type LiveSocket = Socket<ServerToDashboard, DashboardToServer>;

export const socket: LiveSocket = io('/dashboard', {
  transports: ['websocket'],
  autoConnect: false,
  reconnectionDelay: 400,
  reconnectionDelayMax: 3000,
  auth: tell => tell({ token: token() ?? '' }),
});

let link: Link = 'connecting';
/** Counts connections: what was subscribed before is to be subscribed again. */
let connection = 0;
const watchers = new Set<() => void>();
const changeTo = (next: Link) => {
  link = next;
  for (const tell of watchers) tell();
};
const watch = (tell: () => void) => {
  watchers.add(tell);
  return () => watchers.delete(tell);
};
export const useLink = (): Link => useSyncExternalStore(watch, () => link);
export const useConnection = (): number => useSyncExternalStore(watch, () => connection);
export const lock = (): void => {
  socket.disconnect();
  changeTo('locked');
};

export function goLive(client: QueryClient, notify: (notice: BrowserNotice) => void): void {
  socket.on('connect', () => {
    connection += 1;
    changeTo('live');
    void client.invalidateQueries();
  });
  socket.on('disconnect', reason => {
    if (link === 'locked') return;
    changeTo('lost');
    // socket.io does not come back by itself when the server ended the connection; another server may lead soon.
    if (reason === 'io server disconnect') socket.connect();
  });
  socket.on('connect_error', error => {
    if (link === 'locked') return;
    changeTo('lost');
    // A refused handshake is final for socket.io; a wrong key shows on the next request, so that trying on is safe.
    if (!socket.active) setTimeout(() => socket.connect(), 2000);
    if (/unauthori[sz]ed|token/i.test(error.message)) void client.invalidateQueries();
  });
  socket.on('runs:changed', ({ runs }) => {
    void client.invalidateQueries({ queryKey: ['overview'] });
    void client.invalidateQueries({ queryKey: ['runs'] });
    for (const run of runs) void client.invalidateQueries({ queryKey: ['run', run.run_id] });
  });
  socket.on('run:events', ({ runId, events }) => {
    const key = ['events', runId];
    const page = joined(client.getQueryData<EventsPage>(key), events);
    if (page) client.setQueryData(key, page);
    else void client.invalidateQueries({ queryKey: key });
    void client.invalidateQueries({ queryKey: ['run', runId] });
  });
  socket.on('notice', notify);
  socket.connect();
}

/** Undefined, so that the whole log is asked for, unless the new events follow the known ones. */
export function joined(known: EventsPage | undefined, fresh: readonly SeenEvent[]): EventsPage | undefined {
  if (!known) return undefined;
  const added = fresh.filter(event => event.seq > known.last);
  if (added.length === 0) return known;
  if (added[0]!.seq !== known.last + 1) return undefined;
  return { events: [...known.events, ...added], last: added.at(-1)!.seq };
}

/** Hears of one run as long as the page shows it. */
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
