/** The default namespace: events of every run in the orchestrator's own words, and a person's words to any of them. */
import type { Namespace, Socket } from 'socket.io';
import type { z } from 'zod';
import { answer } from './acknowledge.ts';
import { read } from './endpoint.ts';
import type { LogStep } from './log-tail.ts';
import {
  extendTimeout,
  type Failure,
  type OrchestratorToServer,
  retryAgent,
  type ServerToOrchestrator,
  stopRun,
  vcrSubmit,
} from './protocol.ts';
import type { Word } from './word.ts';

export type Orchestrator = Namespace<OrchestratorToServer, ServerToOrchestrator>;
export type OrchestratorSocket = Socket<OrchestratorToServer, ServerToOrchestrator>;

export function hearOrchestrator(
  socket: OrchestratorSocket,
  word: Word,
  refuse: (error: unknown) => Failure,
): void {
  const carry =
    <S extends z.ZodType>(shape: S, work: (wish: z.output<S>) => Promise<unknown>) =>
    (given: unknown, ack?: unknown) => {
      const done = async () => work(read(shape, given) as z.output<S>);
      void done().then(
        said => answer(ack, said),
        error => {
          const said = refuse(error);
          if (typeof ack !== 'function') socket.emit('error', { error: said.error.message });
          answer(ack, said);
        },
      );
    };
  socket.on(
    'retry.agent',
    carry(retryAgent, ({ run_id, agent }) => word.retry(run_id, agent)),
  );
  socket.on(
    'stop.run',
    carry(stopRun, ({ run_id, reason = '' }) => word.stop(run_id, reason)),
  );
  socket.on(
    'extend.timeout',
    carry(extendTimeout, ({ run_id, ms }) => word.extend(run_id, ms)),
  );
  socket.on(
    'vcr.submit',
    carry(vcrSubmit, ({ run_id, ...vcr }) => word.answer(run_id, vcr)),
  );
}

export function tellOrchestrator(orchestrator: Orchestrator, runId: string, steps: readonly LogStep[]): void {
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
