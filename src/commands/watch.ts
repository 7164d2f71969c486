import { Args } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { readState } from '../core/run-store.ts';
import { openQuestion } from '../core/wishes.ts';
import type { RunFiles } from '../formats/layout.ts';
import { accompany, type Company } from '../terminal/accompany.ts';
import { bellFor } from '../terminal/bell.ts';
import { chooseProgress } from '../terminal/choose-progress.ts';
import type { Look } from '../terminal/follow.ts';
import { answerWords, readyWords } from '../terminal/next-step.ts';
import { outcomeOf, problemOf } from '../terminal/outcome.ts';
import { paint } from '../terminal/paint.ts';
import type { Progress } from '../terminal/progress.ts';
import { questionView } from '../terminal/question-view.ts';
import { whileRead } from '../terminal/signals.ts';
import { columns } from '../terminal/text.ts';

export default class Watch extends BaseCommand<typeof Watch> {
  static override summary = 'Look on at a run until it is ready or over.';
  static override description =
    'Shows what `dure start` shows and changes nothing. Questions are shown with the command that answers them. Ctrl-C leaves the run going.';
  static override args = {
    run: Args.string({ ignoreStdin: true, description: 'Run id. Default: the newest run.' }),
  };

  async run() {
    const { project, files, state } = await this.chosen(this.args.run);
    const bell = await bellFor(project, files, new Date().toISOString());
    this.known = { run_id: state.run_id };
    this.log(paint('bold', state.run_id));
    const progress = await chooseProgress(files, this.jsonEnabled(), line => this.log(line));
    const shown = this.withCommands(files, progress);
    const company: Company = { progress: shown, ask: null, leaveWhenAsked: false, bell };
    const left = (await whileRead(signal => accompany(files, company, signal))) ?? (await readState(files))!;
    this.known = outcomeOf(left);
    await this.complaints(files);
    if (left.phase === 'ready_for_merge') this.log(readyWords(left, Date.now()));
    const problem = problemOf(left);
    if (problem) throw problem;
    return this.known;
  }

  /** Shows a question and the command that answers it, once for each question. */
  private withCommands(files: RunFiles, progress: Progress): Progress {
    let said: string | null = null;
    return {
      show: async (look: Look) => {
        await progress.show(look);
        const { state } = look;
        if (state.phase === 'waiting_human' && state.pending_crp !== said) {
          const crp = await openQuestion(files, state);
          this.log(`\n${questionView(crp, columns())}\n${answerWords(state, crp)}`);
        }
        said = state.pending_crp;
      },
      rest: () => progress.rest(),
    };
  }
}
