/**
 * The sockets. `/dashboard` shows one run at a time and what all pages share; the default namespace speaks of every
 * run in the orchestrator's own events. Whoever connects again is told everything anew, so nothing depends on having
 * heard it all.
 */
import type { Server, Socket } from 'socket.io';
import type { z } from 'zod';
import { dureError } from '../errors.ts';
import type { ProjectFiles, RunFiles } from '../formats/layout.ts';
import { answer } from './acknowledge.ts';
import { crpOf } from './dashboard.ts';
import { read } from './endpoint.ts';
import type { LogStep } from './log-tail.ts';
import { hearOrchestrator, type Orchestrator, tellOrchestrator } from './orchestrator-socket.ts';
import { plainly } from './plainly.ts';
import {
  crpResponse,
  type DashboardToServer,
  type Failure,
  type ServerToDashboard,
  streamGrant,
  streamSubscribe,
} from './protocol.ts';
import { Refusal, refusedBy } from './refusal.ts';
import { type Room, room } from './room.ts';
import type { RunIndex } from './run-index.ts';
import type { Sessions } from './sessions.ts';
import { type OpenStream, openStream } from './streams.ts';
import { type Dashboard, tellDashboard } from './tell-dashboard.ts';
import { readCrp } from './views.ts';
import { watchtower } from './watchtower.ts';
import { asVcr, runAt, type Word } from './word.ts';

const AT_ONCE_MS = 30;
const SOON_MS = 400;
const MOST_STREAMS = 12;

type DashboardSocket = Socket<DashboardToServer, ServerToDashboard>;

export interface LiveDesk {
  readonly project: ProjectFiles;
  readonly index: RunIndex;
  readonly sessions: Sessions;
  readonly word: Word;
  /** A mistake of our own. */
  log(error: unknown): void;
}

export interface Live {
  /** Sockets that are connected now. */
  readonly watching: number;
  /** Tells every socket that the server goes. */
  farewell(): void;
  /** Ends watching; the sockets are the server's to close. */
  close(): Promise<void>;
}

export function goLive(io: Server, { project, index, sessions, word, log }: LiveDesk): Live {
  const dashboard: Dashboard = io.of('/dashboard');
  const orchestrator: Orchestrator = io.of('/');
  const rooms = new Map<string, Room>();
  const streams = new Map<DashboardSocket, Map<number, { runId: string; open: OpenStream }>>();

  const tower = watchtower(project, index, {
    events(runId, recorded) {
      const steps = recorded.map(step => ({ ...step, event: plainly(step.event) }));
      tellOrchestrator(orchestrator, runId, steps);
      tellDashboard(dashboard, runId, steps);
      rooms.get(runId)?.update(AT_ONCE_MS);
      void tellQuestions(runId, steps).catch(log);
    },
    files: (runId, files) => tellFiles(runId, files),
    printed(runId) {
      rooms.get(runId)?.update(SOON_MS);
      for (const own of streams.values())
        for (const stream of own.values()) if (stream.runId === runId) stream.open.poke();
    },
    broken(runId, error) {
      dashboard
        .to(runId)
        .emit('dashboard:error', { error: refusedBy(error, project.root).body.error.message });
    },
    rows(rows) {
      dashboard.emit('runs:changed', { runs: [...rows].slice(0, 100) });
      for (const { run_id } of rows) rooms.get(run_id)?.update(AT_ONCE_MS);
    },
  });

  const tellFiles = (runId: string, files: readonly string[]) =>
    void dashboard.to(runId).emit('run:files', { runId, files: plainly(files.slice(0, 100)) });

  const tellQuestions = async (runId: string, steps: readonly LogStep[]) => {
    for (const { event } of steps) {
      if (event.type !== 'crp.created') continue;
      const crp = await readCrp(await runAt(project, runId), event.crp_id);
      if (crp) dashboard.to(runId).emit('dashboard:crp', crpOf(crp));
    }
  };

  const roomOf = (files: RunFiles, id: string): Room =>
    room(files, {
      stateOf: () => tower.stateOf(id),
      send: data => void dashboard.to(id).emit('dashboard:update', data),
      files: paths => tellFiles(id, paths),
      log,
    });

  const admit = (socket: { handshake: { auth: Record<string, unknown> } }, next: (error?: Error) => void) =>
    next(
      sessions.admits(socket.handshake.auth['token'])
        ? undefined
        : new Error('unauthorized: the token is missing or wrong'),
    );
  dashboard.use(admit);
  orchestrator.use(admit);

  const refuse = (error: unknown): Failure => {
    const { body, meant } = refusedBy(error, project.root);
    if (!meant) log(error);
    return body;
  };

  dashboard.on('connection', socket => {
    tower.manned(1);
    const own = new Map<number, { runId: string; open: OpenStream }>();
    streams.set(socket, own);
    let runId: string | null = null;
    let last: Promise<unknown> = Promise.resolve();
    let numbers = 0;

    /** One after the other, so that a quick change of runs ends on the right one. */
    const queued = <T>(work: () => Promise<T>): Promise<T> => {
      const mine = last.then(work);
      last = mine.catch(() => {});
      return mine;
    };
    const complain = (error: unknown): Failure => {
      const said = refuse(error);
      socket.emit('dashboard:error', { error: said.error.message });
      return said;
    };
    const leave = async () => {
      if (runId === null) return;
      const id = runId;
      runId = null;
      await socket.leave(id);
      tower.release(id);
      if (rooms.get(id)?.leave()) rooms.delete(id);
    };
    const enter = async (wanted: unknown) => {
      const files = await runAt(project, String(wanted));
      const id = String(wanted);
      await leave();
      const state = await tower.hold(id);
      if (!state) {
        tower.release(id);
        throw dureError('E_RUN_NOT_FOUND', { run: id });
      }
      if (!socket.connected) return tower.release(id);
      const here = rooms.get(id) ?? roomOf(files, id);
      rooms.set(id, here);
      here.enter();
      runId = id;
      await socket.join(id);
      socket.emit('dashboard:subscribed', { runId: id });
      await show(here);
    };
    const show = async (here: Room) => {
      const data = await here.data();
      if (!data) return;
      socket.emit('dashboard:update', data);
      if (data.crp) socket.emit('dashboard:crp', data.crp);
    };

    socket.on('dashboard:subscribe', (wanted, ack) => {
      void queued(() => enter(wanted)).then(
        () => answer(ack, { ok: true }),
        error => answer(ack, complain(error)),
      );
    });
    socket.on('dashboard:unsubscribe', ack => {
      void queued(leave).then(() => {
        socket.emit('dashboard:unsubscribed');
        answer(ack, { ok: true });
      });
    });
    socket.on('dashboard:request-update', ack => {
      const work = async () => {
        const here = runId === null ? undefined : rooms.get(runId);
        if (!here) throw unsubscribed();
        await show(here);
      };
      void queued(work).then(
        () => answer(ack, { ok: true }),
        error => answer(ack, complain(error)),
      );
    });
    socket.on('dashboard:crp-response', (given, ack) => {
      const work = async () => {
        const response = read(crpResponse, given) as z.output<typeof crpResponse>;
        if (runId === null) throw unsubscribed();
        return word.answer(runId, asVcr(response));
      };
      void work().then(
        done => answer(ack, done),
        error => answer(ack, complain(error)),
      );
    });
    socket.on('stream:subscribe', (given, ack) => {
      const work = async () => {
        const wanted = read(streamSubscribe, given) as z.output<typeof streamSubscribe>;
        if (own.size >= MOST_STREAMS)
          throw new Refusal(409, 'E_STREAMS', `At most ${MOST_STREAMS} streams at once.`);
        const files = await runAt(project, wanted.runId);
        numbers += 1;
        const stream = numbers;
        const { role, raw, launch = null, offset = null } = wanted;
        const open = await openStream({ stream, files, role, raw, launch, offset }, piece =>
          socket.emit('stream:piece', piece),
        );
        if (!socket.connected) open.close();
        else own.set(stream, { runId: wanted.runId, open });
        return { ok: true as const, stream, launch: open.launch, offset: open.offset };
      };
      void work().then(
        done => answer(ack, done),
        error => answer(ack, complain(error)),
      );
    });
    socket.on('stream:grant', given => {
      const grant = streamGrant.safeParse(given);
      if (grant.success) own.get(grant.data.stream)?.open.grant(grant.data.bytes);
    });
    socket.on('stream:unsubscribe', stream => {
      own.get(stream)?.open.close();
      own.delete(stream);
    });
    socket.on('disconnect', () => {
      for (const { open } of own.values()) open.close();
      streams.delete(socket);
      void queued(leave).then(() => tower.manned(-1));
    });
  });

  orchestrator.on('connection', socket => {
    tower.manned(1);
    socket.on('disconnect', () => tower.manned(-1));
    hearOrchestrator(socket, word, refuse);
  });

  return {
    get watching() {
      return dashboard.sockets.size + orchestrator.sockets.size;
    },
    farewell() {
      dashboard.emit('server:closing');
      orchestrator.emit('server:closing');
    },
    async close() {
      for (const own of streams.values()) for (const { open } of own.values()) open.close();
      await tower.close();
    },
  };
}

const unsubscribed = () => new Refusal(409, 'E_NOT_SUBSCRIBED', 'Subscribe to a run first.');
