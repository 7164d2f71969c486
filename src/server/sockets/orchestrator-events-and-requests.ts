/** The default Socket.IO namespace: sends orchestrator events of every run, and accepts requests for any run. */
import type { Namespace, Socket } from 'socket.io';
import type { z } from 'zod';
import { read } from '../api/endpoint.ts';
import type { FailureView } from '../http-protocol.ts';
import type { RunAction } from '../run-actions.ts';
import type { LogStep } from '../runs/event-log-tail.ts';
import {
  extendTimeout,
  FORWARDED_EVENTS,
  type OrchestratorToServer,
  retryAgent,
  type ServerToOrchestrator,
  stopRun,
  vcrSubmit,
} from '../socket-protocol.ts';
import { acknowledge } from './socket-acknowledgement.ts';

export type Orchestrator = Namespace<OrchestratorToServer, ServerToOrchestrator>;
export type OrchestratorSocket = Socket<OrchestratorToServer, ServerToOrchestrator>;

export function readOrchestratorRequests(
  socket: OrchestratorSocket,
  requests: RunAction,
  refuse: (error: unknown) => Promise<FailureView>,
): void {
  const handle =
    <S extends z.ZodType>(shape: S, work: (request: z.output<S>) => Promise<unknown>) =>
    (...args: readonly unknown[]) => {
      // Clients may leave out the request.
      const ack = args.findLast(arg => typeof arg === 'function');
      const done = async () => work(read(shape, args[0]) as z.output<S>);
      acknowledge(ack, done(), async error => {
        const failure = await refuse(error);
        if (!ack) socket.emit('error', { error: failure.error.message });
        return failure;
      });
    };
  socket.on(
    'retry.agent',
    handle(retryAgent, ({ run_id, ...body }) => requests.retry(run_id, body)),
  );
  socket.on(
    'stop.run',
    handle(stopRun, ({ run_id, ...body }) => requests.stop(run_id, body)),
  );
  socket.on(
    'extend.timeout',
    handle(extendTimeout, ({ run_id, ...body }) => requests.extend(run_id, body)),
  );
  socket.on(
    'vcr.submit',
    handle(vcrSubmit, ({ run_id, ...body }) => requests.answer(run_id, body)),
  );
}

type Forwarded<T extends keyof ServerToOrchestrator> = Parameters<ServerToOrchestrator[T]>;

export function sendOrchestratorEvents(
  orchestrator: Orchestrator,
  runId: string,
  steps: readonly LogStep[],
): void {
  for (const { seq, event, before, state } of steps) {
    const of = { run_id: runId, seq };
    const forwarded = FORWARDED_EVENTS.find(type => type === event.type);
    // TypeScript cannot tell that the name and the event belong together.
    if (forwarded) orchestrator.emit(forwarded, ...([{ ...event, ...of }] as Forwarded<typeof forwarded>));
    if (before && before.phase !== state.phase)
      orchestrator.emit('phase.changed', { ...of, at: event.at, previous: before.phase, phase: state.phase });
  }
}
