/**
 * What every command has in common: the project it works in, `--json`, and how it ends.
 * With `--json` standard output is one JSON value and nothing else; the exit status is the same as in text.
 */
import { Command, Flags, type Interfaces } from '@oclif/core';
import { findRun, readOptions, standing } from './core/run-store.ts';
import type { ServeOptions } from './driver.ts';
import { dureError } from './errors.ts';
import type { ProjectFiles, RunFiles } from './formats/layout.ts';
import type { RunState } from './formats/state.ts';
import type { Blame, Gathered } from './plugins/host.ts';
import { complaint, explain, failureOf, JSON_VERSION } from './terminal/failure.ts';
import { type Look, stateWhen } from './terminal/follow.ts';
import { jsonSuccess, jsonText } from './terminal/json-said.ts';
import { untilSignal } from './terminal/signals.ts';
import { words } from './words/cli/words.ts';
import { findProject } from './written.ts';

type FlagsOf<T extends typeof Command> = Interfaces.InferredFlags<
  (typeof BaseCommand)['baseFlags'] & T['flags']
>;
type ArgsOf<T extends typeof Command> = Interfaces.InferredArgs<T['args']>;

export interface Chosen {
  readonly project: ProjectFiles;
  readonly files: RunFiles;
  readonly state: RunState;
  readonly driven: boolean;
}

export abstract class BaseCommand<T extends typeof Command> extends Command {
  static override enableJsonFlag = true;
  static override baseFlags = {
    project: Flags.string({
      helpGroup: 'GLOBAL',
      helpValue: 'DIR',
      description: 'Folder of the project. Default: the nearest one above with a .dure folder.',
    }),
  };

  protected flags!: FlagsOf<T>;
  protected args!: ArgsOf<T>;
  /** What is known of the result when the command ends in an error; `--json` shows it beside the error. */
  protected known: object = {};

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

  protected get where(): string {
    return this.flags.project ?? process.cwd();
  }

  protected project(): Promise<ProjectFiles> {
    return findProject(this.where);
  }

  /** A run by its id, or the newest one, as it is true now. */
  protected async chosen(id: string | undefined): Promise<Chosen> {
    const project = await this.project();
    const files = await findRun(project, id);
    const stands = await standing(files);
    if (!stands) throw dureError('E_RUN_NOT_FOUND', { run: id ?? files.dir });
    return { project, files, ...stands };
  }

  private gathered: (() => Promise<Gathered>) | null = null;
  private readonly blamed: Blame[] = [];

  /** What all plugins give; what is wrong with one is said once, as a warning. Loads the heavy part of Dure. */
  protected async plugins(): Promise<Gathered> {
    const [{ currentPlugins }, { claude }, { rehearsal }] = await Promise.all([
      import('./plugins/current.ts'),
      import('./agents/backends/claude.ts'),
      import('./agents/backends/rehearsal.ts'),
    ]);
    this.gathered ??= currentPlugins(this.config, {
      backends: [claude, rehearsal],
      report: blame => this.complain(blame),
    });
    return this.gathered();
  }

  /** Says once what a plugin did wrong, and what to do about it. */
  protected complain({ plugin, problem }: Blame): void {
    if (this.blamed.some(known => known.plugin === plugin && known.problem === problem)) return;
    this.blamed.push({ plugin, problem });
    if (!this.jsonEnabled()) process.stderr.write(complaint(dureError('E_PLUGIN', { plugin, problem })));
  }

  /** What plugins did wrong in the process that drives the run. */
  protected async complaints(files: RunFiles): Promise<void> {
    const { readProblems } = await import('./plugins/problem-log.ts');
    for (const blame of await readProblems(files)) this.complain(blame);
  }

  /** What `--json` shows beside a result or an error, when there is something to warn of. */
  private get warnings(): object {
    if (this.blamed.length === 0) return {};
    return {
      warnings: this.blamed.map(({ plugin, problem }) => {
        const { code, message, suggestions } = dureError('E_PLUGIN', { plugin, problem });
        return { code, message, suggestions };
      }),
    };
  }

  /** Agents of the run that start from now on get the environment of this shell. When it lacks something, that is said. */
  protected async leaveEnvironment({
    project,
    files,
    state,
  }: Pick<Chosen, 'project' | 'files' | 'state'>): Promise<void> {
    const [{ takeEnvironment }, { projectConfig }, plugins] = await Promise.all([
      import('./core/take-environment.ts'),
      import('./plugins/sections.ts'),
      this.plugins(),
    ]);
    const options = await readOptions(files);
    // Whoever drives such a run says what is wrong with it.
    if (!options) return;
    const config = await projectConfig(project, plugins);
    const { backends } = plugins;
    const lack = await takeEnvironment({ files, options, config, state, backends, shell: process.env });
    if (lack) this.logToStderr(words().keepsEnvironment(lack.of, lack.backend));
  }

  /** Somebody has to take up what a person left for the run. */
  protected async ensureDriver(
    project: ProjectFiles,
    files: RunFiles,
    serve: ServeOptions = { noBrowser: true },
  ): Promise<void> {
    const { ensureDriver } = await import('./driver.ts');
    await ensureDriver(project, files, await this.plugins(), serve);
  }

  /** Hands what was left for a run to its driver, and waits until the driver has taken it: what follows can rely on it. */
  protected async delivered(
    { project, files, state }: Chosen,
    taken: (look: Look) => boolean,
  ): Promise<RunState> {
    await this.ensureDriver(project, files);
    const now = await untilSignal(signal => stateWhen(files, taken, signal));
    if (!now) throw dureError('E_NOT_TAKEN', { run: state.run_id });
    return now;
  }

  protected override toSuccessJson(result: unknown): unknown {
    return jsonSuccess({ ...(result as object), ...this.warnings });
  }

  override logJson(json: unknown): void {
    process.stdout.write(jsonText(json));
  }

  protected override async catch(error: Error): Promise<void> {
    const failure = failureOf(error);
    process.exitCode = failure.exit;
    if (failure.exit === 0) return;
    if (this.jsonEnabled())
      this.logJson({ ok: false, version: JSON_VERSION, ...this.known, ...this.warnings, error: failure });
    else process.stderr.write(explain(failure, error));
  }
}
