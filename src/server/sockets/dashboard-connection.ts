/** Serves one connected page, which subscribes to one run at a time and sends requests about it. */
import type { z } from 'zod';
import { findRun } from '../../core/run/run-store.ts';
import { dureError } from '../../errors.ts';
import type { ProjectFiles, RunFiles } from '../../formats/layout.ts';
import { read } from '../api/endpoint.ts';
import { HttpRefusal } from '../api/http-refusal.ts';
import { crpResponse } from '../question-and-action-protocol.ts';
import type { RunAction } from '../run-actions.ts';
import type { RunFollowers } from '../runs/followed-runs.ts';
import type { RunSubscribers } from '../runs/run-subscribers.ts';
import type { DashboardSocket } from './send-dashboard-events.ts';

export interface DashboardContext {
  readonly project: ProjectFiles;
  readonly requests: RunAction;
  readonly followers: RunFollowers;
  /** The subscribers of each run, by run id. */
  readonly rooms: Map<string, RunSubscribers>;
  createRoom(files: RunFiles, runId: string): RunSubscribers;
  countViewers(runId: string): void;
  /** Acknowledges a request with the result of `work`, or with the error that it throws. */
  reply(socket: DashboardSocket, ack: unknown, work: Promise<unknown>): void;
}

export function connectDashboard(
  socket: DashboardSocket,
  { project, requests, followers, rooms, createRoom, countViewers, reply }: DashboardContext,
): void {
  followers.countClients(1);
  let runId: string | null = null;
  let last: Promise<unknown> = Promise.resolve();

  /** Runs requests one after another, so that the last of several subscriptions in quick succession wins. */
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
  const unsubscribe = async () => {
    if (runId === null) return;
    const id = runId;
    runId = null;
    await socket.leave(id);
    followers.release(id);
    if (rooms.get(id)?.leave()) rooms.delete(id);
    countViewers(id);
  };
  const subscribe = async (requested: unknown) => {
    const id = typeof requested === 'string' ? requested : '';
    const files = await findRun(project, id);
    await unsubscribe();
    const state = await followers.acquire(id);
    if (!state) {
      followers.release(id);
      throw dureError('E_RUN_NOT_FOUND', { run: id });
    }
    if (!socket.connected) return followers.release(id);
    const channel = rooms.get(id) ?? createRoom(files, id);
    rooms.set(id, channel);
    channel.enter();
    runId = id;
    await socket.join(id);
    socket.emit('dashboard:subscribed', { runId: id });
    countViewers(id);
    await show(channel);
  };
  const show = async (here: RunSubscribers) => {
    const data = await here.data();
    if (!data) return;
    socket.emit('dashboard:update', data);
    if (data.crp) socket.emit('dashboard:crp', data.crp);
  };

  const replyInOrder = (ack: unknown, work: () => Promise<void>) =>
    reply(
      socket,
      ack,
      inOrder(async () => {
        await work();
        return { ok: true };
      }),
    );

  socket.on('dashboard:subscribe', (requested, ack) => replyInOrder(ack, () => subscribe(requested)));
  socket.on('dashboard:unsubscribe', ack =>
    replyInOrder(ack, async () => {
      await unsubscribe();
      socket.emit('dashboard:unsubscribed');
    }),
  );
  socket.on('dashboard:request-update', ack =>
    replyInOrder(ack, async () => {
      const here = runId === null ? undefined : rooms.get(runId);
      if (!here) throw unsubscribed();
      await show(here);
    }),
  );
  socket.on('dashboard:crp-response', (given, ack) => {
    const work = async () => {
      const response = read(crpResponse, given) as z.output<typeof crpResponse>;
      if (runId === null) throw unsubscribed();
      return requests.answer(runId, response);
    };
    reply(socket, ack, work());
  });
  socket.on('disconnect', () =>
    replyInOrder(null, () => unsubscribe().finally(() => followers.countClients(-1))),
  );
}

const unsubscribed = () => new HttpRefusal(409, 'E_NOT_SUBSCRIBED', 'Subscribe to a run first.');
