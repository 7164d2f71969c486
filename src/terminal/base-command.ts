/**
 * Base class for all commands: finds the project, and implements `--json` and the exit status. With `--json`, standard
 * output is exactly one JSON value; the exit status is the same as in text mode.
 */

import { Command, Flags, type Interfaces } from '@oclif/core';
import { decidable } from '../core/policy/state/state-without-driver.ts';
import { logCorrupt, readOptions } from '../core/run/record/read-run-record.ts';
import {
  type DecisionOutcome,
  decisionOutcome,
  type SentDecision,
} from '../core/run/requests/decision-outcome.ts';
import { type DecisionSource, FROM_TERMINAL } from '../core/run/requests/decision-proof.ts';
import { completeRunId, findNamedRun, type RunStatus, runStatus } from '../core/run/run-store.ts';
import type { ServeOptions } from '../daemon/ensure-driver-and-pages.ts';
import { DureError, dureError } from '../errors.ts';
import { unlessDiskFails } from '../formats/file-system/temporary-disk-errors.ts';
import { type ProjectFiles, type RunFiles, runIdOf } from '../formats/layout.ts';
import { JSON_VERSION, successOutput } from '../formats/output/json-envelope.ts';
import { jsonText } from '../formats/schema/strict-json.ts';
import type { Contributions, PluginFailure } from '../plugins/load-contributions.ts';
import { words } from '../words/cli/load-language.ts';
import { findProject } from '../workspace/project/find-project.ts';
import { commandFailure, explain, failureText } from './error-output.ts';
import { warningLine } from './message-line.ts';
import type { Progress } from './runs/run-progress.ts';
import { waitForRequest } from './runs/wait-for-state-or-request.ts';
import { eventsAfter, type RunSnapshot } from './runs/watch-run-snapshots.ts';
import { untilSignal } from './signals.ts';

type FlagsOf<T extends typeof Command> = Interfaces.InferredFlags<
  (typeof BaseCommand)['baseFlags'] & T['flags']
>;
type ArgsOf<T extends typeof Command> = Interfaces.InferredArgs<T['args']>;

/** Milliseconds after which the user is told that a command waits for the driver. */
const SLOW_MS = 3000;

export interface SelectedRun extends RunStatus {
  readonly project: ProjectFiles;
  readonly files: RunFiles;
}

export abstract class BaseCommand<T extends typeof Command> extends Command {
  static override enableJsonFlag = true;
  static override baseFlags = {
    project: Flags.string({
      helpGroup: 'GLOBAL',
      helpValue: 'DIR',
      description:
        'Project folder. Default: the current folder or its nearest parent that contains a .dure folder.',
    }),
  };

  protected flags!: FlagsOf<T>;
  protected args!: ArgsOf<T>;
  /** A partial result, included in the JSON output if the command fails. */
  protected partialResult: object = {};

  override async init(): Promise<void> {
    await super.init();
    const { args, flags } = await this.parse({
      args: this.ctor.args,
      baseFlags: (super.ctor as typeof BaseCommand).baseFlags,
      enableJsonFlag: this.ctor.enableJsonFlag,
      flags: this.ctor.flags,
      strict: this.ctor.strict,
    });
    this.flags = flags as FlagsOf<T>;
    this.args = args as ArgsOf<T>;
  }

  protected get startFolder(): string {
    return this.flags.project ?? process.cwd();
  }

  protected project(): Promise<ProjectFiles> {
    return findProject(this.startFolder);
  }

  /**
   * Returns the run with this id, which may be abbreviated, or the newest run if no id is given, with its current state.
   * Throws `E_LOG_CORRUPT` if its log is damaged.
   */
  protected async selectRun(id: string | undefined): Promise<SelectedRun> {
    const run = await this.selectRunToShow(id);
    if (run.damage) throw logCorrupt(run.files.events, run.damage);
    return { ...run, state: decidable(run.state) };
  }

  /** Like `selectRun`, for a command that only shows the state: a damaged log is not an error. */
  protected async selectRunToShow(id: string | undefined): Promise<SelectedRun> {
    const project = await this.project();
    const missing = async (run: string) => {
      const [{ missingRun }, { openRepository }] = await Promise.all([
        import('../core/run/missing-run.ts'),
        import('../workspace/git/open-repository.ts'),
      ]);
      throw await missingRun(await openRepository(project.root, project.shadow), run);
    };
    const files = await findNamedRun(project, id).catch((error: unknown) => {
      const complete = id === undefined ? null : completeRunId(id);
      if (!(error instanceof DureError && error.code === 'E_RUN_NOT_FOUND') || complete === null) throw error;
      return missing(complete);
    });
    const status = (await runStatus(files)) ?? (await missing(runIdOf(files)));
    return { project, files, ...status };
  }

  private loadContributions: (() => Promise<Contributions>) | null = null;
  private readonly reportedProblems: PluginFailure[] = [];

  /** Returns what all plugins contribute, and prints each problem once as a warning. Loads most of Dure's code. */
  protected async plugins(): Promise<Contributions> {
    const [{ currentPlugins }, { claude }, { rehearsal }] = await Promise.all([
      import('../plugins/reload-contributions.ts'),
      import('../agents/backends/claude.ts'),
      import('../agents/backends/rehearsal.ts'),
    ]);
    this.loadContributions ??= currentPlugins(this.config, {
      backends: [claude, rehearsal],
      report: problem => this.reportPluginProblem(problem),
    });
    return this.loadContributions();
  }

  /** Prints a problem with a plugin once, with a suggestion. */
  protected reportPluginProblem({ plugin, problem }: PluginFailure): void {
    if (this.reportedProblems.some(known => known.plugin === plugin && known.problem === problem)) return;
    this.reportedProblems.push({ plugin, problem });
    if (!this.jsonEnabled()) process.stderr.write(failureText(dureError('E_PLUGIN', { plugin, problem })));
  }

  /** Prints the plugin problems that the process driving the run has recorded. */
  protected async reportDriverPluginProblems(files: RunFiles): Promise<void> {
    const { readProblems } = await import('../core/run/plugin-problem-log.ts');
    for (const problem of await readProblems(files)) this.reportPluginProblem(problem);
  }

  /** Warnings to include in the JSON output. */
  private get warnings(): object {
    if (this.reportedProblems.length === 0) return {};
    return {
      warnings: this.reportedProblems.map(({ plugin, problem }) => {
        const { code, message, suggestions } = dureError('E_PLUGIN', { plugin, problem });
        return { code, message, suggestions };
      }),
    };
  }

  /**
   * Stores this shell's environment for agents that the run starts from now on. If this shell lacks what a backend
   * needs, prints a warning and stores nothing.
   */
  protected async saveEnvironment({
    project,
    files,
    state,
  }: Pick<SelectedRun, 'project' | 'files' | 'state'>): Promise<void> {
    const [{ saveEnvironment }, { projectConfig }, plugins] = await Promise.all([
      import('../core/run/launch/save-shell-environment.ts'),
      import('../plugins/config-sections.ts'),
      this.plugins(),
    ]);
    const options = await readOptions(files);
    // If the start of the log cannot be read, the driver reports why.
    if (!options) return;
    const config = await projectConfig(project, plugins);
    const { backends } = plugins;
    const missing = await saveEnvironment({ files, options, config, state, backends, shell: process.env });
    if (missing) this.logToStderr(words().keepsEnvironment(missing.of, missing.backend));
  }

  /** Returns the source of a decision that may start agents. */
  protected sourceOf(run: SelectedRun): DecisionSource {
    return { ...FROM_TERMINAL, before: () => this.prepareDecision(run) };
  }

  /**
   * Stores this shell's environment for agents that the decision starts. If the decision is about a pack, saves the
   * edits in the worktree that are not in the pack, and prints where.
   */
  protected async prepareDecision(run: SelectedRun): Promise<void> {
    await this.saveEnvironment(run);
    if (run.state.phase !== 'ready_for_merge') return;
    const { keepEditsOfRun } = await import('../core/run/keep-edits-of-run.ts');
    const ref = await keepEditsOfRun(run.project, run.files, run.state).catch(unlessDiskFails(null));
    if (ref !== null) this.logToStderr(warningLine(words().editsSaved(ref)));
  }

  private reportedSuspended: number | null = null;

  /** Prints a warning when the driver of the run is found suspended. Call with every status of the run. */
  protected reportSuspended({ suspended }: Pick<RunStatus, 'suspended'>): void {
    if (suspended !== null && suspended !== this.reportedSuspended)
      this.logToStderr(words().suspended(suspended));
    this.reportedSuspended = suspended;
  }

  /** Shows the progress of the run in the terminal; with `--json`, only warnings. */
  protected async progressOf(files: RunFiles): Promise<Progress> {
    const { chooseProgress } = await import('./choose-progress.ts');
    const progress = await chooseProgress(files, this.jsonEnabled(), line => this.log(line));
    return {
      show: async snapshot => {
        if (snapshot.suspended !== this.reportedSuspended) await progress.pause();
        this.reportSuspended(snapshot);
        await progress.show(snapshot);
      },
      pause: progress.pause,
    };
  }

  /** Makes sure that there is a driver to process a request. */
  protected async ensureDriver(
    project: ProjectFiles,
    files: RunFiles,
    serve: ServeOptions = { noBrowser: true },
  ): Promise<void> {
    const { ensureDriver } = await import('../daemon/ensure-driver-and-pages.ts');
    await ensureDriver(project, files, await this.plugins(), serve);
  }

  /**
   * Writes a decision. If it is refused because of an earlier decision, makes sure that a driver processes the
   * earlier one.
   */
  protected async submitDecision<T>({ project, files }: SelectedRun, write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (error instanceof DureError && ['E_ANSWERED', 'E_FEEDBACK_GIVEN'].includes(error.code))
        await this.ensureDriver(project, files);
      throw error;
    }
  }

  /**
   * Waits until the driver has processed a decision, so that later commands see its effect. Returns the event that
   * records it, and the state after it; if the decision stops the run, the state in which the run is over. Throws the
   * refusal, `E_TOO_LATE` if the run ended first, and `E_NOT_TAKEN`.
   */
  protected async waitForDecision<S extends SentDecision>({ project, files, state }: SelectedRun, sent: S) {
    const ensureDriver = () => this.ensureDriver(project, files);
    const later = eventsAfter(state.seq);
    let outcome: DecisionOutcome<S['kind']> | null = null;
    const isProcessed = (snapshot: RunSnapshot) => {
      this.reportSuspended(snapshot);
      outcome ??= decisionOutcome(files, sent, later(snapshot), snapshot.state);
      return outcome !== null && snapshot.state.todo?.kind !== 'stop';
    };
    const timer = setTimeout(() => {
      if (!this.jsonEnabled()) this.logToStderr(words().waitsForDriver(state.run_id));
    }, SLOW_MS);
    const now = await untilSignal(async signal => {
      // From here on, a signal only ends the wait: the decision has been written.
      await ensureDriver();
      return waitForRequest(files, isProcessed, signal, ensureDriver);
    }).finally(() => clearTimeout(timer));
    if (!now) throw dureError('E_NOT_TAKEN', { run: state.run_id });
    const { done, refused } = outcome!;
    if (!done) throw refused;
    return { now, event: done };
  }

  protected override toSuccessJson(result: unknown): unknown {
    return successOutput({ ...(result as object), ...this.warnings });
  }

  override logJson(json: unknown): void {
    process.stdout.write(jsonText(json));
  }

  protected override async catch(error: Error): Promise<void> {
    const failure = commandFailure(error, this.id);
    process.exitCode = failure.exit;
    if (failure.exit === 0) return;
    if (this.jsonEnabled())
      this.logJson({
        ok: false,
        version: JSON_VERSION,
        ...this.partialResult,
        ...this.warnings,
        error: failure,
      });
    else process.stderr.write(explain(failure, error));
  }
}
