/** Composition root: assembles a run and drives it. Commands and the server call this, never the orchestrator. */
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cassetteNamed } from '../agents/rehearsal/find-cassette.ts';
import { drive } from '../core/orchestrator.ts';
import { composePipeline } from '../core/policy/compose-pipeline.ts';
import { consents, type Environment, keptEnvironment } from '../core/policy/environment.ts';
import { isOver } from '../core/policy/evolve.ts';
import { isIdle, rests } from '../core/policy/phase.ts';
import { agentRolesOf } from '../core/policy/pipeline.ts';
import { type Delivery, openDelivery } from '../core/run/deliver-notices.ts';
import { takeDriver } from '../core/run/driver-lock.ts';
import { keepAnswer, performEffect } from '../core/run/effects.ts';
import {
  environmentFolder,
  newEnvironmentFolder,
  removeEnvironment,
  writeEnvironment,
} from '../core/run/environment-files.ts';
import { observe } from '../core/run/observe.ts';
import { publisher } from '../core/run/publish.ts';
import { emptyMemory, reconcile } from '../core/run/reconcile.ts';
import { backendOf, type RunContext } from '../core/run/run-context.ts';
import { newRun, openJournal, readEvents, readOptions } from '../core/run/run-store.ts';
import { standingDecisions } from '../core/run/standing-decisions.ts';
import { wakeSignals } from '../core/run/wake-signals.ts';
import { DureError, dureError } from '../errors.ts';
import type { Config } from '../formats/config.ts';
import type { RunEvent } from '../formats/events.ts';
import { replace, replaceJson } from '../formats/file.ts';
import { type ProjectFiles, type RunFiles, runIdOf } from '../formats/layout.ts';
import type { RunOptions } from '../formats/run-options.ts';
import type { RunState, Setup } from '../formats/state.ts';
import type { Backend } from '../index.ts';
import { projectConfig, unknownRoles } from '../plugins/config-sections.ts';
import { type Contributions, withSectionDefaults } from '../plugins/host.ts';
import { problemLog } from '../plugins/problem-log.ts';
import { SECURITY_GUIDE } from '../process/package-root.ts';
import { words } from '../words/cli/language.ts';
import { dirtyFiles, resolveBase, snapshot } from '../workspace/base.ts';
import { openRepository, openShadow } from '../workspace/repository.ts';
import { launcherOf } from './start-daemon.ts';

export interface StartRequest {
  readonly briefing: string;
  readonly base?: string;
  readonly backend?: string;
  /** Absolute path of a cassette for the rehearsal backend. Default: the project's own, if it has one. */
  readonly cassette?: string;
  readonly budget_usd?: number;
  /** Default: from the configuration. */
  readonly pipeline?: string;
  readonly launcher: 'tmux' | 'process';
  readonly takeRecommendations: boolean;
  readonly includeChanges: boolean;
  /** Environment of the calling shell. */
  readonly shell: Readonly<Record<string, string | undefined>>;
}

export interface StartedRun {
  readonly runId: string;
  readonly files: RunFiles;
  /** Uncommitted changes that are not in the base, so the agents do not see them. */
  readonly notIncluded: string[];
}

/**
 * Creates a run that is ready to be driven. Problems of the request or configuration are reported before anything is
 * created.
 */
export async function startRun(
  project: ProjectFiles,
  request: StartRequest,
  plugins: Contributions,
): Promise<StartedRun> {
  if (request.briefing.trim() === '') throw dureError('E_BRIEFING_EMPTY');
  const config = await projectConfig(project, plugins);
  const unknown = unknownRoles(config.global, plugins.roles);
  if (unknown.length > 0) throw dureError('E_CONFIG', { problems: unknown.join('\n') });
  const setup = setupOf(config, request, plugins, await standingDecisions(project));
  const kept = keptEnvironment(request.shell, plugins.backends);
  const backends = backendsFor(config, request, setup, plugins, kept);
  const cassette =
    request.cassette ??
    (backends.some(({ name }) => name === 'rehearsal') ? await cassetteOf(project) : null);
  if (cassette !== null) await cassetteNamed(cassette);
  const repo = await openRepository(project.root, project.shadow);
  const base = await resolveBase(repo, request.base ?? null);
  const dirty = await dirtyFiles(repo);
  const commit = request.includeChanges && dirty.length > 0 ? await snapshot(repo, base.commit) : base.commit;

  const { id, files } = await newRun(project, new Date());
  const options: RunOptions = {
    base: commit,
    base_name: base.name,
    branch: base.branch,
    backend: request.backend ?? null,
    cassette,
    budget_usd: request.budget_usd ?? null,
    environment: await newEnvironmentFolder(files),
    launcher: request.launcher,
    take_recommendations: request.takeRecommendations,
    shadow: repo.shadow,
  };
  for (const folder of foldersOf(files, setup)) await mkdir(folder, { recursive: true });
  const briefing = request.briefing.endsWith('\n') ? request.briefing : `${request.briefing}\n`;
  await replace(files.raw, briefing);
  if (!isRefined(files, setup)) await replace(files.refined, briefing);
  await replaceJson(files.options, options);
  await writeEnvironment(await environmentFolder(files, options), files, kept);
  // A role that is missing here is missing for the whole run.
  await problemLog(files, plugins.problems).keep();
  const journal = await openJournal(files);
  await journal.append({
    at: new Date().toISOString(),
    type: 'run.started',
    run_id: id,
    base: commit,
    briefing,
    setup,
  });
  return { runId: id, files, notIncluded: request.includeChanges ? [] : dirty };
}

/** The default cassette of the rehearsal backend: the project's own, or the embedded one. */
const cassetteOf = ({ cassette }: ProjectFiles): Promise<string> =>
  access(cassette).then(
    () => cassette,
    () => 'default',
  );

/** Folders whose changes wake the driver; created before anything is written to them. */
const foldersOf = (files: RunFiles, setup: Setup): string[] => [
  ...new Set([
    ...setup.pipeline.map(step => join(files.dir, step.folder)),
    files.launches,
    files.crps,
    files.vcrs,
    files.requests,
    files.feedback,
    files.logs,
    files.prompts,
    files.sealed,
  ]),
];

function setupOf(
  config: Config,
  request: StartRequest,
  plugins: Contributions,
  decisions: Setup['decisions'],
): Setup {
  const { global, gatekeeper } = config;
  const own = Object.fromEntries(plugins.roles.map(role => [role.name, role.timeout ?? 300_000]));
  const name = request.pipeline ?? global.pipeline;
  return {
    pipeline_name: name,
    pipeline: composePipeline({ roles: plugins.roles, pipelines: plugins.pipelines, config, name }),
    max_iterations: Math.min(global.max_iterations, gatekeeper.max_iterations),
    max_minor_fixes: 2,
    max_consultations: global.max_consultations,
    timeouts: { ...own, ...global.timeouts, setup: 900_000, proof: 3_600_000 },
    timeout_action: global.timeout_action,
    retry: {
      attempts: global.auto_retry.enabled ? global.auto_retry.max_attempts : 0,
      kinds: global.auto_retry.recoverable_errors,
    },
    budget_usd: request.budget_usd ?? global.budget_usd,
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
    take_recommendations: request.takeRecommendations,
    decisions,
  };
}

/** Without a refine step, the briefing is built as written. */
const isRefined = (files: RunFiles, { pipeline }: Setup): boolean =>
  pipeline.some(step => step.outputs.some(output => join(files.dir, output) === files.refined));

/** Agents without permission prompts need the person's explicit consent, once, or a sandbox. */
function backendsFor(
  config: Config,
  request: StartRequest,
  setup: Setup,
  plugins: Contributions,
  kept: Environment,
): Backend[] {
  const known = plugins.backends.map(b => b.name).join(', ');
  return agentRolesOf(setup).map(role => {
    const options = { backend: request.backend ?? null } as RunOptions;
    const backend = backendOf({ options, config, backends: plugins.backends }, role);
    if (!backend)
      throw dureError('E_BACKEND_UNKNOWN', { name: request.backend ?? config.global.backend, known });
    if (backend.needsConsent !== false && !consents(kept, config.global.allow_bypass))
      throw dureError('E_CONSENT', { guide: SECURITY_GUIDE });
    return backend;
  });
}

export interface DriveOptions {
  /** Aborting records `run.interrupted`; agents keep running and are adopted by the next driver. */
  readonly signal: AbortSignal;
  readonly onEvent?: (event: RunEvent, state: RunState) => void;
  /** Return when only a person can continue the run, instead of waiting. */
  readonly untilRest?: boolean;
  readonly report?: (problem: { plugin: string; problem: string }) => void;
}

/** Polling interval in milliseconds. */
const LOOK_MS = 1000;

/**
 * Drives a run in this process until it is over or `signal` is aborted. Throws `E_DRIVER_ALIVE` if it has another
 * driver.
 */
export async function driveRun(
  project: ProjectFiles,
  files: RunFiles,
  plugins: Contributions,
  { signal, onEvent, untilRest = false, report: say = () => {} }: DriveOptions,
): Promise<RunState> {
  const complaints = problemLog(files, plugins.problems);
  const report: typeof say = blame => {
    complaints.note(blame);
    say(blame);
  };
  const site = await siteOf(project, files, plugins, report);
  // Only the driver may open the log, because opening it truncates an incomplete last line.
  const leave = await takeDriver(files, runIdOf(files));
  const channels = publisher({
    sentence: words().event,
    channels: plugins.channels,
    config: site.config,
    project: project.root,
    report,
  });
  let delivery: Delivery | null = null;
  try {
    await complaints.keep();
    const journal = await openJournal(files);
    if (!journal.state) throw dureError('E_RUN_NOT_FOUND', { run: files.dir });
    // A run in progress continues without tmux; a launch that needs it leads to a question.
    if (!isOver(journal.state))
      await site.launcher.open().catch(error => {
        if (journal.state?.seq === 1 || !(error instanceof DureError)) throw error;
      });
    // The power may have failed between recording an answer and writing the file that stores it.
    const events = await readEvents(files);
    const last = events.at(-1);
    if (last) await keepAnswer(site, journal.state, last);
    delivery = await openDelivery(files, events, {
      async publish(event, state) {
        const wasWanted = await channels.publish(event, state);
        await complaints.keep();
        return wasWanted;
      },
    });
    const { announce } = delivery;
    const memory = emptyMemory();
    const hints = wakeSignals({
      folders: foldersOf(files, journal.state.setup),
      everyMs: LOOK_MS,
      resting: () => journal.state !== null && isIdle(journal.state),
      signal,
    });
    const state = await drive({
      journal,
      world: {
        observe: s => observe(files, s, site.words),
        establish: (s, due) => performEffect(site, s, due),
        reconcile: (s, wanted) => reconcile(site, s, wanted, memory),
      },
      wakes: hints,
      untilRest,
      async publish(event, state) {
        await keepAnswer(site, state, event);
        announce(event, state);
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
    announce(event, interrupted);
    onEvent?.(event, interrupted);
    return interrupted;
  } finally {
    await delivery?.settled();
    await complaints.keep();
    await leave();
  }
}

async function siteOf(
  project: ProjectFiles,
  files: RunFiles,
  plugins: Contributions,
  report: NonNullable<DriveOptions['report']>,
): Promise<RunContext> {
  const options = await readOptions(files);
  if (!options) throw dureError('E_FILE_MISSING', { file: files.options });
  const { config, problems } = await withSectionDefaults(
    await projectConfig(project, plugins),
    plugins.configShapes,
  );
  for (const problem of problems) report(problem);
  const shapes = plugins.roles.flatMap(role =>
    role.steps.flatMap(step => step.outputs.flatMap(o => (o.shape ? [[o.file, o.shape] as const] : []))),
  );
  return {
    project,
    files,
    options,
    config,
    // A repository created since then has no data of this run.
    repo: await (options.shadow ? openShadow : openRepository)(project.root, project.shadow),
    launcher: launcherOf(project, files, options, config),
    roles: plugins.roles,
    verdicts: plugins.verdicts,
    backends: plugins.backends,
    words: { verdicts: plugins.verdicts.map(v => v.verdict), shapes: Object.fromEntries(shapes) },
  };
}
