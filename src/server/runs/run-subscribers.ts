/** The subscribers of one run. After a change, all of them get the whole state in one batched update. */
import { launchesOf } from '../../core/run/launch/launches-with-output.ts';
import type { RunFiles } from '../../formats/layout.ts';
import type { RunState } from '../../formats/state.ts';
import type { DashboardData } from '../socket-protocol.ts';
import { AGENTS, dashboardOf } from '../sockets/dashboard-data.ts';
import { asRendered, readPiece, sizeOf, startOfTail } from './read-agent-output.ts';
import { readCrp } from './run-views.ts';

/** How much of the end of an agent's output is read (in bytes) and sent (in characters). */
const TAIL = 48_000;
const SHOWN = 8000;

export interface RunSubscribers {
  data(): Promise<DashboardData | null>;
  /** Schedules an update for all subscribers within this many milliseconds. */
  update(within: number): void;
  enter(): void;
  /** Returns true if no subscriber is left. */
  leave(): boolean;
}

export interface RunSubscribersContext {
  stateOf(): RunState | null;
  send(data: DashboardData): void;
  log(error: unknown): void;
}

export function runSubscribers(
  files: RunFiles,
  { stateOf, send, log }: RunSubscribersContext,
): RunSubscribers {
  const outputs = outputTails(files, AGENTS);
  let subscribers = 0;
  let scheduled: { at: number; timer: NodeJS.Timeout } | null = null;

  const data = async (): Promise<DashboardData | null> => {
    const state = stateOf();
    if (!state) return null;
    const crp = state.pending_crp ? await readCrp(files, state.pending_crp) : null;
    return dashboardOf(state, await outputs(), crp);
  };
  const sendUpdate = async () => {
    scheduled = null;
    const now = await data();
    if (now && subscribers > 0) send(now);
  };

  return {
    data,
    update(within) {
      const at = performance.now() + within;
      if (scheduled && scheduled.at <= at) return;
      if (scheduled) clearTimeout(scheduled.timer);
      scheduled = { at, timer: setTimeout(() => void sendUpdate().catch(log), within) };
    },
    enter() {
      subscribers += 1;
    },
    leave() {
      subscribers -= 1;
      if (subscribers > 0) return false;
      if (scheduled) clearTimeout(scheduled.timer);
      return true;
    },
  };
}

/** The end of each agent's latest output, as text. A file is reread only when its size changes. */
function outputTails(files: RunFiles, roles: readonly string[]): () => Promise<Record<string, string>> {
  const known = new Map<string, { launch: number; size: number; text: string }>();
  const ofRole = async (role: string): Promise<string> => {
    const launch = (await launchesOf(files, role)).at(-1);
    if (launch === undefined) return '';
    const file = files.stream(role, launch);
    const size = await sizeOf(file);
    const before = known.get(role);
    if (before?.launch === launch && before.size === size) return before.text;
    const { lines } = await readPiece(file, await startOfTail(file, TAIL), TAIL, asRendered);
    const text = lines
      .map(line => line.text)
      .join('\n')
      .slice(-SHOWN);
    known.set(role, { launch, size, text });
    return text;
  };
  return async () =>
    Object.fromEntries(await Promise.all(roles.map(async role => [role, await ofRole(role)] as const)));
}
