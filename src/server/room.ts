/** The people who look at one run. Its whole state is sent to all of them together, soon after it changed. */
import type { RunFiles } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import { AGENTS, dashboardOf } from './dashboard.ts';
import { outputsOf } from './outputs.ts';
import type { DashboardData } from './protocol.ts';
import { readCrp } from './views.ts';

export interface Room {
  data(): Promise<DashboardData | null>;
  /** An update to everybody here, at the latest after so many milliseconds. */
  update(within: number): void;
  enter(): void;
  /** True when nobody is left. */
  leave(): boolean;
}

export interface House {
  stateOf(): RunState | null;
  send(data: DashboardData): void;
  log(error: unknown): void;
}

export function room(files: RunFiles, { stateOf, send, log }: House): Room {
  const outputs = outputsOf(files, AGENTS);
  let people = 0;
  let due: { at: number; timer: NodeJS.Timeout } | null = null;

  const data = async (): Promise<DashboardData | null> => {
    const state = stateOf();
    if (!state) return null;
    const crp = state.pending_crp ? await readCrp(files, state.pending_crp) : null;
    return dashboardOf(state, await outputs(), crp);
  };
  const tell = async () => {
    due = null;
    const now = await data();
    if (now && people > 0) send(now);
  };

  return {
    data,
    update(within) {
      const at = performance.now() + within;
      if (due && due.at <= at) return;
      if (due) clearTimeout(due.timer);
      due = { at, timer: setTimeout(() => void tell().catch(log), within) };
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
}
