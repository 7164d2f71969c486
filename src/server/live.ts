/**
 * The sockets. `/dashboard` shows one run at a time and what all pages share; the default namespace speaks of every
 * run in the orchestrator's own events. Whoever connects again is told everything anew, so nothing depends on having
 * heard it all.
 */
import type { Namespace, Server, Socket } from 'socket.io';
import type { z } from 'zod';
import { dureError } from '../errors.ts';
import { severityOf } from '../formats/events.ts';
import type { ProjectFiles, RunFiles } from '../formats/layout.ts';
import { AGENTS, crpOf, dashboardOf, stageOf, statusOf } from './dashboard.ts';
import { read } from './endpoint.ts';
import type { LogStep } from './log-tail.ts';
import { noticeOf } from './notice.ts';
import { outputsOf } from './outputs.ts';
import {
  crpResponse,
  type DashboardData,
  type DashboardToServer,
  extendTimeout,
  type Failure,
  type OrchestratorToServer,
  retryAgent,
  type ServerToDashboard,
  type ServerToOrchestrator,
  stopRun,
  streamGrant,
  streamSubscribe,
  vcrSubmit,
} from './protocol.ts';
import { Refusal, refusedBy } from './refusal.ts';
import type { RunIndex } from './run-index.ts';
import type { Sessions } from './sessions.ts';
import { type OpenStream, openStream } from './streams.ts';
import { readCrp } from './views.ts';
import { watchtower } from './watchtower.ts';
import { asVcr, runAt, type Word } from './word.ts';

const AT_ONCE_MS = 30;
const SOON_MS = 400;
const MOST_STREAMS = 12;

type Dashboard = Namespace<DashboardToServer, ServerToDashboard>;
type DashboardSocket = Socket<DashboardToServer, ServerToDashboard>;
type Orchestrator = Namespace<OrchestratorToServer, ServerToOrchestrator>;
type OrchestratorSocket = Socket<OrchestratorToServer, ServerToOrchestrator>;

export interface LiveDesk {
  readonly project: ProjectFiles;
  readonly index: RunIndex;
  readonly sessions: Sessions;
  readonly word: Word;
  /** A mistake of our own. */
  log(error: unknown): void;
}

export interface Live {
  /** Runs that are followed at this moment. */
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
    events(runId, steps) {
      tellOrchestrator(orchestrator, runId, steps);
      tellDashboard(dashboard, runId, steps);
      rooms.get(runId)?.update(AT_ONCE_MS);
      void tellQuestions(runId, steps).catch(log);
    },
    files(runId, files) {
      dashboard.to(runId).emit('run:files', { runId, files: [...files].slice(0, 100) });
      if (files.some(file => file.startsWith('logs/'))) {
        rooms.get(runId)?.update(SOON_MS);
        for (const own of streams.values())
          for (const stream of own.values()) if (stream.runId === runId) stream.open.poke();
      }
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

  const tellQuestions = async (runId: string, steps: readonly LogStep[]) => {
    for (const { event } of steps) {
      if (event.type !== 'crp.created') continue;
      const crp = await readCrp(await runAt(project, runId), event.crp_id);
      if (crp) dashboard.to(runId).emit('dashboard:crp', crpOf(crp));
    }
  };

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
      const room = rooms.get(id);
      if (room?.leave()) rooms.delete(id);
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
      const room = rooms.get(id) ?? roomOf(files, id);
      rooms.set(id, room);
      room.enter();
      runId = id;
      await socket.join(id);
      socket.emit('dashboard:subscribed', { runId: id });
      await show(room);
    };
    const show = async (room: Room) => {
      const data = await room.data();
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
        const room = runId === null ? undefined : rooms.get(runId);
        if (!room) throw unsubscribed();
        await show(room);
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

  const roomOf = (files: RunFiles, id: string): Room => {
    const outputs = outputsOf(files, AGENTS);
    let people = 0;
    let due: { at: number; timer: NodeJS.Timeout } | null = null;
    const data = async (): Promise<DashboardData | null> => {
      const state = tower.stateOf(id);
      if (!state) return null;
      const crp = state.pending_crp ? await readCrp(files, state.pending_crp) : null;
      return dashboardOf(state, await outputs(), crp);
    };
    const send = async () => {
      due = null;
      const now = await data();
      if (now && people > 0) dashboard.to(id).emit('dashboard:update', now);
    };
    return {
      data,
      update(within) {
        const at = performance.now() + within;
        if (due && due.at <= at) return;
        if (due) clearTimeout(due.timer);
        due = { at, timer: setTimeout(() => void send().catch(log), within) };
      },
      enter() {
        people += 1;
      },
      leave() {
        people -= 1;
        if (people === 0 && due) clearTimeout(due.timer);
        return people === 0;
      },
    };
  };

  orchestrator.on('connection', socket => {
    tower.manned(1);
    socket.on('disconnect', () => tower.manned(-1));
    const carry =
      (shape: z.ZodType, work: (given: unknown) => Promise<unknown>) => (given: unknown, ack?: unknown) => {
        const done = async () => work(read(shape, given));
        void done().then(
          said => answer(ack, said),
          error => {
            const said = refuse(error);
            if (typeof ack !== 'function') socket.emit('error', { error: said.error.message });
            answer(ack, said);
          },
        );
      };
    hear(socket, carry, word);
  });

  return {
    get watching() {
      return tower.posts;
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

interface Room {
  data(): Promise<DashboardData | null>;
  /** An update to everybody here, at the latest after so many milliseconds. */
  update(within: number): void;
  enter(): void;
  /** True when nobody is left. */
  leave(): boolean;
}

/** An acknowledgement is the other side's wish: whatever else stands in its place is ignored. */
const answer = (ack: unknown, said: unknown): void => {
  if (typeof ack === 'function') ack(said);
};

function hear(
  socket: OrchestratorSocket,
  carry: (
    shape: z.ZodType,
    work: (given: unknown) => Promise<unknown>,
  ) => (given: unknown, ack?: unknown) => void,
  word: Word,
): void {
  socket.on(
    'retry.agent',
    carry(retryAgent, given => {
      const { run_id, agent } = given as z.output<typeof retryAgent>;
      return word.retry(run_id, agent);
    }),
  );
  socket.on(
    'stop.run',
    carry(stopRun, given => {
      const { run_id, reason } = given as z.output<typeof stopRun>;
      return word.stop(run_id, reason ?? '');
    }),
  );
  socket.on(
    'extend.timeout',
    carry(extendTimeout, given => {
      const { run_id, ms } = given as z.output<typeof extendTimeout>;
      return word.extend(run_id, ms);
    }),
  );
  socket.on(
    'vcr.submit',
    carry(vcrSubmit, given => {
      const { run_id, ...vcr } = given as z.output<typeof vcrSubmit>;
      return word.answer(run_id, vcr);
    }),
  );
}

function tellOrchestrator(orchestrator: Orchestrator, runId: string, steps: readonly LogStep[]): void {
  for (const { seq, event, before, state } of steps) {
    const of = { run_id: runId, seq };
    switch (event.type) {
      case 'agent.started':
        orchestrator.emit('agent.started', { ...event, ...of });
        break;
      case 'agent.completed':
        orchestrator.emit('agent.completed', { ...event, ...of });
        break;
      case 'agent.failed':
        orchestrator.emit('agent.failed', { ...event, ...of });
        break;
      case 'agent.timeout':
        orchestrator.emit('agent.timeout', { ...event, ...of });
        break;
      case 'crp.created':
        orchestrator.emit('crp.created', { ...event, ...of });
        break;
      case 'run.completed':
        orchestrator.emit('run.completed', { ...event, ...of });
        break;
      case 'run.failed':
        orchestrator.emit('run.failed', { ...event, ...of });
        break;
    }
    if (before && before.phase !== state.phase)
      orchestrator.emit('phase.changed', { ...of, at: event.at, previous: before.phase, phase: state.phase });
  }
}

function tellDashboard(dashboard: Dashboard, runId: string, steps: readonly LogStep[]): void {
  const room = dashboard.to(runId);
  const events = steps.map(({ seq, event }) => ({ seq, severity: severityOf(event.type), event }));
  room.emit('run:events', { runId, events });
  for (const { seq, event, before, state } of steps) {
    if (before) {
      const [previousStage, newStage] = [stageOf(before), stageOf(state)];
      if (previousStage !== newStage)
        dashboard.to(runId).emit('dashboard:stage-change', { previousStage, newStage });
      for (const agent of Object.keys(state.agents)) {
        const [previousStatus, newStatus] = [statusOf(before, agent), statusOf(state, agent)];
        if (previousStatus !== newStatus)
          dashboard.to(runId).emit('dashboard:agent-status-change', { agent, previousStatus, newStatus });
      }
    }
    const notice = noticeOf(runId, seq, event);
    if (notice) dashboard.emit('notice', notice);
  }
}
