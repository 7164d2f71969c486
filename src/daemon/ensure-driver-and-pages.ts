/**
 * Makes sure that a run has a driver, in pane 5 of its tmux session or in a detached process, or that the web UI is
 * served. The project's leader picks up new runs; a detached process is started only if there is no leader.
 */

import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Launcher } from '../agents/launchers/launcher-interface.ts';
import { processLauncher } from '../agents/launchers/process-launcher.ts';
import { type TmuxLauncher, tmuxLauncher } from '../agents/launchers/tmux-launcher.ts';
import { isOver } from '../core/policy/state/phase.ts';
import { readOptions } from '../core/run/record/read-run-record.ts';
import { driverOf, expectIntact, readState } from '../core/run/run-store.ts';
import { dureError } from '../errors.ts';
import type { Config } from '../formats/config/config.ts';
import type { RunOptions } from '../formats/config/run-options.ts';
import { type ProjectFiles, type RunFiles, runIdOf } from '../formats/layout.ts';
import { openForAppend } from '../formats/open-file-for-append.ts';
import { projectConfig } from '../plugins/config-sections.ts';
import type { Contributions } from '../plugins/load-contributions.ts';
import { distFile, packageRoot } from '../process/package-paths-and-version.ts';
import { closedFolder, serverFiles } from '../server/server-files.ts';
import { requestDrive } from './drive-requests.ts';
import { expectLeaderCanDrive } from './expect-leader-can-drive.ts';
import { leaderOf } from './leader-election.ts';

export const launcherOf = (
  project: ProjectFiles,
  files: RunFiles,
  options: RunOptions,
  config: Config,
): Launcher =>
  options.launcher === 'tmux'
    ? tmuxOf(project, files, options, config)
    : processLauncher({ runDir: files.dir, runner: distFile('runner.cjs') });

const tmuxOf = (
  project: ProjectFiles,
  files: RunFiles,
  options: RunOptions,
  config: Config,
  serve: ServeOptions = {},
): TmuxLauncher =>
  tmuxLauncher({
    runDir: files.dir,
    runId: runIdOf(files),
    prefix: config.global.tmux_session_prefix,
    projectRoot: project.root,
    runner: distFile('runner.cjs'),
    server: serveArgv(runIdOf(files), serve),
    environments: async () => options.environment,
  });

export interface ServeOptions {
  readonly port?: number;
  readonly noBrowser?: boolean;
}

const serveArgv = (what: string, { port, noBrowser }: ServeOptions): string[] => [
  process.execPath,
  join(packageRoot, 'bin', 'run.js'),
  'serve',
  what,
  '--background',
  ...(port === undefined ? [] : ['--port', String(port)]),
  ...(noBrowser ? ['--no-browser'] : []),
];

/** Milliseconds allowed for a driver to start on a busy machine, with plugins that hang until their time limit. */
const DRIVER_MS = 60_000;

/**
 * Makes sure that the run has a driver: in pane 5 of its session or, without tmux, detached. Returns once it has one,
 * or if nothing is left to drive. Throws `E_NO_DRIVER` and the errors of
 * `expectLeaderCanDrive`.
 */
export async function ensureDriver(
  project: ProjectFiles,
  files: RunFiles,
  plugins: Contributions,
  serve: ServeOptions = {},
): Promise<void> {
  const isDone = async () => {
    const state = await readState(files);
    return state !== null && isOver(state) && state.open.length === 0;
  };
  const isDriven = async () => (await isDone()) || (await driverOf(files)) !== null;
  if (await isDone()) return;
  await expectIntact(files);
  // Written even if there is a driver: a driver that is about to leave because it is idle stays if there is a
  // request.
  await requestDrive(project, runIdOf(files));
  if (await isDriven()) return;
  const state = await readState(files);
  if (state) await expectLeaderCanDrive(project, state.key);
  const options = await readOptions(files);
  const begin =
    options?.launcher === 'tmux'
      ? inPane(tmuxOf(project, files, options, await projectConfig(project, plugins), serve))
      : detached(project, files, serve);
  for (const until = performance.now() + DRIVER_MS; performance.now() < until; await pause(100)) {
    if (await isDriven()) return;
    if ((await begin()) === 'exited') break;
  }
  // The run may have ended since.
  if (await isDriven()) return;
  throw dureError('E_NO_DRIVER', {
    run: runIdOf(files),
    output: (await driverLog(files)).trim().slice(-2000),
  });
}

/** `exited`: no process is left that could become the driver. */
type Begin = () => Promise<'starting' | 'exited'>;

/** tmux may not yet know that a pane's process has exited, so retry. */
const inPane =
  (tmux: TmuxLauncher): Begin =>
  async () => {
    await tmux.open();
    await tmux.serve();
    return 'starting';
  };

/** The leader picks up the request; if there is no leader, a process is started once. */
function detached(project: ProjectFiles, files: RunFiles, serve: ServeOptions): Begin {
  let started: ChildProcess | null = null;
  return async () => {
    if (await leaderOf(project)) return 'starting';
    started ??= await begin(project, serveArgv(runIdOf(files), serve), files.driverLog);
    return started.exitCode === null && started.signalCode === null ? 'starting' : 'exited';
  };
}

/** Makes sure that the web UI is served, with or without a run: by the leader or a new process. */
export async function ensurePages(project: ProjectFiles, serve: ServeOptions): Promise<void> {
  if (await leaderOf(project)) return;
  await closedFolder(project.server);
  const { started } = serverFiles(project);
  await begin(project, serveArgv('--while-watched', { ...serve, noBrowser: true }), started);
}

/** Starts a process that outlives this one. */
async function begin(project: ProjectFiles, argv: readonly string[], logFile: string): Promise<ChildProcess> {
  const [command, ...args] = argv;
  const log = await openForAppend(logFile);
  try {
    const stdio: StdioOptions = ['ignore', log.fd, log.fd];
    const started = spawn(command!, args, { cwd: project.root, detached: true, stdio });
    started.unref();
    return started;
  } finally {
    await log.close();
  }
}

/** Returns the command with which to watch the agents; null if the run does not use tmux. */
export async function attachCommandOf(
  project: ProjectFiles,
  files: RunFiles,
  plugins: Contributions,
): Promise<string | null> {
  const options = await readOptions(files);
  return options ? launcherOf(project, files, options, await projectConfig(project, plugins)).attach() : null;
}

/** Reads the driver's error output, for the error message. */
const driverLog = (files: RunFiles): Promise<string> => readFile(files.driverLog, 'utf8').catch(() => '');
