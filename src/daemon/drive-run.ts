/** Composition root: assembles a run and drives it. Commands and the server call this, never the orchestrator. */

import { drive } from '../core/orchestrator.ts';
import { isIdle, isOver, isWaiting, isWorkedOn } from '../core/policy/state/phase.ts';
import { diskMeter } from '../core/run/disk-meter.ts';
import { keepAnswer } from '../core/run/effects/ask-and-resolve-questions.ts';
import { performEffect } from '../core/run/effects/perform-effect.ts';
import { rememberReplaced } from '../core/run/effects/restore-replaced-folders.ts';
import { removeEnvironment } from '../core/run/launch/environment-variable-store.ts';
import { emptyMemory, reconcile } from '../core/run/launch/reconcile-desired-launch.ts';
import { observe } from '../core/run/observe-run.ts';
import { problemLog } from '../core/run/plugin-problem-log.ts';
import { waitOutErrors } from '../core/run/wait-out-errors.ts';
import { wakeSignals, watchedFolders } from '../core/run/wake-signals.ts';
import type { RunEvent } from '../formats/events/events.ts';
import type { ProjectFiles, RunFiles } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import type { Contributions } from '../plugins/load-contributions.ts';
import { drivenTime } from './detect-undriven-time.ts';
import { type OpenRun, openRun } from './open-run.ts';

export interface DriveOptions {
  /** Aborting records `run.interrupted`; agents keep running and are adopted by the next driver. */
  readonly signal: AbortSignal;
  readonly onEvent?: (event: RunEvent, state: RunState) => void;
  /** Whether to return, instead of waiting, when only the user can continue the run. */
  readonly untilIdle?: boolean;
  readonly report?: (problem: { plugin: string; problem: string }) => void;
  /** Milliseconds after which an error other than a disk error interrupts the run. Default: five minutes. */
  readonly patienceMs?: number;
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
  { signal, onEvent, untilIdle = false, report: onProblem = () => {}, patienceMs }: DriveOptions,
): Promise<RunState> {
  const log = problemLog(files, plugins.problems);
  const report: typeof onProblem = failure => {
    log.add(failure);
    onProblem(failure);
  };
  const open: Partial<OpenRun> = {};
  const untilItWorks = waitOutErrors({
    files,
    journal: () => open.journal ?? null,
    signal,
    ...(patienceMs !== undefined && { patienceMs }),
    notify(event, state, recorded) {
      // An event recorded before the delivery is open is announced when the delivery opens.
      if (recorded) open.delivery?.announce(event, state);
      else void open.channels?.publish(event, state);
      onEvent?.(event, state);
    },
  });
  try {
    const { journal, delivery, context } = await untilItWorks(() =>
      openRun({ project, files, plugins, log, report }, open),
    );
    const { announce } = delivery;
    const memory = emptyMemory();
    const withReplaced = rememberReplaced();
    const disk = diskMeter(context);
    const driven = drivenTime(journal.state!.updated_at);
    const wakes = wakeSignals({
      folders: watchedFolders(files, journal.state!.setup),
      everyMs: POLL_MS,
      isIdle: () => journal.state !== null && isIdle(journal.state),
      signal,
    });
    const state = await drive({
      journal,
      world: {
        async observe(s) {
          const seen = withReplaced(s, await observe(files, s, context.words));
          const undriven_since = isWorkedOn(s.phase) ? driven.undrivenSince(seen.at) : null;
          if (undriven_since === null) driven.drivenAt(seen.at);
          return { ...seen, undriven_since, ...disk() };
        },
        perform: (s, effect) => driven.during(performEffect(context, s, effect)),
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
      await removeEnvironment(context.options.environment, state.run_id);
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
    await open.delivery?.settled();
    if (open.release) await log.save();
    await open.release?.();
  }
}
