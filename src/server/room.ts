/** The people who look at one run. Its whole state is sent to all of them together, soon after it changed. */
import { relative } from 'node:path';
import type { RunFiles } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import { breath } from './breath.ts';
import { AGENTS, dashboardOf } from './dashboard.ts';
import { outputsOf } from './outputs.ts';
import type { DashboardData } from './protocol.ts';
import { readCrp } from './views.ts';
import { worktreeWatch } from './worktree-watch.ts';

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
  /** Files of the worktree that changed, relative to the run folder. */
  files(paths: readonly string[]): void;
  log(error: unknown): void;
}

export function room(files: RunFiles, { stateOf, send, files: tellFiles, log }: House): Room {
  const outputs = outputsOf(files, AGENTS);
  const changed = breath(tellFiles);
  const tree = worktreeWatch(files.worktree, path => changed.add(relative(files.dir, path)));
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
      tree.begin();
      const at = performance.now() + within;
      if (due && due.at <= at) return;
      if (due) clearTimeout(due.timer);
      due = { at, timer: setTimeout(() => void tell().catch(log), within) };
    },
    enter() {
      people += 1;
      tree.begin();
    },
    leave() {
      people -= 1;
      if (people > 0) return false;
      if (due) clearTimeout(due.timer);
      tree.end();
      changed.end();
      return true;
    },
  };
}
