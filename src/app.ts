/** Composition root: puts a run together and drives it. Commands and server call this, never the orchestrator. */
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cassetteNamed } from './agents/rehearse/library.ts';
import { callAhead, callAtLog } from './core/ahead.ts';
import { takeDriver } from './core/driver-lock.ts';
import { consents, type Environment, keptEnvironment } from './core/environment.ts';
import {
  environmentFolder,
  newEnvironmentFolder,
  removeEnvironment,
  writeEnvironment,
} from './core/environment-record.ts';
import { establish, keepAnswer } from './core/establish.ts';
import { isOver } from './core/evolve.ts';
import { observe } from './core/observe.ts';
import { drive } from './core/orchestrator.ts';
import { isIdle, rests } from './core/phase.ts';
import { pipelineOf, rolesOf } from './core/pipeline.ts';
import { publisher } from './core/publish.ts';
import { emptyMemory, reconcile } from './core/reconcile.ts';
import { newRun, openJournal, readEvents, readOptions } from './core/run-store.ts';
import { backendOf, type Site } from './core/site.ts';
import { standingDecisions } from './core/standing-decisions.ts';
import { wakes } from './core/wakes.ts';
import { launcherOf, runIdOf } from './driver.ts';
import { DureError, dureError } from './errors.ts';
import type { Config } from './formats/config.ts';
import type { RunEvent } from './formats/events.ts';
import { replace, replaceJson } from './formats/file.ts';
import type { ProjectFiles, RunFiles } from './formats/layout.ts';
import type { RunOptions } from './formats/run-options.ts';
import type { RunState, Setup } from './formats/state.ts';
import type { Backend } from './index.ts';
import { SECURITY_GUIDE } from './package-root.ts';
import { fillSections, type Gathered } from './plugins/host.ts';
import { problemLog } from './plugins/problem-log.ts';
import { projectConfig } from './plugins/sections.ts';
import { dirtyFiles, resolveBase, snapshot } from './workspace/base.ts';
import { openRepository, openShadow } from './workspace/repository.ts';

export interface StartWish {
  readonly briefing: string;
  readonly base?: string;
  readonly backend?: string;
  /** Absolute path of a cassette for the rehearsal backend. Default: that of the project, if it has one. */
  readonly cassette?: string;
  readonly budget_usd?: number;
  readonly launcher: 'tmux' | 'process';
  readonly takeRecommendations: boolean;
  readonly includeChanges: boolean;
  /** Environment of the shell that asks. */
  readonly shell: Readonly<Record<string, string | undefined>>;
}

export interface Started {
  readonly runId: string;
  readonly files: RunFiles;
  /** Changes of the person that are not in the base, and so are not seen by the agents. */
  readonly notIncluded: string[];
}

/** Makes a run that is ready to be driven. What is wrong with the wish or the configuration is said before anything is made. */
export async function startRun(project: ProjectFiles, wish: StartWish, plugins: Gathered): Promise<Started> {
  if (wish.briefing.trim() === '') throw dureError('E_BRIEFING_EMPTY');
  const config = await projectConfig(project, plugins);
  const setup = setupOf(config, wish, plugins, await standingDecisions(project));
  const kept = keptEnvironment(wish.shell, plugins.backends);
  const backends = backendsFor(config, wish, setup, plugins, kept);
  const cassette =
    wish.cassette ?? (backends.some(({ name }) => name === 'rehearsal') ? await cassetteOf(project) : null);
  if (cassette !== null) await cassetteNamed(cassette);
  const repo = await openRepository(project.root, project.shadow);
  const base = await resolveBase(repo, wish.base ?? null);
  const dirty = await dirtyFiles(repo);
  const commit = wish.includeChanges && dirty.length > 0 ? await snapshot(repo, base.commit) : base.commit;

  const { id, files } = await newRun(project, new Date());
  const options: RunOptions = {
    base: commit,
    base_name: base.name,
    branch: base.branch,
    backend: wish.backend ?? null,
    cassette,
    budget_usd: wish.budget_usd ?? null,
    environment: await newEnvironmentFolder(files),
    launcher: wish.launcher,
    take_recommendations: wish.takeRecommendations,
    shadow: repo.shadow,
  };
  for (const folder of foldersOf(files, setup)) await mkdir(folder, { recursive: true });
  await replace(files.raw, wish.briefing.endsWith('\n') ? wish.briefing : `${wish.briefing}\n`);
  await replaceJson(files.options, options);
  await writeEnvironment(await environmentFolder(files, options), files, kept);
  // A role that is missing here is missing in the whole run.
  await problemLog(files, plugins.problems).keep();
  const journal = await openJournal(files);
  await journal.append({
    at: new Date().toISOString(),
    type: 'run.started',
    run_id: id,
    base: commit,
    setup,
  });
  return { runId: id, files, notIncluded: wish.includeChanges ? [] : dirty };
}

/** What a rehearsal plays that was told nothing else: the project's own cassette, or the embedded one. */
const cassetteOf = ({ cassette }: ProjectFiles): Promise<string> =>
  access(cassette).then(
    () => cassette,
    () => 'default',
  );

/** Folders whose changes wake the driver, made before anyone writes in them. */
const foldersOf = (files: RunFiles, setup: Setup): string[] => [
  ...new Set([
    ...setup.pipeline.map(step => join(files.dir, step.folder)),
    files.launches,
    files.crps,
    files.vcrs,
    files.wishes,
    files.feedback,
    files.logs,
    files.prompts,
    files.sealed,
  ]),
];

function setupOf(config: Config, wish: StartWish, plugins: Gathered, decisions: Setup['decisions']): Setup {
  const { global, verifier, gatekeeper } = config;
  const extra = plugins.roles.filter(role => !BUILT_IN_ROLES.includes(role.name));
  const timeouts: Record<string, number> = { ...global.timeouts, setup: 900_000, proof: 3_600_000 };
  for (const role of extra) timeouts[role.name] = role.timeout ?? 300_000;
  return {
    pipeline: pipelineOf({
      external: verifier.external_runner.enabled,
      prepared: global.workspace.setup !== null || global.workspace.copy.length > 0,
      checked: global.checks.length > 0,
      extra,
    }),
    max_iterations: Math.min(global.max_iterations, gatekeeper.max_iterations),
    max_minor_fixes: 2,
    max_consultations: global.max_consultations,
    max_refinements: config.refiner.max_refinement_iterations,
    timeouts,
    timeout_action: global.timeout_action,
    retry: {
      attempts: global.auto_retry.enabled ? global.auto_retry.max_attempts : 0,
      kinds: global.auto_retry.recoverable_errors,
    },
    budget_usd: wish.budget_usd ?? global.budget_usd,
    prepare: global.workspace.setup,
    checkout: {
      directory: global.workspace.directory,
      copy: global.workspace.copy,
      network: global.proof.network,
    },
    checks: global.checks,
    criteria: {
      tests_passing: gatekeeper.pass_criteria.tests_passing,
      min_test_coverage: gatekeeper.pass_criteria.min_test_coverage,
    },
    take_recommendations: wish.takeRecommendations,
    decisions,
  };
}

const BUILT_IN_ROLES = ['refiner', 'builder', 'verifier', 'gatekeeper'];

/** Agents that act without being asked need the person's explicit word, once, or a sandbox around them. */
function backendsFor(
  config: Config,
  wish: StartWish,
  setup: Setup,
  plugins: Gathered,
  kept: Environment,
): Backend[] {
  const known = plugins.backends.map(b => b.name).join(', ');
  return rolesOf(setup).map(role => {
    const options = { backend: wish.backend ?? null } as RunOptions;
    const backend = backendOf({ options, config, backends: plugins.backends }, role);
    if (!backend)
      throw dureError('E_BACKEND_UNKNOWN', { name: wish.backend ?? config.global.backend, known });
    if (backend.needsConsent !== false && !consents(kept, config.global.allow_bypass))
      throw dureError('E_CONSENT', { guide: SECURITY_GUIDE });
    return backend;
  });
}

export interface DriveOptions {
  /** Aborting records `run.interrupted`; agents go on and are adopted by the next driver. */
  readonly signal: AbortSignal;
  readonly onEvent?: (event: RunEvent, state: RunState) => void;
  /** Return as soon as only a person can go on, instead of waiting for them. */
  readonly untilRest?: boolean;
  readonly report?: (problem: { plugin: string; problem: string }) => void;
}

/** Milliseconds between two looks without a hint. */
const LOOK_MS = 1000;

/** Drives a run in this process until it is over or `signal` fires. Throws `E_DRIVER_ALIVE` when another one does. */
export async function driveRun(
  project: ProjectFiles,
  files: RunFiles,
  plugins: Gathered,
  { signal, onEvent, untilRest = false, report: say = () => {} }: DriveOptions,
): Promise<RunState> {
  const complaints = problemLog(files, plugins.problems);
  const report: typeof say = blame => {
    complaints.note(blame);
    say(blame);
  };
  const site = await siteOf(project, files, plugins, report);
  // Only who drives may touch the log: opening it drops a torn last line.
  const leave = await takeDriver(files, runIdOf(files));
  const channels = publisher({
    channels: plugins.channels,
    config: site.config,
    project: project.root,
    report,
  });
  try {
    await complaints.keep();
    const journal = await openJournal(files);
    if (!journal.state) throw dureError('E_RUN_NOT_FOUND', { run: files.dir });
    // A run that is under way needs no window to go on: when a launch does, a person is asked.
    if (!isOver(journal.state))
      await site.launcher.open().catch(error => {
        if (journal.state?.seq === 1 || !(error instanceof DureError)) throw error;
      });
    // A power cut may have come between the record of an answer and the file that keeps it.
    const events = await readEvents(files);
    const last = events.at(-1);
    if (last) await keepAnswer(site, journal.state, last);
    // It was recorded when the run was made, before anybody drove it.
    if (last && events.length === 1) void channels.publish(last, journal.state).then(complaints.keep);
    const memory = emptyMemory();
    const hints = wakes({
      folders: foldersOf(files, journal.state.setup),
      everyMs: LOOK_MS,
      resting: () => journal.state !== null && isIdle(journal.state),
      signal,
    });
    const state = await drive({
      journal,
      world: {
        async observe(s) {
          const [seen] = await Promise.all([
            observe(files, s, site.words),
            callAtLog(site, s, memory.called),
          ]);
          return seen;
        },
        async establish(s, due) {
          const ahead = due.due === 'seal' ? callAhead(site, s, memory.called) : null;
          const event = await establish(site, s, due);
          await ahead;
          return event;
        },
        reconcile: (s, wanted) => reconcile(site, s, wanted, memory),
      },
      wakes: hints,
      untilRest,
      async publish(event, state) {
        await keepAnswer(site, state, event);
        void channels.publish(event, state).then(complaints.keep);
        onEvent?.(event, state);
      },
    });
    if (isOver(state) && state.open.length === 0)
      await removeEnvironment(await environmentFolder(files, site.options), state.run_id);
    if (!signal.aborted || isOver(state) || rests(state) || state.phase === 'interrupted') return state;
    const event: RunEvent = {
      at: new Date().toISOString(),
      type: 'run.interrupted',
      phase: state.phase,
      reason: 'the driver was asked to end',
    };
    const interrupted = await journal.append(event);
    onEvent?.(event, interrupted);
    return interrupted;
  } finally {
    await channels.settled();
    await complaints.keep();
    await leave();
  }
}

async function siteOf(
  project: ProjectFiles,
  files: RunFiles,
  plugins: Gathered,
  report: NonNullable<DriveOptions['report']>,
): Promise<Site> {
  const options = await readOptions(files);
  if (!options) throw dureError('E_FILE_MISSING', { file: files.options });
  const { config, problems } = fillSections(await projectConfig(project, plugins), plugins.configShapes);
  for (const problem of problems) report(problem);
  const shapes = plugins.roles.flatMap(role =>
    role.output.flatMap(o => (o.shape ? [[o.file, o.shape] as const] : [])),
  );
  return {
    project,
    files,
    options,
    config,
    // A repository that the person made since knows nothing of this run.
    repo: await (options.shadow ? openShadow : openRepository)(project.root, project.shadow),
    launcher: launcherOf(project, files, options, config),
    roles: plugins.roles,
    verdicts: plugins.verdicts,
    backends: plugins.backends,
    words: { verdicts: plugins.verdicts.map(v => v.verdict), shapes: Object.fromEntries(shapes) },
  };
}
