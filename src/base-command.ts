/**
 * What every command has in common: the project it works in, `--json`, and how it ends.
 * With `--json` standard output is one JSON value and nothing else; the exit status is the same as in text.
 */
import { Command, Flags, type Interfaces } from '@oclif/core';
import { findRun, standing } from './core/run-store.ts';
import { dureError } from './errors.ts';
import type { ProjectFiles, RunFiles } from './formats/layout.ts';
import type { RunState } from './formats/state.ts';
import { findProject } from './project.ts';
import { explain, failureOf, JSON_VERSION } from './terminal/failure.ts';

type FlagsOf<T extends typeof Command> = Interfaces.InferredFlags<(typeof BaseCommand)['baseFlags'] & T['flags']>;
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

  protected override toSuccessJson(result: unknown): unknown {
    return { ok: true, version: JSON_VERSION, ...(result as object) };
  }

  override logJson(json: unknown): void {
    process.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
  }

  protected override async catch(error: Error): Promise<void> {
    const failure = failureOf(error);
    process.exitCode = failure.exit;
    if (failure.exit === 0) return;
    if (this.jsonEnabled()) this.logJson({ ok: false, version: JSON_VERSION, ...this.known, error: failure });
    else process.stderr.write(explain(failure, error));
  }
}
