/**
 * Creates a tmux session for a run, with panes for four agents, the user's shell in the worktree, and the ACE server.
 *
 *     0 Refiner │ 1 Builder │ 2 Verifier │ 3 Gatekeeper
 *     4 Debug shell
 *     5 ACE server
 *
 * tmux is only a display. Panes are identified by user options, so the user may rearrange them; the options are set in
 * the same call that starts a launch. Starting a launch never kills a process that is still running in the pane: the old
 * process moves to its own window and may finish there. Roles without a pane (from plugins) get a window.
 */
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { runFiles } from '../../formats/layout.ts';
import type { Launcher } from './launcher-interface.ts';
import { inEnvironment, writePaneEnvironment } from './pass-environment-to-pane.ts';
import { runnerEnvironment } from './runner-environment.ts';
import { underSubreaper } from './subreaper.ts';
import {
  ensurePrivateFolder,
  socketOf,
  type Tmux,
  tmuxAt,
  tmuxProgram,
  unlessAbsent,
} from './tmux-client.ts';
import { draw, MARKS, markPane } from './tmux-layout.ts';
import { attachCommand } from './tmux-sessions.ts';

export interface TmuxLauncherOptions {
  readonly runDir: string;
  /** `run-YYYYMMDD-HHMMSS`. */
  readonly runId: string;
  /** `tmux_session_prefix` of global.json. */
  readonly prefix: string;
  readonly projectRoot: string;
  /** Path of the runner's script. */
  readonly runner: string;
  /** Command of pane 5; null leaves it empty. */
  readonly server: readonly string[] | null;
  /** Returns the private folder that holds the environments of the debug shell and the server until they start. */
  readonly environments: () => Promise<string>;
}

export interface TmuxLauncher extends Launcher {
  readonly session: string;
  readonly socket: string;
  /** Starts the server in pane 5 unless it is already running there. */
  serve(): Promise<void>;
}

interface Pane {
  readonly id: string;
  readonly dead: boolean;
  readonly role: string;
  /** Number of the most recent launch in this pane; empty before the first. */
  readonly launch: string;
}

const ATTEMPTS = 5;

export function tmuxLauncher(options: TmuxLauncherOptions): TmuxLauncher {
  const { runDir, runId, prefix, projectRoot, runner, server, environments } = options;
  const { worktree } = runFiles(runDir);
  const session = `${prefix}-${runId}`;
  const socket = socketOf(projectRoot);
  const tmux = tmuxAt(socket, projectRoot);

  const paneEnvironment = async () => writePaneEnvironment(await environments(), process.env);
  const ensurePanes = async (): Promise<Pane[]> => {
    ensurePrivateFolder();
    for (let attempt = 1; ; attempt += 1) {
      const panes = await panesOf(tmux, session);
      if (panes) return panes;
      const [shell, served] = await Promise.all([paneEnvironment(), paneEnvironment()]);
      const files = { shell, server: served };
      try {
        await tmux.run(...draw({ session, worktree, projectRoot, server, environments: files }));
        if (!server) await rm(served, { force: true });
      } catch (error) {
        await Promise.all([shell, served].map(file => rm(file, { force: true })));
        // The server may be exiting with its last session, or another driver may have been faster: check again.
        if (attempt === ATTEMPTS) throw error;
        await pause(50 * attempt);
      }
    }
  };

  return {
    name: 'tmux',
    session,
    socket,
    async open() {
      await ensurePanes();
    },
    async start({ role, launch }) {
      const pane = (await ensurePanes()).find(p => p.role === role);
      const number = String(launch);
      const environment = Object.entries(runnerEnvironment()).filter(([name]) => name !== 'TERM');
      const variables = environment.map(([name, value]) => `${name}=${value}`);
      const command = underSubreaper([process.execPath, runner, runDir, number]);
      const argv = tmuxProgram('-i', ...variables, ...command);
      const window = `${role}-${number}`;
      const target = `=${session}:=${window}`;
      const inWindow = [
        ['new-window', '-d', '-t', `=${session}:`, '-n', window, ...argv],
        ...markPane(target, role, number),
      ];
      if (!pane) await tmux.run(...inWindow);
      else if (pane.dead || pane.launch === '')
        await tmux.run(['respawn-pane', '-k', '-t', pane.id, ...argv], ...markPane(pane.id, role, number));
      else if (pane.launch !== number)
        await tmux.run(
          ...inWindow,
          ['set-option', '-p', '-t', pane.id, '@dure_role', ''],
          ['set-option', '-p', '-t', pane.id, 'remain-on-exit', 'off'],
          ['swap-pane', '-d', '-s', target, '-t', pane.id],
          ['rename-window', '-t', pane.id, `${role}-${pane.launch}`],
        );
    },
    async serve() {
      const pane = (await ensurePanes()).find(p => p.role === 'server');
      if (!server || !pane?.dead) return;
      const argv = inEnvironment(await paneEnvironment(), ...server);
      await tmux.run(['respawn-pane', '-t', pane.id, ...argv]);
    },
    attach: () => attachCommand(socket, session),
  };
}

/** Lists all panes of the session; null if there is no such session. */
async function panesOf(tmux: Tmux, session: string): Promise<Pane[] | null> {
  const output = await unlessAbsent(tmux.run(['list-panes', '-s', '-t', `=${session}:`, '-F', MARKS]));
  if (output === null) return null;
  return [...output.matchAll(/^(%\d+) ([01]) \[(.*?)\] \[(.*?)\]$/gm)].map(
    ([, id = '', dead, role = '', launch = '']) => ({ id, dead: dead === '1', role, launch }),
  );
}
