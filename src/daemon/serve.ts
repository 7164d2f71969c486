/**
 * Leads a project or stands by: drives its runs and serves its web UI. One process leads at a time; another takes over
 * within a second after it exits. Driving runs neither waits for the web UI nor depends on it.
 */
import { hasTmux } from '../agents/launchers/tmux-client.ts';
import { removeLeftoverEnvironments } from '../core/run/launch/environment-variable-store.ts';
import { exists } from '../formats/file-system/path-status.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import { projectConfig } from '../plugins/config-sections.ts';
import type { Contributions } from '../plugins/load-contributions.ts';
import type { RequestedPort } from '../server/listen-on-free-port.ts';
import { createServer, type RunningServer } from '../server/web-server.ts';
import { isDriveRequested, requestDrive, takeDriveRequests, watchDriveRequests } from './drive-requests.ts';
import { type DrivenRuns, type DriveObserver, drivenRuns } from './driven-runs.ts';
import { endSessions, isNeeded } from './end-tmux-sessions.ts';
import { joinElection } from './leader-election.ts';
import { findOrphanedRuns } from './orphaned-runs.ts';
import { startRun } from './start-run.ts';

export interface ServeService {
  /** Run to drive before all others. */
  readonly run: string | null;
  /**
   * The process exits after this many milliseconds without a run to drive or an open page; null: never. While it
   * stands by, only its own run counts.
   */
  readonly unused_timeout_ms: number | null;
  /**
   * Whether the process also exits once all runs have been idle, and no page has been open, for
   * `server.idle_minutes`.
   */
  readonly endsWhenIdle: boolean;
  /** The plugins currently installed; they may change while this process is the leader. */
  readonly plugins: () => Promise<Contributions>;
  /** Requested port; default: `web_port` in global.json. */
  readonly port: number | null;
  readonly version: string;
  readonly signal: AbortSignal;
  readonly observer: DriveObserver & {
    onServing(server: RunningServer): void;
    onStandby(leader: number): void;
    onPagesError(error: unknown): void;
  };
}

/** Milliseconds between checks for requests that were not announced by a file event. */
const POLL_MS = 2000;
/** Milliseconds between checks for runs that lost their driver. */
const ORPHANS_MS = 60_000;

/** Returns the final states of the runs that this process drove. */
export async function serve(project: ProjectFiles, service: ServeService): Promise<readonly RunState[]> {
  const { run, unused_timeout_ms, endsWhenIdle, plugins, signal, observer } = service;
  if (run !== null) await requestDrive(project, run);
  const driving = drivenRuns(project, plugins, observer);
  const orphans = () => findOrphanedRuns(project, driving.has);
  let server: RunningServer | null = null;
  const election = joinElection(project, {
    async begin() {
      await removeLeftoverEnvironments(project);
      for (const id of await orphans()) driving.begin(id);
      for (const id of await takeDriveRequests(project)) driving.begin(id);
      await endSessions(project);
      const opening = openPages(project, service, driving).then(
        opened => {
          server = opened;
        },
        error => observer.onPagesError(error),
      );
      return {
        async close() {
          await opening;
          // The server records the runs as interrupted, in the fourth step of its shutdown. Anything that takes longer
          // than the grace period is left to the next leader.
          await server?.close();
          await driving.interrupt();
        },
      };
    },
    standBy: leader => observer.onStandby(leader.pid),
    shouldLeaveToo: async () => endsWhenIdle && !(await isDriveRequested(project)),
  });
  let leads = false;
  let over = false;
  let failure: { error: unknown } | null = null;
  election.leads.then(
    led => {
      leads = led;
      over = !led;
    },
    (error: unknown) => {
      failure = { error };
    },
  );
  const idle_ms = endsWhenIdle ? await idleLimit(project, plugins) : null;
  let why: 'idle' | 'asked' = 'asked';
  let orphansCheckedAt = performance.now();
  let runsIdleSince = performance.now();
  const requests = await watchDriveRequests(project);
  for (let idleSince = performance.now(); !signal.aborted && !failure && !over; ) {
    await requests.next(POLL_MS, signal);
    // If the project is removed, its leader exits. A project created later at the same path is a different one.
    if (!(await exists(project.config))) break;
    const requested = leads ? await takeDriveRequests(project) : [];
    for (const id of requested) driving.begin(id);
    if (leads && performance.now() - orphansCheckedAt > ORPHANS_MS) {
      orphansCheckedAt = performance.now();
      for (const id of await orphans()) driving.begin(id);
    }
    const watched = ((server as RunningServer | null)?.watching ?? 0) > 0;
    const busy = leads ? driving.activeCount > 0 || watched : run !== null && (await isNeeded(project, run));
    if (busy) idleSince = performance.now();
    if (unused_timeout_ms !== null && performance.now() - idleSince > unused_timeout_ms) break;
    if (!leads || watched || requested.length > 0 || !driving.allIdle) runsIdleSince = performance.now();
    if (idle_ms !== null && performance.now() - runsIdleSince > idle_ms) {
      why = 'idle';
      break;
    }
  }
  requests.close();
  await election.leave(why);
  await endSessions(project);
  // A request may have been written while the driver was leaving.
  if (why === 'idle' && (await isDriveRequested(project))) return serve(project, { ...service, run: null });
  if (failure) throw (failure as { error: unknown }).error;
  return driving.ended;
}

/** Returns the milliseconds after which an idle process exits; null: never. */
async function idleLimit(project: ProjectFiles, plugins: ServeService['plugins']): Promise<number | null> {
  const { global } = await projectConfig(project, await plugins());
  return global.server.idle_minutes === 0 ? null : global.server.idle_minutes * 60_000;
}

async function openPages(
  project: ProjectFiles,
  { plugins, port, version, observer }: ServeService,
  driving: DrivenRuns,
): Promise<RunningServer> {
  const { configShapes, backends, pipelines } = await plugins();
  const wanted: RequestedPort =
    port === null
      ? { port: (await projectConfig(project, { configShapes })).global.web_port, by: 'configuration' }
      : { port, by: 'person' };
  const server = await createServer({
    project,
    wanted,
    version,
    plugins: Object.keys(configShapes),
    choices: {
      backend: backends.map(({ name }) => name),
      pipeline: pipelines.map(({ name }) => name),
    },
    actions: {
      async start({ yes, accept_commands, ...asked }) {
        const { runId } = await startRun(
          project,
          {
            ...asked,
            launcher: hasTmux() ? 'tmux' : 'process',
            takeRecommendations: yes ?? false,
            includeChanges: false,
            acceptCommands: accept_commands ?? false,
            shell: process.env,
          },
          await plugins(),
        );
        driving.begin(runId);
        return { runId };
      },
      wake: run => driving.begin(run),
      interrupt: () => driving.interrupt(),
    },
  });
  observer.onServing(server);
  return server;
}
