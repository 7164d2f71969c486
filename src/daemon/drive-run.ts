/** Composition root: assembles a run and drives it. Commands and the server call this, never the orchestrator. */

import { drive } from '../core/orchestrator.ts';
import { isIdle, isOver, isWaiting, isWorkedOn } from '../core/policy/phase.ts';
import { diskMeter } from '../core/run/disk-meter.ts';
import { acquireDriverLock } from '../core/run/driver-lock.ts';
import { performEffect } from '../core/run/effects.ts';
import { environmentFolder, removeEnvironment } from '../core/run/environment-variable-store.ts';
import { publisher } from '../core/run/notify-channels.ts';
import { observe } from '../core/run/observe.ts';
import { problemLog } from '../core/run/problem-log.ts';
import { keepAnswer } from '../core/run/question-effects.ts';
import { firstEvent, readOptions } from '../core/run/read-run-record.ts';
import { emptyMemory, reconcile } from '../core/run/reconcile-launches.ts';
import { removeTemporaryFiles } from '../core/run/remove-temporary-files.ts';
import type { RunContext } from '../core/run/run-context.ts';
import { expectIntact, openJournal, readEvents } from '../core/run/run-store.ts';
import { type EventDelivery, openEventDelivery } from '../core/run/track-event-delivery.ts';
import { waitOutErrors } from '../core/run/wait-out-errors.ts';
import { wakeSignals, watchedFolders } from '../core/run/wake-signals.ts';
import { DureError, dureError } from '../errors.ts';
import type { RunEvent } from '../formats/events.ts';
import { type ProjectFiles, type RunFiles, runIdOf } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import { projectConfig } from '../plugins/config-sections.ts';
import { type Contributions, withSectionDefaults } from '../plugins/load-contributions.ts';
import { words } from '../words/cli/language.ts';
import { filtersOf } from '../workspace/git-programs.ts';
import { releaseIndexLock } from '../workspace/index-lock.ts';
import { repositoryOfRun } from '../workspace/open-repository.ts';
import { drivenTime } from './detect-undriven-time.ts';
import { launcherOf } from './ensure-driver.ts';

export interface DriveOptions {
  /** Aborting records `run.interrupted`; agents keep running and are adopted by the next driver. */
  readonly signal: AbortSignal;
  readonly onEvent?: (event: RunEvent, state: RunState) => void;
  /** Return when only the user can continue the run, instead of waiting. */
  readonly untilIdle?: boolean;
  readonly report?: (problem: { plugin: string; problem: string }) => void;
}

/** Polling interval in milliseconds. */
const POLL_MS = 1000;

/**
 * Drives a run in this process until it is over or `signal` is aborted. Throws `E_DRIVER_ALIVE` if it has another
 * driver.
 */
export async function driveRun(
  project: ProjectFiles,
  files: RunFiles,
  plugins: Contributions,
  { signal, onEvent, untilIdle = false, report: onProblem = () => {} }: DriveOptions,
): Promise<RunState> {
  const log = problemLog(files, plugins.problems);
  const report: typeof onProblem = failure => {
    log.add(failure);
    onProblem(failure);
  };
  const context = await contextOf(project, files, plugins, report);
  // Only the driver may open the log, because opening it truncates an incomplete last line.
  const release = await acquireDriverLock(files, runIdOf(files));
  const channels = publisher({
    sentence: words().event,
    channels: plugins.channels,
    config: context.config,
    project: project.root,
    report,
  });
  let delivery: EventDelivery | null = null;
  try {
    await log.save();
    await removeTemporaryFiles(files);
    await releaseIndexLock(context.repo, runIdOf(files));
    const journal = await openJournal(files);
    if (!journal.state) throw dureError('E_RUN_NOT_FOUND', { run: files.dir });
    // A run in progress continues without tmux; a launch that needs it leads to a question.
    if (!isOver(journal.state))
      await context.launcher.open().catch(error => {
        if (journal.state?.seq === 1 || !(error instanceof DureError)) throw error;
      });
    // A power failure may have occurred between recording an answer and writing the file that stores it.
    const events = await readEvents(files);
    const last = events.at(-1);
    if (last) await keepAnswer(context, journal.state, last);
    delivery = await openEventDelivery(files, events, {
      async publish(event, state) {
        const wasSubscribed = await channels.publish(event, state);
        await log.save();
        return wasSubscribed;
      },
    });
    const { announce } = delivery;
    const untilItWorks = waitOutErrors({
      journal,
      folder: files.dir,
      signal,
      notify(event, state, recorded) {
        if (recorded) announce(event, state);
        else void channels.publish(event, state);
        onEvent?.(event, state);
      },
    });
    const memory = emptyMemory();
    const disk = diskMeter(context);
    const driven = drivenTime(journal.state.updated_at);
    const wakes = wakeSignals({
      folders: watchedFolders(files, journal.state.setup),
      everyMs: POLL_MS,
      isIdle: () => journal.state !== null && isIdle(journal.state),
      signal,
    });
    const state = await drive({
      journal,
      world: {
        async observe(s) {
          const seen = await observe(files, s, context.words);
          const undriven_since = isWorkedOn(s.phase) ? driven.undrivenSince(seen.at) : null;
          if (undriven_since === null) driven.drivenAt(seen.at);
          return { ...seen, undriven_since, ...disk() };
        },
        perform: (s, due) => driven.during(performEffect(context, s, due)),
        reconcile: (s, desired) => driven.during(reconcile(context, s, desired, memory)),
      },
      wakes,
      untilItWorks,
      untilIdle,
      async publish(event, state) {
        await keepAnswer(context, state, event);
        announce(event, state);
        onEvent?.(event, state);
      },
    });
    if (isOver(state) && state.open.length === 0)
      await removeEnvironment(await environmentFolder(files, context.options), state.run_id);
    if (!signal.aborted || isOver(state) || isWaiting(state) || state.phase === 'interrupted') return state;
    const now = new Date().toISOString();
    const event: RunEvent = {
      at: driven.undrivenSince(now) ?? now,
      type: 'run.interrupted',
      phase: state.phase,
      reason: 'the driver was told to exit',
      driven: true,
    };
    const interrupted = await journal.append(event);
    announce(event, interrupted);
    onEvent?.(event, interrupted);
    return interrupted;
  } finally {
    await delivery?.settled();
    await log.save();
    await release();
  }
}

async function contextOf(
  project: ProjectFiles,
  files: RunFiles,
  plugins: Contributions,
  report: NonNullable<DriveOptions['report']>,
): Promise<RunContext> {
  await expectIntact(files);
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
  const repo = await repositoryOfRun(project, options);
  const first = await firstEvent(files);
  return {
    project,
    files,
    options,
    config,
    // The repository in which the run began: a repository that was created later does not contain the data of this
    // run.
    repo: { ...repo, filters: filtersOf(first?.setup.git) },
    launcher: launcherOf(project, files, options, config),
    roles: plugins.roles,
    verdicts: plugins.verdicts,
    backends: plugins.backends,
    words: { verdicts: plugins.verdicts.map(v => v.verdict), shapes: Object.fromEntries(shapes) },
  };
}
