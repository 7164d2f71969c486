/**
 * Leads a project, or stands by to: drives its runs and serves its pages. One process leads at a time; another takes
 * over within a second when it ends, however it ends. Driving does not wait for the pages, nor end with them.
 */
import { access } from 'node:fs/promises';
import { hasTmux } from '../agents/launchers/tmux-client.ts';
import { startRun } from '../app.ts';
import { removeLeftEnvironments } from '../core/environment-record.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import type { Gathered } from '../plugins/host.ts';
import { projectConfig } from '../plugins/sections.ts';
import { createServer, type RunningServer } from '../server/app.ts';
import type { Wanted } from '../server/ports.ts';
import { lead } from '../server/serve.ts';
import { callFor, hearCalls, isCalled, takeCalls } from './calls.ts';
import { type Drives, drives, type Witness } from './drives.ts';
import { orphanSearch } from './orphans.ts';
import { endSessions, isNeeded } from './sessions.ts';

export interface Service {
  /** Run to be driven before all others. */
  readonly run: string | null;
  /**
   * Milliseconds without a run to drive and without a page open, after which the process ends; null: never. One that
   * stands by is there for its own run alone.
   */
  readonly patience_ms: number | null;
  /** Whether the process ends as well when all runs have rested, and no page was open, for `server.idle_minutes`. */
  readonly endsWhenIdle: boolean;
  /** The plugins as they are installed now: they come and go while a process leads. */
  readonly plugins: () => Promise<Gathered>;
  /** Wanted port; default: `web_port` of global.json. */
  readonly port: number | null;
  readonly version: string;
  readonly signal: AbortSignal;
  readonly witness: Witness & {
    serving(server: RunningServer): void;
    standingBy(leader: number): void;
    withoutPages(error: unknown): void;
  };
}

/** Milliseconds between two looks for calls that nothing announced. */
const LOOK_MS = 2000;
/** Milliseconds after which a run that lost its driver is tried again. */
const ORPHANS_MS = 60_000;
/** Milliseconds between two looks of one that stands by at whether its run is over. */
const STANDING_BY_MS = 2000;

/** Returns the states in which the runs this process drove were left. */
export async function serve(project: ProjectFiles, service: Service): Promise<readonly RunState[]> {
  const { run, patience_ms, endsWhenIdle, plugins, signal, witness } = service;
  if (run !== null) await callFor(project, run);
  const driving = drives(project, plugins, witness);
  const orphans = orphanSearch(project, driving.has);
  let server: RunningServer | null = null;
  const candidacy = lead(project, {
    async begin() {
      await removeLeftEnvironments(project);
      for (const id of await orphans()) driving.begin(id);
      for (const id of await takeCalls(project)) driving.begin(id);
      await endSessions(project);
      const opening = openPages(project, service, driving).then(
        opened => {
          server = opened;
        },
        error => witness.withoutPages(error),
      );
      return {
        async close() {
          await opening;
          // The server records the runs as interrupted, as the fourth of its steps. What takes longer than the process
          // has after its signal is left to the next leader.
          await server?.close();
          await driving.interrupt();
        },
      };
    },
    standBy: leader => witness.standingBy(leader.pid),
    leavesToo: async () => endsWhenIdle && !(await isCalled(project)),
  });
  let leads = false;
  let over = false;
  let failure: { error: unknown } | null = null;
  candidacy.leads.then(
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
  let lookedAt = Date.now();
  let restsSince = Date.now();
  const ownRun = everyNow(STANDING_BY_MS, async () => run !== null && (await isNeeded(project, run)));
  const calls = await hearCalls(project, LOOK_MS);
  for (let idleSince = Date.now(); !signal.aborted && !failure && !over; ) {
    await calls.next(signal);
    if (!(await isThere(project.config))) break;
    const called = leads ? await takeCalls(project) : [];
    for (const id of called) driving.begin(id);
    if (leads && Date.now() - lookedAt > ORPHANS_MS) {
      lookedAt = Date.now();
      for (const id of await orphans()) driving.begin(id);
    }
    const watched = ((server as RunningServer | null)?.watching ?? 0) > 0;
    const busy = leads ? driving.atWork > 0 || watched : await ownRun();
    if (busy) idleSince = Date.now();
    if (patience_ms !== null && Date.now() - idleSince > patience_ms) break;
    if (!leads || watched || called.length > 0 || !driving.allRest) restsSince = Date.now();
    if (idle_ms !== null && Date.now() - restsSince > idle_ms) {
      why = 'idle';
      break;
    }
  }
  calls.close();
  await candidacy.leave(why);
  await endSessions(project);
  // Somebody may have left something for a run while its driver was leaving.
  if (why === 'idle' && (await isCalled(project))) return serve(project, { ...service, run: null });
  if (failure) throw (failure as { error: unknown }).error;
  return driving.ended;
}

/** Asks at most once in this time, and says meanwhile what was found last. */
function everyNow<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let found: { readonly at: number; readonly value: T } | null = null;
  return async () => {
    if (found === null || Date.now() - found.at >= ms) found = { at: Date.now(), value: await ask() };
    return found.value;
  };
}

/** Milliseconds; null: never. */
async function idleLimit(project: ProjectFiles, plugins: Service['plugins']): Promise<number | null> {
  const { global } = await projectConfig(project, await plugins());
  return global.server.idle_minutes === 0 ? null : global.server.idle_minutes * 60_000;
}

/** A project that was taken away is led by nobody; what is made at its place later is another. */
const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function openPages(
  project: ProjectFiles,
  { plugins, port, version, witness }: Service,
  driving: Drives,
): Promise<RunningServer> {
  const { configShapes, backends } = await plugins();
  const wanted: Wanted =
    port === null
      ? { port: (await projectConfig(project, { configShapes })).global.web_port, by: 'configuration' }
      : { port, by: 'person' };
  const server = await createServer({
    project,
    wanted,
    version,
    plugins: Object.keys(configShapes),
    backends: backends.map(({ name }) => name),
    actions: {
      async start({ briefing, base, budget_usd, backend, yes }) {
        const { runId } = await startRun(
          project,
          {
            briefing,
            ...(base !== undefined && { base }),
            ...(backend !== undefined && { backend }),
            ...(typeof budget_usd === 'number' && { budget_usd }),
            launcher: hasTmux() ? 'tmux' : 'process',
            takeRecommendations: yes ?? false,
            includeChanges: false,
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
  witness.serving(server);
  return server;
}
