/**
 * Lists and closes a project's tmux sessions. A session closes immediately if no one is attached, otherwise when the
 * last client detaches; until then its status line explains how to detach. tmux evaluates the condition itself, so no
 * one who attaches in the meantime is disconnected.
 */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { socketOf, tmuxAt, unlessAbsent } from './tmux-client.ts';

export interface TmuxSession {
  readonly name: string;
  /** Id of the run that the session belongs to. */
  readonly run: string;
  /** Pids of the processes started in its panes. */
  readonly pids: readonly number[];
}

const OF_A_RUN = /(run-\d{8}-\d{6}(?:-\d+)?)$/;

export async function sessionsOf(projectRoot: string): Promise<TmuxSession[]> {
  const socket = socketOf(projectRoot);
  if (!existsSync(socket)) return [];
  const listing = tmuxAt(socket, tmpdir()).run(['list-panes', '-a', '-F', '#{pane_pid} #{session_name}']);
  const output = await unlessAbsent(listing);
  const sessions = new Map<string, { name: string; run: string; pids: number[] }>();
  for (const [, pid, name = ''] of (output ?? '').matchAll(/^(\d+) (.+)$/gm)) {
    const run = OF_A_RUN.exec(name)?.[1];
    if (run === undefined) continue;
    const session = sessions.get(name) ?? { name, run, pids: [] };
    session.pids.push(Number(pid));
    sessions.set(name, session);
  }
  return [...sessions.values()];
}

export const attachArgv = (socket: string, session: string): string[] => [
  '-S',
  socket,
  'attach',
  '-t',
  `=${session}`,
];

/**
 * Returns the command that attaches to a session, quoted for sh, zsh and fish. `env` unsets TMUX, because tmux
 * refuses to attach from inside another tmux.
 */
export const attachCommand = (socket: string, session: string): string =>
  `env -u TMUX tmux -S ${socket} attach -t '=${session}'`;

const HOW_TO_LEAVE = ' This run is over. Detach with Ctrl-b d to end this session. ';

export async function endSession(projectRoot: string, { name }: TmuxSession): Promise<void> {
  const session = `=${name}:`;
  await unlessAbsent(
    tmuxAt(socketOf(projectRoot), tmpdir()).run(
      ['set-option', '-t', session, 'status-right-length', '80'],
      ['set-option', '-t', session, 'status-right', HOW_TO_LEAVE],
      ['set-option', '-t', session, 'destroy-unattached', 'on'],
    ),
  );
}
