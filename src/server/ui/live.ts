/**
 * The one socket of this tab. What arrives makes cached answers old, and they are asked for again: after every
 * (re)connection all of them, so that a page is right again however long it was away. It connects only to a server
 * that has proven itself, every time anew.
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
import { dropPass, pass } from './pass.ts';
import { Refusal } from './refusal.ts';

export type Link = 'connecting' | 'live' | 'lost' | 'locked';
export type LiveSocket = Socket<ServerToDashboard, DashboardToServer>;

const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 3000;

let shown = '';
export const socket: LiveSocket = io('/dashboard', {
  transports: ['websocket'],
  autoConnect: false,
  reconnection: false,
  auth: tell => tell({ token: shown }),
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
  let tries = 0;
  let next: ReturnType<typeof setTimeout>;
  const connect = async () => {
    if (link === 'locked') return;
    dropPass();
    try {
      shown = await pass();
      socket.connect();
    } catch (error) {
      lost();
      // The queries hear the same, and lock the page.
      if (error instanceof Refusal) void client.invalidateQueries();
    }
  };
  /** What listens at the port by now may be another program. */
  const lost = () => {
    dropPass();
    if (link === 'locked') return;
    changeTo('lost');
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries) * (0.75 + Math.random() / 2);
    tries += 1;
    clearTimeout(next);
    next = setTimeout(() => void connect(), pause);
  };
  socket.on('connect', () => {
    tries = 0;
    connection += 1;
    changeTo('live');
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
    const page = joined(client.getQueryData<EventsPage>(key), events);
    if (page) client.setQueryData(key, page);
    else void client.invalidateQueries({ queryKey: key });
    void client.invalidateQueries({ queryKey: ['run', runId] });
  });
  socket.on('notice', notify);
  void connect();
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
