/**
 * Makes sure that somebody drives a run, or serves the pages: in pane 5 of a tmux session, or detached. Whoever leads
 * the project takes up new runs; only when nobody does, a process is started.
 */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Launcher } from './agents/launchers/launcher.ts';
import { processLauncher } from './agents/launchers/process.ts';
import { type TmuxLauncher, tmuxLauncher } from './agents/launchers/tmux.ts';
import { environmentFolder } from './core/environment-record.ts';
import { isOver } from './core/evolve.ts';
import { driverOf, readOptions, readState } from './core/run-store.ts';
import { dureError } from './errors.ts';
import { openLog } from './formats/append.ts';
import type { Config } from './formats/config.ts';
import type { ProjectFiles, RunFiles } from './formats/layout.ts';
import type { RunOptions } from './formats/run-options.ts';
import { distFile, packageRoot } from './package-root.ts';
import type { Gathered } from './plugins/host.ts';
import { projectConfig } from './plugins/sections.ts';
import { leaderOf } from './server/serve.ts';
import { closedFolder, serverFiles } from './server/server-files.ts';
import { callFor } from './steering/calls.ts';

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
    worktree: files.worktree,
    environments: () => environmentFolder(files, options),
  });

export const runIdOf = (files: RunFiles): string => files.dir.split('/').at(-1)!;

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

/** Milliseconds a driver may take to come up on a busy machine. */
const DRIVER_MS = 30_000;

/**
 * Makes sure that somebody drives the run: in pane 5 of its session, or detached without tmux.
 * Returns when one does, or when there is nothing left to drive. Throws `E_NO_DRIVER`.
 */
export async function ensureDriver(
  project: ProjectFiles,
  files: RunFiles,
  plugins: Gathered,
  serve: ServeOptions = {},
): Promise<void> {
  const isDone = async () => {
    const state = await readState(files);
    return state !== null && isOver(state) && state.open.length === 0;
  };
  const isDriven = async () => (await isDone()) || (await driverOf(files)) !== null;
  if (await isDone()) return;
  // Also when somebody drives it: who is just leaving because there is nothing to do stays for a call.
  await callFor(project, runIdOf(files));
  if (await isDriven()) return;
  const options = await readOptions(files);
  const begin =
    options?.launcher === 'tmux'
      ? inPane(tmuxOf(project, files, options, await projectConfig(project, plugins), serve))
      : detached(project, files, serve);
  for (const until = Date.now() + DRIVER_MS; Date.now() < until; await pause(100)) {
    if (await isDriven()) return;
    await begin();
  }
  throw dureError('E_NO_DRIVER', { run: runIdOf(files), said: (await driverLog(files)).trim().slice(-2000) });
}

/** A pane that was just left may not be known as dead yet, so it is asked again and again. */
const inPane = (tmux: TmuxLauncher) => async () => {
  await tmux.open();
  await tmux.serve();
};

/** Whoever leads the project hears the call; only when nobody does a process is started, once. */
function detached(project: ProjectFiles, files: RunFiles, serve: ServeOptions): () => Promise<void> {
  let started = false;
  return async () => {
    if (started || (await leaderOf(project))) return;
    started = true;
    await begin(project, serveArgv(runIdOf(files), serve), files.driverLog);
  };
}

/** Makes sure that somebody serves the pages, with or without a run: who leads the project, or a new process. */
export async function ensurePages(project: ProjectFiles, serve: ServeOptions = {}): Promise<void> {
  if (await leaderOf(project)) return;
  await closedFolder(project.server);
  const { started } = serverFiles(project);
  await begin(project, serveArgv('--while-watched', { ...serve, noBrowser: true }), started);
}

/** Starts a process that outlives this one. */
async function begin(project: ProjectFiles, argv: readonly string[], logFile: string): Promise<void> {
  const [command, ...args] = argv;
  const log = await openLog(logFile, 0o600);
  try {
    spawn(command!, args, { cwd: project.root, detached: true, stdio: ['ignore', log.fd, log.fd] }).unref();
  } finally {
    await log.close();
  }
}

/** Command with which a person watches the agents, or null without tmux. */
export async function attachCommand(
  project: ProjectFiles,
  files: RunFiles,
  plugins: Gathered,
): Promise<string | null> {
  const options = await readOptions(files);
  return options ? launcherOf(project, files, options, await projectConfig(project, plugins)).attach() : null;
}

/** What the driver printed when it could not go on, for people who wait for it. */
export const driverLog = (files: RunFiles): Promise<string> =>
  readFile(files.driverLog, 'utf8').catch(() => '');
