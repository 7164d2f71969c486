/**
 * Sessions end with their runs: of a run that is over or removed none stays, but the one whose pane holds the process
 * that leads the project. That one ends when the process does. May be called at any time by anyone.
 */
import { existsSync } from 'node:fs';
import { endSession, sessionsOf } from '../agents/launchers/tmux-sessions.ts';
import { isOver } from '../core/evolve.ts';
import { readState } from '../core/run-store.ts';
import { DureError } from '../errors.ts';
import { type ProjectFiles, runFiles } from '../formats/layout.ts';
import { leaderOf } from '../server/serve.ts';

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
    // tmux is a window and nothing more: what is wrong with it ends nothing else. The next who looks tries again.
    if (!(error instanceof DureError && error.code === 'E_TMUX')) throw error;
  }
}

/** Whether a run may still need who drives it. One that cannot be read may still have agents at work. */
export async function isNeeded(project: ProjectFiles, run: string): Promise<boolean> {
  const dir = project.run(run);
  if (!existsSync(dir)) return false;
  const state = await readState(runFiles(dir)).catch(() => null);
  return !(state && isOver(state) && state.open.length === 0);
}
