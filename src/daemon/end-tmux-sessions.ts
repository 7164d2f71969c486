/**
 * Closes the tmux sessions of runs that are over or removed. A session in which the leader runs stays open until the
 * leader exits. Can be called at any time, by any process.
 */

import { endSession, sessionsOf } from '../agents/launchers/tmux-sessions.ts';
import { isOver } from '../core/policy/state/phase.ts';
import { readState } from '../core/run/run-store.ts';
import { DureError } from '../errors.ts';
import { exists } from '../formats/file-system/path-status.ts';
import { type ProjectFiles, runFiles } from '../formats/layout.ts';
import { leaderOf } from './leader-election.ts';

export async function endSessions(project: ProjectFiles): Promise<void> {
  try {
    const sessions = await sessionsOf(project.root);
    for (const session of sessions) {
      const leader = await leaderOf(project);
      if (leader && session.pids.includes(leader.pid)) continue;
      if (await isNeeded(project, session.run)) continue;
      await endSession(project.root, session);
    }
  } catch (error) {
    // tmux only displays agents, so its failures affect nothing else. The next call retries.
    if (!(error instanceof DureError && error.code === 'E_TMUX')) throw error;
  }
}

/** Whether a run may still need its session. A run that cannot be read may still have running agents. */
export async function isNeeded(project: ProjectFiles, run: string): Promise<boolean> {
  const dir = project.run(run);
  if (!(await exists(dir))) return false;
  const state = await readState(runFiles(dir)).catch(() => null);
  return !(state && isOver(state) && state.open.length === 0);
}
