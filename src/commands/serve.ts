import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { findRun } from '../core/run-store.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { eventLine } from '../terminal/event-line.ts';
import { outcomeOf } from '../terminal/outcome.ts';
import { untilSignal } from '../terminal/signals.ts';
import { words } from '../words/cli/words.ts';

export default class Serve extends BaseCommand<typeof Serve> {
  static override summary = 'Drive runs in this process, and serve the pages.';
  static override description =
    'What `dure start` keeps going in the background. One process leads a project; another stands by and takes over when it ends. Runs that lost their driver are gone on with. Ctrl-C records them as interrupted; agents at work go on, and `dure recover` too.';
  static override args = {
    run: Args.string({
      ignoreStdin: true,
      description:
        'Run to drive; the process ends when it is over. Default: all that need a driver, until Ctrl-C.',
    }),
  };
  static override flags = {
    port: Flags.integer({ min: 0, max: 65_535, description: 'Port of the pages.' }),
    browser: Flags.boolean({ allowNo: true, default: true, description: 'Open the pages in a browser.' }),
    background: Flags.boolean({
      hidden: true,
      default: false,
      description: 'End when all runs rest and nobody looks at the pages.',
    }),
    'while-watched': Flags.boolean({
      hidden: true,
      default: false,
      description: 'End when no run is left to drive and nobody looks at the pages.',
    }),
  };

  async run() {
    const { serve } = await import('../steering/serve.ts');
    const project = await this.project();
    // What is wrong with one is said before anything else.
    await this.plugins();
    const run = this.args.run ?? null;
    if (run !== null) await findRun(project, run);
    const page = run === null ? '/' : `/run/${run}`;
    const states = await untilSignal(signal =>
      serve(project, {
        run,
        patience_ms: this.patience(run),
        endsWhenIdle: this.flags.background,
        plugins: () => this.plugins(),
        port: this.flags.port ?? null,
        version: this.config.version,
        signal,
        witness: {
          event: (event, state) =>
            this.log(`${state.run_id === run ? '' : `${state.run_id} `}${eventLine(event)}`),
          trouble: (id, error) =>
            this.logToStderr(`${id}: ${error instanceof Error ? error.message : String(error)}`),
          plugin: blame => this.complain(blame),
          standingBy: pid => this.log(words().serve.standingBy(pid)),
          withoutPages: error =>
            this.warn(words().serve.withoutPages(error instanceof Error ? error.message : String(error))),
          serving: server => {
            if (server.taken !== null) this.log(words().serve.taken(server.taken));
            // A log file is no place for a code that opens the pages.
            const code = process.stdout.isTTY ? `${page}#code=${server.code}` : '';
            this.log(words().serve.pages(`${server.url}${code}`));
            if (this.flags.browser) void this.openBrowser(project, page);
          },
        },
      }),
    );
    return { runs: states.map(outcomeOf) };
  }

  private patience(run: string | null): number | null {
    if (run !== null) return AFTER_A_RUN_MS;
    return this.flags['while-watched'] ? UNWATCHED_MS : null;
  }

  private async openBrowser(project: ProjectFiles, page: string): Promise<void> {
    const { wayTo } = await import('../steering/pages.ts');
    await (await wayTo(project, page))?.open();
  }
}

/** Milliseconds that a process which was started for a run stays when there is nothing left to do. */
const AFTER_A_RUN_MS = 3000;
/** The same for one that was started for its pages: an address is good for two minutes. */
const UNWATCHED_MS = 130_000;
