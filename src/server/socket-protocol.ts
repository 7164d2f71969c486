/** The messages of both sockets: types for the server and the pages, and schemas for what clients send. */

import type { z } from 'zod';
import type { EventType, RunEvent, runEvent } from '../formats/events/events.ts';
import { runId } from '../formats/schema/common-fields.ts';
import type { ActionResult, FailureView, RunRow, SeenEvent, severity } from './http-protocol.ts';
import {
  type CRPResponse,
  extendBody,
  retryBody,
  stopBody,
  vcrBody,
} from './question-and-action-protocol.ts';

// ── Sockets: namespace /dashboard ───────────────────────────────────────────────────────────────────────────────

export type AgentName = 'refiner' | 'builder' | 'verifier' | 'gatekeeper';
export type DashboardStage = 'REFINE' | 'BUILD' | 'VERIFY' | 'GATE' | 'DONE' | 'FAILED' | 'WAITING_HUMAN';
export type DashboardAgentStatus = 'idle' | 'running' | 'done' | 'error';

export interface DashboardAgentData {
  status: DashboardAgentStatus;
  /** The end of the last launch's output as plain text, at most 8 kB. */
  output: string;
  /** ISO 8601. */
  startedAt?: string;
  finishedAt?: string;
}

export interface TokenUse {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheCreationTokens: number;
  costUsd: number;
  /** False if at least one launch reported no cost, so `costUsd` is a lower bound. */
  complete: boolean;
}
interface DashboardUsage {
  total: TokenUse;
  byAgent: Record<string, TokenUse>;
}

interface DashboardProgress {
  phase: string;
  step: string | null;
  iteration: number;
  maxIterations: number;
  /** Number of completed steps of this iteration. */
  stepsDone: number;
  /** Total number of steps of the iteration. */
  steps: number;
}

export interface DashboardCRP {
  agent: string;
  question: string;
  /** Formatted as `id: label`. A decision may be the whole string, the id or the label. */
  options: string[];
  crpId: string;
}

export interface DashboardData {
  runId: string;
  stage: DashboardStage;
  agents: Record<AgentName, DashboardAgentData>;
  usage: DashboardUsage;
  crp?: DashboardCRP;
  progress: DashboardProgress;
}

/** A notification for the user. It is sent once; tabs use its `id` so that only one of them shows it. */
export interface BrowserNotification {
  id: string;
  run_id: string;
  severity: z.infer<typeof severity>;
  event: RunEvent;
  /** Page to open: `/run/…/crp/…`, `/run/…/mrp` or `/run/…`. */
  page: string;
}

type Ack<T> = (answer: T) => void;

export interface DashboardToServer {
  'dashboard:subscribe': (runId: string, ack?: Ack<{ ok: true } | FailureView>) => void;
  'dashboard:unsubscribe': (ack?: Ack<{ ok: true }>) => void;
  'dashboard:crp-response': (response: CRPResponse, ack?: Ack<ActionResult>) => void;
  'dashboard:request-update': (ack?: Ack<{ ok: true } | FailureView>) => void;
}

export interface ServerToDashboard {
  'dashboard:update': (data: DashboardData) => void;
  'dashboard:crp': (crp: DashboardCRP) => void;
  'dashboard:stage-change': (change: { previousStage: DashboardStage; newStage: DashboardStage }) => void;
  'dashboard:agent-status-change': (change: {
    agent: string;
    previousStatus: DashboardAgentStatus;
    newStatus: DashboardAgentStatus;
  }) => void;
  'dashboard:error': (error: { error: string }) => void;
  'dashboard:subscribed': (run: { runId: string }) => void;
  'dashboard:unsubscribed': () => void;
  /** New events of the subscribed run. After a gap, fetch `/api/runs/:id/events?since=`. */
  'run:events': (run: { runId: string; events: SeenEvent[] }) => void;
  /** Runs have changed; pages must refetch their lists. Sent to every page at most twice a second. */
  'runs:changed': (change: { runs: RunRow[] }) => void;
  /** An agent of the subscribed run has printed something; fetch it from `GET /api/runs/:id/streams/:role`. */
  'run:printed': (run: { runId: string }) => void;
  /** How many pages show the subscribed run now. */
  'run:viewers': (run: { runId: string; count: number }) => void;
  notification: (notification: BrowserNotification) => void;
  /** The server is shutting down; agents keep running. The socket reconnects to the next server. */
  'server:closing': () => void;
}

// ── Sockets: default namespace ──────────────────────────────────────────────────────────────────────────────────

const ofRun = { run_id: runId };
export const retryAgent = retryBody.extend(ofRun);
export const stopRun = stopBody.extend(ofRun);
export const extendTimeout = extendBody.extend(ofRun);
export const vcrSubmit = vcrBody.extend(ofRun);

export interface OrchestratorToServer {
  'retry.agent': (request: z.input<typeof retryAgent>, ack?: Ack<ActionResult>) => void;
  'stop.run': (request: z.input<typeof stopRun>, ack?: Ack<ActionResult>) => void;
  'extend.timeout': (request: z.input<typeof extendTimeout>, ack?: Ack<ActionResult>) => void;
  'vcr.submit': (request: z.input<typeof vcrSubmit>, ack?: Ack<ActionResult>) => void;
}

/** An event with its run id and sequence number. */
type RecordedEvent<T extends string> = Extract<z.infer<typeof runEvent>, { type: T }> & {
  run_id: string;
  seq: number;
};
/** Events that scripts receive. */
export const FORWARDED_EVENTS = [
  'agent.started',
  'agent.completed',
  'agent.failed',
  'agent.timeout',
  'crp.created',
  'run.completed',
  'run.failed',
] as const satisfies EventType[];
type ForwardedEvent = (typeof FORWARDED_EVENTS)[number];
export type ServerToOrchestrator = { [T in ForwardedEvent]: (event: RecordedEvent<T>) => void } & {
  'phase.changed': (change: {
    run_id: string;
    seq: number;
    at: string;
    previous: string;
    phase: string;
  }) => void;
  error: (error: { error: string }) => void;
  'server:closing': () => void;
};
