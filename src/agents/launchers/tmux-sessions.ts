/**
 * The tmux sessions of a project, and their end. A session that is to end does so at once when nobody is attached to
 * it, else when the last person leaves, and until then its status line says how to: tmux itself decides which of the
 * two holds, so nobody can attach in between and be thrown out.
 */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsent, socketOf, tmuxAt } from './tmux-client.ts';

export interface Session {
  readonly name: string;
  /** Id of the run whose panes it holds. */
  readonly run: string;
  /** Processes that its panes were started with. */
  readonly pids: readonly number[];
}

const OF_A_RUN = /(run-\d{8}-\d{6}(?:-\d+)?)$/;

export async function sessionsOf(projectRoot: string): Promise<Session[]> {
  const socket = socketOf(projectRoot);
  if (!existsSync(socket)) return [];
  const said = await tmuxAt(socket, tmpdir())
    .run(['list-panes', '-a', '-F', '#{pane_pid} #{session_name}'])
    .catch((error: unknown) => {
      if (isAbsent(error)) return '';
      throw error;
    });
  const sessions = new Map<string, { name: string; run: string; pids: number[] }>();
  for (const [, pid, name = ''] of said.matchAll(/^(\d+) (.+)$/gm)) {
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

/** The same for a person to type, quoted for sh, zsh and fish. Inside another tmux it would be refused without `env`. */
export const attachCommand = (socket: string, session: string): string =>
  `env -u TMUX tmux -S ${socket} attach -t '=${session}'`;

const HOW_TO_LEAVE = ' This run is over. Ctrl-b d leaves, and then this session ends. ';

export async function endSession(projectRoot: string, { name }: Session): Promise<void> {
  const session = `=${name}:`;
  await tmuxAt(socketOf(projectRoot), tmpdir())
    .run(
      ['set-option', '-t', session, 'status-right-length', '80'],
      ['set-option', '-t', session, 'status-right', HOW_TO_LEAVE],
      ['set-option', '-t', session, 'destroy-unattached', 'on'],
    )
    .catch((error: unknown) => {
      if (!isAbsent(error)) throw error;
    });
}
