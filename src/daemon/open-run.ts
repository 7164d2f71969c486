/**
 * Opens what a driver needs before its loop. Each part is opened once, so a retry after an error opens only the rest.
 * The lock and the log come first: from then on, an error is recorded in the run.
 */
import { isOver } from '../core/policy/state/phase.ts';
import { acquireDriverLock } from '../core/run/driver-lock.ts';
import { keepAnswer } from '../core/run/effects/ask-and-resolve-questions.ts';
import { type Publisher, publisher } from '../core/run/notify-channels.ts';
import type { ProblemLog } from '../core/run/plugin-problem-log.ts';
import { expectOptions } from '../core/run/record/read-run-record.ts';
import { removeTemporaryFiles } from '../core/run/remove-temporary-files.ts';
import type { RunContext } from '../core/run/run-context.ts';
import { expectIntact, type Journal, openJournal, readEvents } from '../core/run/run-store.ts';
import { type EventDelivery, openEventDelivery } from '../core/run/track-event-delivery.ts';
import { DureError, dureError } from '../errors.ts';
import type { Config } from '../formats/config/config.ts';
import type { EventType } from '../formats/events/events.ts';
import { type ProjectFiles, type RunFiles, runIdOf } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import { projectConfig } from '../plugins/config-sections.ts';
import { type Contributions, withSectionDefaults } from '../plugins/load-contributions.ts';
import type { Report } from '../process/call-plugin-code.ts';
import { words } from '../words/cli/load-language.ts';
import { filtersOf } from '../workspace/git/configured-programs.ts';
import { releaseIndexLock } from '../workspace/git/lock-user-index.ts';
import { repositoryOfRun } from '../workspace/git/open-repository.ts';
import { launcherOf } from './ensure-driver-and-pages.ts';

export interface OpenRun {
  config: Config;
  release: () => Promise<void>;
  journal: Journal;
  channels: Publisher;
  delivery: EventDelivery;
  context: RunContext;
}

export interface RunToOpen {
  readonly project: ProjectFiles;
  readonly files: RunFiles;
  readonly plugins: Contributions;
  readonly log: ProblemLog;
  readonly report: Report;
}

/** Events that may be recorded between an answer and the work that it leads to. */
const BETWEEN: readonly EventType[] = ['run.delayed', 'run.continued', 'run.interrupted', 'run.resumed'];

/** Throws `E_DRIVER_ALIVE` (the run has another driver), `E_LOG_CORRUPT`, `E_KEY` or `E_RUN_NOT_FOUND`. */
export async function openRun(run: RunToOpen, open: Partial<OpenRun>): Promise<OpenRun> {
  const { project, files, log } = run;
  // If the lock cannot be taken, only the channels can report it. A configuration error is thrown only after the log is
  // open.
  const failure = await openChannels(run, open).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  await expectIntact(files);
  open.release ??= await acquireDriverLock(files, runIdOf(files));
  // Only the driver may open the log, because opening it truncates an incomplete last line.
  open.journal ??= await openJournal(files);
  const { state } = open.journal;
  if (!state) throw dureError('E_RUN_NOT_FOUND', { run: runIdOf(files) });
  const events = await readEvents(files);
  // A power failure may have occurred after an answer was recorded but before it was stored: store it again.
  const last = events.findLast(({ type }) => !BETWEEN.includes(type));
  if (last) await keepAnswer({ project, files }, state, last);
  if (failure) throw failure.error;
  const { publish } = open.channels!;
  open.delivery ??= await openEventDelivery(files, events, {
    async publish(event, after) {
      const wasSubscribed = await publish(event, after);
      await log.save();
      return wasSubscribed;
    },
  });
  await log.save();
  open.context ??= await contextOf(run, state, open.config!);
  const { repo, launcher } = open.context;
  await removeTemporaryFiles(files);
  await releaseIndexLock(repo, runIdOf(files));
  // A run continues without tmux; a launch that needs it leads to a question.
  if (!isOver(state))
    await launcher.open().catch(error => {
      if (!(error instanceof DureError)) throw error;
    });
  return open as OpenRun;
}

async function openChannels(run: RunToOpen, open: Partial<OpenRun>): Promise<void> {
  const { project, plugins, report } = run;
  open.config ??= await configOf(run);
  open.channels ??= publisher({
    sentence: words().event,
    channels: plugins.channels,
    config: open.config,
    project: project.root,
    report,
  });
}

async function configOf({ project, plugins, report }: RunToOpen): Promise<Config> {
  const { config, problems } = await withSectionDefaults(
    await projectConfig(project, plugins),
    plugins.configShapes,
  );
  for (const problem of problems) report(problem);
  return config;
}

async function contextOf(
  { project, files, plugins }: RunToOpen,
  { setup }: RunState,
  config: Config,
): Promise<RunContext> {
  const options = await expectOptions(files);
  const shapes = plugins.roles.flatMap(role =>
    role.steps.flatMap(step => step.outputs.flatMap(o => (o.shape ? [[o.file, o.shape] as const] : []))),
  );
  const repo = await repositoryOfRun(project, options);
  return {
    project,
    files,
    options,
    config,
    // The repository in which the run began: a repository that was created later does not contain the data of this
    // run.
    repo: { ...repo, filters: filtersOf(setup.git) },
    launcher: launcherOf(project, files, options, config),
    roles: plugins.roles,
    verdicts: plugins.verdicts,
    backends: plugins.backends,
    words: { verdicts: plugins.verdicts.map(v => v.verdict), shapes: Object.fromEntries(shapes) },
  };
}
