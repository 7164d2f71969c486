import { Args } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { readState } from '../core/run-store.ts';
import { accompany } from '../terminal/accompany.ts';
import { chooseProgress } from '../terminal/choose-progress.ts';
import type { Look } from '../terminal/follow.ts';
import { outcomeOf, problemOf } from '../terminal/outcome.ts';
import { paint } from '../terminal/paint.ts';
import type { Progress } from '../terminal/progress.ts';
import { untilSignal } from '../terminal/signals.ts';
import { decideCommands, waitOf } from '../terminal/waits.ts';

export default class Watch extends BaseCommand<typeof Watch> {
  static override summary = 'Look on at a run until it is ready or over.';
  static override description =
    'Shows what `dure start` shows and changes nothing. Questions are shown with the command that answers them. Ctrl-C leaves the run going.';
  static override args = {
    run: Args.string({ ignoreStdin: true, description: 'Run id. Default: the newest run.' }),
  };

  async run() {
    const { files, state } = await this.chosen(this.args.run);
    this.known = { run_id: state.run_id };
    this.log(paint('bold', state.run_id));
    const progress = await chooseProgress(files, this.jsonEnabled(), line => this.log(line));
    const company = { progress: this.withCommands(progress), ask: null, leaveWhenAsked: false };
    const left =
      (await untilSignal(signal => accompany(files, company, signal))) ?? (await readState(files))!;
    this.known = outcomeOf(left);
    const wait = waitOf(left);
    if (wait?.for === 'approval')
      this.log([wait.command, ...decideCommands(left)].map(c => `  ${paint('cyan', c)}`).join('\n'));
    const problem = problemOf(left);
    if (problem) throw problem;
    return this.known;
  }

  /** Says the command that answers a question, once for each question. */
  private withCommands(progress: Progress): Progress {
    let said: string | null = null;
    return {
      show: async (look: Look) => {
        await progress.show(look);
        const { phase, pending_crp } = look.state;
        if (phase === 'waiting_human' && pending_crp !== said)
          this.log(`  Answer with ${paint('cyan', waitOf(look.state)!.command)}`);
        said = pending_crp;
      },
      rest: () => progress.rest(),
    };
  }
}
