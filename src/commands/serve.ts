import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { findRun, runIds, standing } from '../core/run-store.ts';
import { type ProjectFiles, type RunFiles, runFiles } from '../formats/layout.ts';
import { eventLine } from '../terminal/event-line.ts';
import { outcomeOf } from '../terminal/outcome.ts';
import { untilSignal } from '../terminal/signals.ts';

export default class Serve extends BaseCommand<typeof Serve> {
  static override summary = 'Drive a run in this process, until it is over.';
  static override description =
    'What `dure start` keeps going in the background. Without RUN it drives every run that nobody drives. Ctrl-C interrupts the runs; `dure recover` goes on with them.';
  static override args = {
    run: Args.string({ ignoreStdin: true, description: 'Run id. Default: all interrupted runs.' }),
  };
  static override flags = {
    port: Flags.integer({ min: 0, max: 65_535, description: 'Port of the web pages.' }),
    browser: Flags.boolean({ allowNo: true, default: true, description: 'Open the web pages.' }),
  };

  async run() {
    const { driveRun } = await import('../app.ts');
    const project = await this.project();
    const plugins = await this.plugins();
    const wanted =
      this.args.run === undefined ? await undriven(project) : [await findRun(project, this.args.run)];
    const several = wanted.length > 1;
    const states = await untilSignal(signal =>
      Promise.all(
        wanted.map(files =>
          driveRun(project, files, plugins, {
            signal,
            report: ({ plugin, problem }) => this.warn(`Plugin ${plugin}: ${problem}`),
            onEvent: (event, state) => this.log(`${several ? `${state.run_id} ` : ''}${eventLine(event)}`),
          }),
        ),
      ),
    );
    if (wanted.length === 0) this.log('No run waits for a driver.');
    return { runs: states.map(outcomeOf) };
  }
}

async function undriven(project: ProjectFiles): Promise<RunFiles[]> {
  const all = (await runIds(project)).map(id => runFiles(project.run(id)));
  const stands = await Promise.all(all.map(files => standing(files)));
  return all.filter((_, i) => stands[i]?.state.phase === 'interrupted');
}
