import { Args, Flags } from '@oclif/core';
import { findNamedRun } from '../core/run/run-store.ts';
import { DureError } from '../errors.ts';
import { type ProjectFiles, runIdOf } from '../formats/layout.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { runResult } from '../terminal/runs/run-json-and-error.ts';
import { untilSignal } from '../terminal/signals.ts';
import { eventLine } from '../terminal/views/event-line.ts';
import { words } from '../words/cli/load-language.ts';

export default class Serve extends BaseCommand<typeof Serve> {
  static override summary = 'Drive runs in this process, and serve the pages.';
  static override description =
    'This is the process that `dure start` starts in the background. One process leads a project; any other stands by and takes over when the leader ends. Runs that lost their driver are resumed. Ctrl-C records runs as interrupted; their agents keep running, and `dure recover` resumes the runs.';
  static override args = {
    run: Args.string({
      ignoreStdin: true,
      description:
        'Run to drive. The process exits when that run is over. Default: drive every run that needs a driver, until Ctrl-C.',
    }),
  };
  static override flags = {
    port: Flags.integer({ min: 0, max: 65_535, description: 'Port for the web UI.' }),
    browser: Flags.boolean({ allowNo: true, default: true, description: 'Open the pages in a browser.' }),
    background: Flags.boolean({
      hidden: true,
      default: false,
      description: 'Exit when all runs are idle and no page is open.',
    }),
    'while-watched': Flags.boolean({
      hidden: true,
      default: false,
      description: 'Exit when there are no runs to drive and no open pages.',
    }),
  };

  async run() {
    const { serve } = await import('../daemon/serve.ts');
    const project = await this.project();
    // Reports plugin problems before anything else.
    await this.plugins();
    const named = this.args.run;
    const run = named === undefined ? null : runIdOf(await findNamedRun(project, named));
    const page = run === null ? '/' : `/run/${run}`;
    const states = await untilSignal(signal =>
      serve(project, {
        run,
        unused_timeout_ms: this.idleTimeoutMs(run),
        endsWhenIdle: this.flags.background,
        plugins: () => this.plugins(),
        port: this.flags.port ?? null,
        version: this.config.version,
        signal,
        observer: {
          onEvent: (event, state) =>
            this.log(`${state.run_id === run ? '' : `${state.run_id} `}${eventLine(event)}`),
          onError: (id, error) => this.logToStderr(`${id}: ${messageOf(error)}`),
          onPluginProblem: failure => this.reportPluginProblem(failure),
          onStandby: pid => this.log(words().serve.standingBy(pid)),
          onPagesError: error => this.warn(words().serve.withoutPages(messageOf(error))),
          onServing: server => {
            if (server.taken !== null) this.log(words().serve.taken(server.taken));
            // Keep the one-time code that opens the web UI out of log files.
            const code = process.stdout.isTTY ? `${page}#code=${server.code}` : '';
            this.log(words().serve.pages(`${server.url}${code}`));
            if (this.flags.browser) void this.openBrowser(project, page);
          },
        },
      }),
    );
    return { runs: states.map(runResult) };
  }

  private idleTimeoutMs(run: string | null): number | null {
    if (run !== null) return AFTER_A_RUN_MS;
    return this.flags['while-watched'] ? UNWATCHED_MS : null;
  }

  private async openBrowser(project: ProjectFiles, page: string): Promise<void> {
    const { pageLinkTo } = await import('../server/client/page-link.ts');
    await (await pageLinkTo(project, page))?.open();
  }
}

/** A process that was started for a run exits after this many milliseconds without work. */
const AFTER_A_RUN_MS = 3000;
/** How long (ms) a process that serves pages may be idle. Longer than the two minutes for which a link is valid. */
const UNWATCHED_MS = 130_000;

const messageOf = (error: unknown): string =>
  error instanceof DureError
    ? words().error(error).message
    : error instanceof Error
      ? error.message
      : String(error);
